#include "batch/jobs/manifest.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "batch/support.h"
#include "skinbake/error.h"

namespace skinbake::test {
namespace {

// The message of the refusal; empty: the manifest is accepted.
std::string refusal(const std::string& text) {
  try {
    parse_manifest(text, "jobs.json", commands());
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    return error.what();
  }
  return "";
}

std::string refusal_of_job(const std::string& job) {
  return refusal(manifest_text(R"("jobs": [{"rig": "a.glb"}, {)" + job + "}]"));
}

}  // namespace

TEST_CASE("manifest: an empty list of jobs is a manifest") {
  CHECK(parsed(R"("jobs": [])", commands()).jobs.empty());
}

TEST_CASE("manifest: values are texts, numbers, lists and flags, in the order of the file") {
  const Manifest manifest = parsed(
      R"("jobs": [{"name": "knight", "output": ["a.pc2", "b.npy"], "fps": 29.97, "rig": "k.glb",
                   "loop": true, "clip": "Idle"}])",
      commands());
  const ManifestJob& job = manifest.jobs.at(0);
  CHECK(job.name == "knight");
  CHECK(job.command == "bake");
  std::string keys;
  for (const Setting& setting : job.settings) keys += setting.key + " ";
  CHECK(keys == "output fps rig loop clip ");
  CHECK(*find_values(job.settings, "output") == std::vector<std::string>{"a.pc2", "b.npy"});
  CHECK(*find_values(job.settings, "fps") == std::vector<std::string>{"29.97"});
  CHECK(find_values(job.settings, "loop")->empty());
  CHECK(find_values(job.settings, "mesh") == nullptr);
}

TEST_CASE("manifest: a job replaces defaults, removes them by null and false, and is overridden") {
  const std::vector<ManifestCommand> known = commands();
  const Manifest manifest = parsed(
      R"("defaults": {"method": "dqs", "fps": 24, "loop": true},
         "jobs": [{"rig": "k.glb", "fps": 30, "loop": false, "method": null},
                  {"command": "compare", "rig": "k.glb"}])",
      known);
  const auto settings = [&](std::size_t job, const ManifestCommand& command,
                            const std::vector<Setting>& overrides) {
    std::string text;
    for (const Setting& setting :
         settings_of(manifest, manifest.jobs.at(job), command, overrides)) {
      text += setting.key + (setting.values.empty() ? "" : "=" + setting.values.front()) + " ";
    }
    return text;
  };
  CHECK(settings(0, known[0], {}) == "rig=k.glb fps=30 ");
  CHECK(settings(0, known[0], {{"fps", {"60"}}, {"method", {"cor"}}}) ==
        "rig=k.glb fps=60 method=cor ");
  // compare does not have the key fps.
  CHECK(settings(1, known[1], {{"fps", {"60"}}, {"method", {"cor"}}}) == "rig=k.glb method=cor ");
}

TEST_CASE("manifest: jobs without a name are numbered, and names are unique") {
  const Manifest manifest =
      parsed(R"("jobs": [{"rig": "a"}, {"name": "b", "rig": "b"}])", commands());
  CHECK(manifest.jobs[0].name == "job-1");
  CHECK(mentions(refusal_of_job(R"("name": "job-1", "rig": "b")"), "/jobs/1/name"));
}

TEST_CASE("manifest: an unknown key is refused at its place, with the nearest key") {
  const std::string message = refusal_of_job(R"("rig": "a", "metod": "dqs")");
  CHECK(mentions(message, "jobs.json /jobs/1/metod"));
  CHECK(mentions(message, "did you mean 'method'?"));
  CHECK(mentions(refusal(manifest_text(R"("job": [])")), "did you mean 'jobs'?"));
  CHECK(mentions(refusal(manifest_text(R"("defaults": {"metod": 1}, "jobs": [])")),
                 "/defaults/metod"));
  // An option of another command.
  CHECK(mentions(refusal_of_job(R"("rig": "a", "profile": "unity-4")"),
                 "'profile' is not an option of bake"));
  CHECK(mentions(refusal_of_job(R"("command": "bke", "rig": "a")"), "did you mean 'bake'?"));
}

TEST_CASE("manifest: values of a wrong type are refused") {
  CHECK(mentions(refusal_of_job(R"("rig": "a", "loop": "yes")"), "takes true or false"));
  CHECK(mentions(refusal_of_job(R"("rig": "a", "method": true)"), "needs a value"));
  CHECK(mentions(refusal_of_job(R"("rig": "a", "method": ["lbs", "dqs"])"), "takes one value"));
  CHECK(mentions(refusal_of_job(R"("rig": "a", "clip": [])"), "empty list"));
  CHECK(mentions(refusal_of_job(R"("rig": "a", "clip": [true])"), "has boolean where a text"));
  CHECK(mentions(refusal_of_job(R"("rig": "a", "clip": [["b"]])"), "has array where a text"));
  CHECK(mentions(refusal_of_job(R"("rig": {"path": "a"})"), "is an object"));
  CHECK(mentions(refusal_of_job(R"("rig": "a", "rig": "b")"), "given twice"));
  CHECK(mentions(refusal_of_job("\"rig\": \"a\\u0000b\""), "NUL"));
  CHECK(mentions(refusal(R"({"schema": "skinbake.report", "jobs": []})"), "/schema"));
  CHECK(mentions(refusal(R"({"schema": "skinbake.batch", "schema_version": "2.0", "jobs": []})"),
                 "/schema_version"));
  CHECK(mentions(refusal(manifest_text(R"("defaults": {})")), "does not have \"jobs\""));
  CHECK(mentions(refusal("[]"), "is not an object"));
  CHECK(mentions(refusal("{"), "cannot be parsed"));
  CHECK(mentions(refusal(manifest_text(R"("jobs": [)")), "cannot be parsed"));
  const std::string jobs = R"("jobs": [{"rig": "a", "method": [0, 1], "rig": "b"}, {"rig": "c"}])";
  CHECK(mentions(refusal(manifest_text(jobs)), "/jobs/0/rig: is given twice"));
}

TEST_CASE("manifest: the schema is JSON and describes each key") {
  const nlohmann::json schema = nlohmann::json::parse(manifest_schema(commands()));
  const nlohmann::json& keys = schema.at("properties").at("jobs").at("items").at("properties");
  for (const ManifestCommand& command : commands()) {
    for (const ManifestKey& key : command.keys) CHECK(keys.contains(key.name));
  }
  CHECK(keys.at("command").at("enum").size() == 4);
}

}  // namespace skinbake::test
