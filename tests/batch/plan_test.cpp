#include "batch/jobs/batch_plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "batch/results/batch_summary.h"
#include "batch/support.h"
#include "skinbake/error.h"
#include "support/temporary_folder.h"

namespace skinbake::test {
namespace {

// A plan whose rigs all have the clips Walk, Walk_Back and Idle and the meshes Body and Head.
struct Planned {
  std::vector<ManifestCommand> known = commands();
  Manifest manifest;
  std::unique_ptr<BatchPlan> plan;

  explicit Planned(const std::string& members, std::vector<Setting> overrides = {},
                   const std::vector<std::string>& only = {})
      : manifest(parsed(members, known)) {
    plan = std::make_unique<BatchPlan>(manifest, known, std::move(overrides), only);
    for (PlannedRig& rig : plan->rigs()) {
      rig.facts = RigFacts{
          {{"Walk", 1}, {"Walk_Back", 2}, {"Idle", 3}}, {{"Body", 0, 100}, {"Head", 1, 50}}, 1000};
    }
    plan->list_tasks();
    plan->refuse_shared_outputs({});
  }

  std::string clips() const {
    std::string text;
    for (const BatchTask& task : plan->tasks()) text += plan->name(task).clip + " ";
    return text;
  }
  std::string words(std::size_t task) const {
    std::string text;
    for (const std::string& word : plan->words(plan->tasks().at(task))) text += word + " ";
    return text;
  }
  std::vector<std::string> outputs(std::size_t task) const {
    return plan->outputs(plan->tasks().at(task));
  }
};

std::string job(const std::string& members) {
  return R"("jobs": [{"rig": "models/k.glb", )" + members + "}]";
}

std::string plan_refusal(const std::string& members, std::vector<Setting> overrides = {},
                         const std::vector<std::string>& only = {}) {
  try {
    const Planned planned(members, std::move(overrides), only);
  } catch (const Error& error) {
    return error.code() + " " + error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("plan: a task is one clip where every output has {clip}") {
  const Planned planned(job(R"("clip": ["Walk*", "Idle", "Walk"], "output": "{mesh}.{clip}.pc2")"));
  CHECK(planned.clips() == "Walk Walk_Back Idle ");
  CHECK(planned.words(0) == "bake models/k.glb --clip=Walk --output={mesh}.{clip}.pc2 ");
  CHECK(planned.outputs(1) == std::vector<std::string>{"Body.Walk_Back.pc2", "Head.Walk_Back.pc2"});
  CHECK(planned.plan->tasks()[0].frames == 31);
  CHECK(planned.plan->mesh_frames(planned.plan->tasks()[0]) == 62);
}

TEST_CASE("plan: all clips are one task where an output does not have {clip}") {
  const Planned planned(job(R"("clip": "W*", "output": "{clip}.npy", "report": "all.json")"));
  CHECK(planned.clips() == " ");
  CHECK(planned.words(0) ==
        "bake models/k.glb --clip=Walk --clip=Walk_Back --output={clip}.npy --report=all.json ");
  // A single clip is a task of its own in any case.
  CHECK(Planned(job(R"("clip": "Idle", "report": "all.json")")).clips() == "Idle ");
}

TEST_CASE("plan: a value with '!' omits clips and meshes, of the others or of all") {
  const std::string output = R"("output": "{mesh}.{clip}.pc2")";
  CHECK(Planned(job(R"("clip": "!Walk", )" + output)).clips() == "Walk_Back Idle ");
  CHECK(Planned(job(R"("clip": ["W*", "!*_Back"], )" + output)).clips() == "Walk ");
  CHECK(Planned(job(R"("clip": ["all", "!Jump"], )" + output)).clips() == "Walk Walk_Back Idle ");
  CHECK(Planned(job(R"("clip": "Idle", "mesh": "!B*", )" + output)).outputs(0) ==
        std::vector<std::string>{"Head.Idle.pc2"});
  CHECK(Planned(job(R"("clip": "Idle", "mesh": "B*", )" + output)).outputs(0) ==
        std::vector<std::string>{"Body.Idle.pc2"});
}

TEST_CASE(
    "plan: {rig} is the name of the file, and {clip} is replaced where the command does not") {
  const Planned planned(
      job(R"("clip": "all", "output": "{rig}/{clip}.npy", "report": "{rig}.{clip}.json")"));
  CHECK(planned.words(2) ==
        "bake models/k.glb --clip=Idle --output=k/{clip}.npy --report=k.Idle.json ");
  CHECK(planned.outputs(2) == std::vector<std::string>{"k/Idle.npy", "k.Idle.json"});
}

TEST_CASE("plan: a list of values that the option joins is one word") {
  const Planned planned(
      R"("jobs": [{"command": "compare", "rig": "k.glb", "metrics": ["error", "volume"]}])");
  CHECK(planned.words(0) == "compare k.glb --metrics=error,volume ");
}

TEST_CASE("plan: a rig whose name begins with '-' is a file, and '@' is like any letter") {
  CHECK(Planned(R"("jobs": [{"rig": "-k.glb", "clip": "Idle"}])").words(0) ==
        "bake ./-k.glb --clip=Idle ");
  CHECK(Planned(R"("jobs": [{"rig": "@k.glb", "clip": "Idle"}])").words(0) ==
        "bake @k.glb --clip=Idle ");
  CHECK(Planned(R"("jobs": [{"command": "diff", "a": "@a.pc2", "b": "-b.pc2"}])").words(0) ==
        "diff @a.pc2 ./-b.pc2 ");
}

TEST_CASE("plan: only the chosen jobs are planned, with the overrides") {
  const std::string jobs =
      R"("jobs": [{"name": "knight", "rig": "k.glb", "clip": "Idle"},
                  {"name": "fox", "rig": "f.glb", "clip": "Idle"}])";
  const Planned planned(jobs, {{"method", {"dqs"}}}, {"f*"});
  REQUIRE(planned.plan->tasks().size() == 1);
  CHECK(planned.words(0) == "bake f.glb --clip=Idle --method=dqs ");
  CHECK(mentions(plan_refusal(jobs, {}, {"wolf"}), "PATTERN_UNMATCHED"));
  CHECK(mentions(plan_refusal(jobs, {}, {"f*", "wolf", "k?"}), "matches 'wolf', 'k?'; the first"));
}

TEST_CASE("plan: a pattern that matches nothing is an error") {
  CHECK(mentions(plan_refusal(job(R"("clip": "Run*")")), "PATTERN_UNMATCHED"));
  CHECK(mentions(plan_refusal(job(R"("clip": "!*")")), "'clip' omits every clip"));
  CHECK(mentions(plan_refusal(job(R"("clip": ["Idle", "!Idle"])")), "'clip' omits every clip"));
  CHECK(
      mentions(plan_refusal(R"("jobs": [{"rig": "no_such_folder/*.glb"}])"), "PATTERN_UNMATCHED"));
  // A clip that does not exist is the task's own error.
  CHECK(Planned(job(R"("clip": ["Run", "Idle"], "output": "{clip}.npy")")).clips() == "Run Idle ");
}

TEST_CASE("plan: a pattern may have slashes, as the ids of clips and of those of other files may") {
  const std::vector<ManifestCommand> known = commands();
  const auto refusal = [&](const std::string& first, const std::string& second) {
    const Manifest manifest = parsed(
        R"("jobs": [{"name": "a", "rig": "k.glb", "output": "{clip}.npy", "clip": ")" + first +
            R"("}, {"name": "b", "rig": "k.glb", "output": "{clip}.npy", "clip": ")" + second +
            "\"}]",
        known);
    BatchPlan plan(manifest, known, {}, {});
    for (PlannedRig& rig : plan.rigs()) rig.facts = RigFacts{{{"Arm/Walk", 1}, {"Arm/Run", 1}}, {}};
    try {
      plan.list_tasks();
      plan.refuse_shared_outputs({});
    } catch (const Error& error) {
      return error.code() + " " + error.what();
    }
    return std::string();
  };
  CHECK(mentions(refusal("Arm/*", "Arm/Run"), "both write 'Arm_Run.npy'"));
  CHECK(mentions(refusal("o.glb#Arm/*", "Arm/Run"), "both write 'Arm_Run.npy'"));
  CHECK(mentions(refusal("models/o.glb#all", "#0"), "both write 'Arm_Walk.npy'"));
  CHECK(refusal("Arm/W*", "Arm/R*").empty());
}

TEST_CASE("plan: what omits no clip of a strict job is refused") {
  const auto refusal = [](const std::string& members) {
    return plan_refusal(job(R"("output": "{clip}.npy", "clip": ["all", "!Jump"])" + members));
  };
  CHECK(mentions(refusal(R"(, "strict": true)"), "jobs.json /jobs/0/clip: job 'job-1': '!Jump'"));
  CHECK(refusal(R"(, "strict": true, "allow": "EXCLUSION_UNMATCHED")").empty());
  CHECK(refusal("").empty());
  CHECK(plan_refusal(job(R"("output": "{clip}.npy", "strict": true, "clip": "!Walk*")")).empty());
}

TEST_CASE("plan: a required key that is missing is an error") {
  CHECK(mentions(plan_refusal(R"("jobs": [{"clip": "Idle"}])"), "'rig' is missing"));
}

TEST_CASE("plan: two tasks with one output are refused, however the path is written") {
  const auto two = [](const std::string& a, const std::string& b) {
    return plan_refusal(R"("jobs": [{"rig": "a.glb", "clip": "all", "output": ")" + a +
                        R"("}, {"rig": "b.glb", "clip": "all", "output": ")" + b + "\"}]");
  };
  CHECK(mentions(two("{clip}.npy", "{clip}.npy"), "OUTPUT_TWICE"));
  CHECK(mentions(two("{clip}.npy", "./x/../{clip}.npy"), "OUTPUT_TWICE"));
  CHECK(mentions(two("{mesh}.{clip}.pc2", "Head.Walk.pc2"), "both write 'Head.Walk.pc2'"));
  CHECK(two("a/{clip}.npy", "b/{clip}.npy").empty());
  CHECK(two("{rig}.{clip}.npy", "{rig}.{clip}.npy").empty());
  CHECK(two("{method}.{clip}.npy", "{method}.{clip}.mdd").empty());
}

TEST_CASE("plan: a task that reads what another one writes is refused") {
  const std::string baked =
      R"("jobs": [{"name": "bake", "rig": "a.glb", "clip": "Walk", "output": )"
      R"("out/{mesh}.{clip}.pc2"}, {"name": "check", )";
  const auto reader = [&](const std::string& members) {
    return plan_refusal(baked + members + "}]");
  };
  const std::string diff = R"("command": "diff", )";
  const std::string found = reader(diff + R"("a": "out/../out/Body.Walk.pc2", "b": "b.glb")");
  CHECK(mentions(found, "OUTPUT_IS_INPUT"));
  CHECK(mentions(found,
                 "jobs.json /jobs/1: job 'check' reads 'out/../out/Body.Walk.pc2', and job "
                 "'bake' with rig 'a.glb' and clip 'Walk' writes 'out/Body.Walk.pc2'"));
  CHECK(mentions(reader(diff + R"("a": "golden", "b": "out/")"), "reads 'out/'"));
  CHECK(mentions(reader(R"("rig": "b.glb", "clip": "Walk", "reference": "out/{mesh}.{clip}.pc2")"),
                 "reads 'out/Body.Walk.pc2'"));
  CHECK(reader(R"("rig": "b.glb", "clip": "Idle", "reference": "out/{mesh}.{clip}.pc2")").empty());
  CHECK(reader(diff + R"("a": "golden", "b": "other", "report": "other/d.json")").empty());
  const auto clip = [](const std::string& value) {
    return plan_refusal(
        R"("jobs": [{"name": "a", "rig": "a.glb", "clip": "Walk", "output": "g.glb"},
        {"name": "b", "rig": "b.glb", "report": "b.json", "clip": ")" +
        value + "\"}]");
  };
  CHECK(mentions(clip("g.glb"), "OUTPUT_IS_INPUT"));
  CHECK(mentions(clip("g.glb#Walk"), "OUTPUT_IS_INPUT"));
  CHECK(clip("other.glb#Walk").empty());
}

TEST_CASE("plan: the key of a value says whether it is a file, and not its letters") {
  const auto inputs = [](const std::string& members) {
    const Planned planned("\"jobs\": [" + members + "]");
    return planned.plan->inputs(planned.plan->tasks().at(0));
  };
  using Files = std::vector<std::string>;
  CHECK(inputs(R"({"rig": "k.glb", "clip": "Idle", "joint-params": "map", "fps": "29.97"})") ==
        Files{"map"});
  CHECK(inputs(R"({"command": "diff", "a": "golden", "b": "o"})") == Files{"golden", "o"});
  CHECK(inputs(R"({"rig": "k.glb", "clip": "poses:arms", "reference": "r/{mesh}.{clip}.pc2"})") ==
        Files{"arms", "r/Body.poses_arms.pc2", "r/Head.poses_arms.pc2"});
  CHECK(inputs(R"({"rig": "k.glb", "clip": "Idle", "reference": "dqs:sign=first"})").empty());
  CHECK(inputs(R"({"command": "fit", "rig": "k.glb", "clip": ["Walk", "Idle"], "output": "f.glb",
                   "target": "t/{clip}"})") == Files{"t/Walk", "t/Idle"});
  CHECK(mentions(plan_refusal(R"("jobs": [
      {"name": "bake", "rig": "a.glb", "clip": "Walk", "output": "o/x.exr"},
      {"name": "check", "command": "diff", "a": "golden", "b": "o"}])"),
                 "reads 'o'"));
}

TEST_CASE("plan: files beside an input are inputs, and what a rig or a folder names") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "lib/heroes");
  std::ofstream(folder / "lib/heroes/k.gltf")
      << R"({"buffers": [{"uri": "k%20.bin"}, {"uri": "data:,x"}], "images": [{"uri": "../k.png"}]})";
  std::ofstream(folder / "lib/a.pc2") << "cache";
  std::ofstream(folder / "lib/r.json") << "report";
  const std::string k = folder / "lib/heroes/k.gltf";
  const std::vector<std::string> of_rig = files_of_input(k);
  const std::set<std::string> rig(of_rig.begin(), of_rig.end());
  CHECK(rig == std::set<std::string>{k, k + ".json", folder / "lib/heroes/k .bin",
                                     folder / "lib/heroes/../k.png"});
  const std::vector<std::string> of_folder = files_of_input(folder / "lib");
  std::set<std::string> library(of_folder.begin(), of_folder.end()), expected = rig;
  expected.insert({folder / "lib/a.pc2", folder / "lib/a.pc2.json"});
  CHECK(library == expected);
  CHECK(files_of_input("x.exr") == std::vector<std::string>{"x.exr", "x.exr.json", "x.exr.glb"});
  const std::string tasks = R"("jobs": [{"name": "a", "rig": "a.glb", "clip": "Walk", "report": ")";
  const auto replaces = [&](const std::string& report) {
    return plan_refusal(tasks + report + R"("}, {"name": "b", "command": "diff", "a": ")" + k +
                        R"(", "b": "b.glb"}])");
  };
  CHECK(mentions(replaces(folder / "lib/heroes/k .bin"), "OUTPUT_IS_INPUT"));
  CHECK(mentions(replaces("b.glb.json"), "OUTPUT_IS_INPUT"));
  CHECK(replaces(folder / "lib/heroes/other.bin").empty());
}

TEST_CASE("plan: outputs have the ids of clips, also of '#n', FILE#ID and poses of a file") {
  const auto outputs = [](const std::string& clip) {
    return Planned(job(R"("clip": )" + clip + R"(, "output": "{clip}.npy")")).outputs(0);
  };
  using Files = std::vector<std::string>;
  CHECK(outputs(R"("#1")") == Files{"Walk_Back.npy"});
  CHECK(outputs(R"("other.glb#Idle")") == Files{"Idle.npy"});
  CHECK(outputs(R"("other.glb##0")") == Files{"Walk.npy"});
  CHECK(outputs(R"("models/other.glb#all")") == Files{"Walk.npy", "Walk_Back.npy", "Idle.npy"});
  CHECK(outputs(R"("poses:models/arms.json")") == Files{"poses_arms.json.npy"});
  CHECK(outputs(R"("rom:arms")") == Files{"rom_arms.npy"});
  const Planned numbered(job(R"("clip": ["#2", "Idle", "#0"], "output": "{clip}.npy")"));
  CHECK(numbered.clips() == "Idle Walk ");
  // A task of several clips has the outputs of these.
  const Planned two(job(R"("clip": ["Walk", "#2"], "output": "{clip}.npy", "report": "all.json")"));
  CHECK(two.outputs(0) == Files{"Walk.npy", "Idle.npy", "all.json"});
  CHECK(mentions(plan_refusal(R"("jobs": [
      {"name": "a", "rig": "k.glb", "clip": ["a1.glb#Walk", "a2.glb#Walk"], "output": "{clip}.npy"}
      ])"),
                 "both write 'Walk.npy'"));
  CHECK(mentions(plan_refusal(R"("jobs": [
      {"name": "a", "rig": "k.glb", "clip": "#0", "output": "{clip}.npy"},
      {"name": "b", "rig": "k.glb", "clip": "Walk", "output": "{clip}.npy"}])"),
                 "both write 'Walk.npy'"));
}

TEST_CASE("plan: files beside outputs belong to their task") {
  const auto two = [](const std::string& a, const std::string& b) {
    return plan_refusal(R"("jobs": [{"name": "a", "rig": "k.glb", "clip": "Idle", )" + a +
                        R"(}, {"name": "b", "rig": "k.glb", "clip": "Idle", )" + b + "}]");
  };
  const std::string texture = R"("mesh": "Body", "output": "o/x.exr")";
  CHECK(mentions(two(texture, R"("output": "o/x.exr.glb")"), "both write 'o/x.exr.glb'"));
  CHECK(mentions(two(texture, R"("output": "o/x.exr.normals.exr")"), "OUTPUT_TWICE"));
  CHECK(mentions(two(texture, R"("report": "o/x.exr.json")"), "OUTPUT_TWICE"));
  CHECK(two(R"("report": "r")", R"("report": "r.json")").empty());  // a report has no sidecar
  const std::string arrays = R"("per-vertex": "npy", "report": "o/r.json")";
  const auto array = [&](const std::string& first, const std::string& name) {
    return two(first, R"("output": "o/)" + name + "\"");
  };
  CHECK(mentions(array(R"("method": "dqs", )" + arrays, "r.Head.Idle.dqs.per_vertex.npy"),
                 "both write 'o/r.Head.Idle.dqs.per_vertex.npy'"));
  CHECK(array(R"("method": "dqs", )" + arrays, "r.Head.Idle.lbs.per_vertex.npy").empty());
  CHECK(array(R"("mesh": "Body", )" + arrays, "r.Head.Idle.lbs.per_vertex.npy").empty());
  CHECK(array(R"("report": "o/r.json")", "r.Head.Idle.lbs.per_vertex.npy").empty());
  const std::string compared = R"("command": "compare", "method": ["lbs", "dqs:sign=first"],
      "profile": "unity-4", )" +
                               arrays;
  const Planned one("\"jobs\": [{\"rig\": \"k.glb\", " + compared + "}]");
  const std::vector<std::string> files = one.plan->written_files(one.plan->tasks().at(0));
  CHECK(files.size() == 1);  // without a clip, the task fails
  CHECK(mentions(two(compared, R"("output": "o/r.Body.Idle.lbs@unity-4.per_vertex.npy")"),
                 "OUTPUT_TWICE"));
  CHECK(mentions(plan_refusal(R"("jobs": [
      {"name": "a", "command": "diff", "a": "a.pc2", "b": "b.pc2", )" +
                              arrays + R"(},
      {"name": "b", "rig": "k.glb", "clip": "Idle", "output": "o/r.per_vertex.npy"}])"),
                 "OUTPUT_TWICE"));
}

TEST_CASE("plan: a folder that a job reads may have its reports, and those of other jobs") {
  CHECK(plan_refusal(
            R"("jobs": [{"command": "diff", "a": "golden", "b": "out", "report": "out/d.json"},
      {"command": "diff", "a": "golden", "b": "out", "report": "out/e.json"}])")
            .empty());
}

TEST_CASE("plan: an output of a job is a file, and not standard output") {
  const std::string refused = plan_refusal(job(R"("clip": "Walk", "report": "-")"));
  CHECK(mentions(refused, "jobs.json /jobs/0/report"));
  CHECK(mentions(refused, "'report' needs a file"));
  CHECK(mentions(plan_refusal(job(R"("clip": "Walk")"), {{"report", {"-"}}}), "needs a file"));
}

TEST_CASE("plan: {clip} in one report and not in the other is refused") {
  CHECK(mentions(plan_refusal(job(R"("clip": "all", "report": "{clip}.json", "html": "all.html")")),
                 "put {clip} into both or into neither"));
}

TEST_CASE("summary: Markdown shows the values of a state as code") {
  const Planned planned(job(R"("clip": "Idle", "output": "{clip}.npy")"));
  BatchState state("", BatchState::Access::kAppend);
  TaskRecord record;
  record.name = planned.plan->name(planned.plan->tasks().at(0));
  record.exit_code = 1;
  record.checks = {
      {"Body", "Idle", "lbs", "--fail error.max=0 m", "[a](b) \x1b[31m", false, false, 2},
      {"Body", "Idle", "lbs", "--warn error.max=0 m", "[c](d)", false, true, 2}};
  state.append(record);
  const std::vector<std::uint64_t> tasks{0};
  const std::string text = summary_markdown(*planned.plan, tasks, state,
                                            [](const BatchTask&) { return std::string("again"); });
  CHECK(mentions(text, ": `[a](b) \uFFFD[31m` in `Body`"));
  CHECK(mentions(text, "worst: `[c](d)` in `Body`"));
}

TEST_CASE("shards: they are disjoint, cover every task, and have similar costs") {
  std::string jobs;
  for (int i = 0; i < 40; ++i) {
    jobs += std::string(i == 0 ? "" : ",") + R"({"rig": "r)" + std::to_string(i) +
            R"(.glb", "clip": "all", "output": "{rig}.{clip}.npy"})";
  }
  const Planned planned("\"jobs\": [" + jobs + "]");
  double total = 0;
  for (const BatchTask& task : planned.plan->tasks()) total += task.cost;
  for (const std::uint64_t shards : {1, 2, 3, 7, 40, 200}) {
    CAPTURE(shards);
    std::vector<std::uint64_t> all;
    double most = 0;
    for (std::uint64_t s = 1; s <= shards; ++s) {
      const std::vector<std::uint64_t> mine = tasks_of_shard(*planned.plan, s, shards);
      double cost = 0;
      for (const std::uint64_t t : mine) cost += planned.plan->tasks()[t].cost;
      most = std::max(most, cost);
      all.insert(all.end(), mine.begin(), mine.end());
    }
    std::sort(all.begin(), all.end());
    REQUIRE(all.size() == planned.plan->tasks().size());
    CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
    // Graham's bound: 4/3 of the best division, which is at least the mean and the dearest task.
    const double dearest = planned.plan->tasks()[2].cost;
    CHECK(most <= 4.0 / 3 * std::max(total / static_cast<double>(shards), dearest) * 1.0001);
  }
}

TEST_CASE("plan: a task has the frames that its range, its rate and --loop choose") {
  const auto frames = [](const std::string& members) {
    const Planned planned(job(R"("clip": "Walk", )" + members));
    return planned.plan->tasks().at(0).frames;
  };
  CHECK(frames(R"("fps": 24)") == 25);
  CHECK(frames(R"("loop": true)") == 30);
  CHECK(frames(R"("frames": 7)") == 1);
  CHECK(frames(R"("frames": "3:9")") == 7);
  CHECK(frames(R"("frames": "28:")") == 3);
  CHECK(frames(R"("frames": "28:", "loop": true)") == 2);
  CHECK(frames(R"("frames": "3:10:2")") == 4);
  CHECK(frames(R"("frames": "3::9")") == 4);
  for (const char* wrong : {"", ":", "x", "31:46", "9:3", "3:9:0", "1:2:x"}) {
    CHECK(frames(R"("frames": ")" + std::string(wrong) + "\"") == 31);
  }
}

TEST_CASE("plan: a task has the frames of the clips that it evaluates, also of other files") {
  const auto frames = [](const std::string& members) {
    const Planned planned(job(members));
    return planned.plan->tasks().at(0).frames;
  };
  CHECK(frames(R"("clip": "other.glb#Walk_Back", "report": "{clip}.json")") == 61);
  CHECK(frames(R"("clip": "other.glb#Run", "report": "{clip}.json")") == 1);  // not known
  CHECK(frames(R"("clip": ["Walk", "Idle"], "report": "all.json")") == 31 + 91);
  CHECK(frames(R"("clip": ["Walk", "other.glb#Idle"], "report": "all.json")") == 31 + 91);
}

TEST_CASE("plan: defaults and overrides that a job's command cannot take are refused") {
  const std::string jobs = R"("jobs": [{"name": "b", "rig": "k.glb", "output": ["x.pc2", "y.npy"]},
      {"name": "f", "command": "fit", "rig": "k.glb")";
  CHECK(plan_refusal(jobs + R"(, "output": "f.glb"}])") == "");
  CHECK(plan_refusal(R"("defaults": {"output": "f.glb"}, )" + jobs + "}]") == "");
  const std::string lists = R"("defaults": {"output": ["f.glb", "g.glb"]}, )" + jobs;
  CHECK(mentions(plan_refusal(lists + "}]"), "jobs.json /defaults/output: the command of job 'f'"));
  CHECK(plan_refusal(lists + R"(, "output": "f.glb"}])") == "");
  CHECK(plan_refusal(lists + R"(, "output": null}])") == "");
  const std::vector<Setting> two{{"output", {"x.glb", "y.glb"}}};
  CHECK(mentions(plan_refusal(jobs + "}]", two), "OVERRIDE_INVALID the command of job 'f'"));
  CHECK(plan_refusal(jobs + "}]", two, {"b"}) == "");
}

TEST_CASE("plan: defaults and overrides that no job's command has are refused") {
  const std::string bake = R"("jobs": [{"name": "b", "rig": "k.glb"}])";
  CHECK(mentions(plan_refusal(R"("defaults": {"profile": "unity-4"}, )" + bake),
                 "/defaults/profile"));
  CHECK(mentions(plan_refusal(bake, {{"profile", {"unity-4"}}}), "no job's command (bake)"));
  CHECK(plan_refusal(bake, {{"profile", {}, true}}) == "");
  CHECK(plan_refusal(R"("defaults": {"profile": "unity-4"}, "jobs": [])") == "");
  const std::string both = R"("jobs": [{"name": "b", "rig": "k.glb"},
      {"name": "c", "command": "compare", "rig": "k.glb"}])";
  CHECK(plan_refusal(R"("defaults": {"profile": "unity-4", "loop": true}, )" + both) == "");
  CHECK(plan_refusal(both, {{"profile", {"unity-4"}}}) == "");
  CHECK(mentions(plan_refusal(both, {{"profile", {"unity-4"}}}, {"b"}),
                 "OVERRIDE_INVALID 'profile' is an option of no job"));
}

}  // namespace skinbake::test
