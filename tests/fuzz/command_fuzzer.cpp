// Fuzzes whole command lines, which run in a temporary folder with a small rig, a cache and a
// report. The options come from the commands themselves, and most values from lists, so that many
// lines are accepted. A line that is refused leaves every file as it was.

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "command_line.h"
#include "gltf/small_rig.h"
#include "options/parsing/usage_error.h"
#include "skinbake/error.h"
#include "support/temporary_folder.h"

using namespace skinbake;

namespace {

using Files = std::map<std::string, std::string>;

// All commands with their options, of which command lines are made.
const CLI::App& all_commands() {
  static CLI::App app;
  static int exit_code = 0;
  if (app.get_subcommands({}).empty()) cli::add_program(app, exit_code);
  return app;
}

// Runs a command line. Returns whether it was accepted and its inputs were read.
bool run(std::vector<std::string> words) {
  CLI::App app;
  int exit_code = 0;
  cli::add_program(app, exit_code, words.front());
  app.require_subcommand(1);
  std::reverse(words.begin(), words.end());  // as CLI11 takes them
  try {
    app.parse(words);
    return true;
  } catch (const CLI::Success&) {
    return true;
  } catch (const CLI::ParseError&) {
  } catch (const cli::UsageError&) {
  } catch (const Error&) {
  }
  return false;
}

constexpr const char* kPaths[] = {"rig.gltf", "rig.gltf",     "a.pc2",   "b.npy",    "r.json",
                                  "s.json",   "{mesh}.pc2",   "x.glb",   "x.mdd",    "x.npy",
                                  "x.usda",   "x.exr",        "x.png",   "x.html",   "x.md",
                                  "x.xml",    "{method}.pc2", "missing", "map.json", "jobs.json",
                                  "-",        "p.pc2",        "q.pc2",   "p.json",   "q.json"};
constexpr const char* kValues[] = {"lbs",
                                   "dqs",
                                   "cor",
                                   "dqs:sign=temporal",
                                   "sbs",
                                   "lbs,dqs",
                                   "exact",
                                   "all",
                                   "auto",
                                   "none",
                                   "error",
                                   "error,volume",
                                   "bend",
                                   "body",
                                   "elbow",
                                   "elbow:n=2",
                                   "0",
                                   "1",
                                   "2",
                                   "3",
                                   "-1",
                                   "0.5",
                                   "30",
                                   "1e-9",
                                   "1e300",
                                   "nan",
                                   "inf",
                                   "5%",
                                   "1mm",
                                   "0:3",
                                   "1:",
                                   "::2",
                                   "3:1",
                                   "unreal-4",
                                   "u8",
                                   "u16",
                                   "4",
                                   "y",
                                   "z",
                                   "scene",
                                   "mesh",
                                   "bind",
                                   "rest",
                                   "first-frame",
                                   "geometric",
                                   "skinned",
                                   "json",
                                   "npy",
                                   "glb:quantize=1",
                                   "glb:normals=1,meshopt=1",
                                   "npy:precision=half",
                                   "always",
                                   "never",
                                   "1M",
                                   "64M",
                                   "methods",
                                   "formats",
                                   "metrics",
                                   "auto:0.01",
                                   ""};

// Words that a value is searched in for an option, by a part of the option's name.
struct Values {
  const char* option;
  std::span<const char* const> values;
};
constexpr const char *kMethods[] = {"lbs", "dqs", "cor", "dqs:sign=first", "sbs", "ddm", "lbs,dqs"},
                     *kNumbers[] = {"0", "1", "0.5", "1e-6", "30", "10"},
                     *kFrames[] = {"0:3", "1:2", "::2", "3"},
                     *kMetrics[] = {"all", "error", "volume,error", "bulge", "in_between"},
                     *kOutputs[] = {"x.pc2",  "x.glb", "x.npy",        "x.mdd",
                                    "x.usda", "x.exr", "{method}.npy", "{mesh}.{clip}.pc2",
                                    "a.pc2"},
                     *kReports[] = {"x.json", "-", "r.json"}, *kThreads[] = {"1", "2"};
constexpr Values kKnown[] = {
    {"--method", kMethods},  {"--reference", kMethods}, {"--fps", kNumbers},
    {"--fail", kNumbers},    {"--warn", kNumbers},      {"--frames", kFrames},
    {"--metrics", kMetrics}, {"--output", kOutputs},    {"--report", kReports},
    {"--threads", kThreads}, {"--scale", kNumbers},     {"--max-frames", kThreads}};

std::string value_of(FuzzedDataProvider& input, const std::string& option) {
  const auto choice = input.ConsumeIntegralInRange(0, 15);
  if (choice == 0) {
    std::string text = input.ConsumeRandomLengthString(12);
    std::erase_if(text, [](char c) { return c == '/' || c == '\0'; });  // stays in the folder
    return text;
  }
  for (const Values& known : kKnown) {
    if (choice > 5 && option.starts_with(known.option)) {
      return known.values[input.ConsumeIntegralInRange<std::size_t>(0, known.values.size() - 1)];
    }
  }
  return choice % 3 == 0 ? input.PickValueInArray(kPaths) : input.PickValueInArray(kValues);
}

// A command with some of its options.
std::vector<std::string> words_of(FuzzedDataProvider& input) {
  const auto commands = all_commands().get_subcommands({});
  const auto pick = [&](std::size_t count) {
    return input.ConsumeIntegralInRange<std::size_t>(0, count - 1);
  };
  const CLI::App* const command = commands[pick(commands.size())];
  std::vector<std::string> words{command->get_name()};
  const auto options = command->get_options();
  for (const CLI::Option* option : options) {
    if (option->get_positional() && input.ConsumeIntegralInRange(0, 15) != 0) {
      words.emplace_back(input.ConsumeBool() ? "rig.gltf" : input.PickValueInArray(kPaths));
    }
  }
  const auto count = input.ConsumeIntegralInRange<std::size_t>(0, 7);
  for (std::size_t i = 0; i < count; ++i) {
    const CLI::Option& option = *options[pick(options.size())];
    if (option.get_lnames().empty()) continue;
    const std::string name = "--" + option.get_lnames().front();
    words.push_back(name);
    if (option.get_items_expected_max() > 0) words.push_back(value_of(input, name));
  }
  return words;
}

// A folder with the files that command lines name.
class Folder {
 public:
  // The working directory, while this object lives. The fuzzer reads its seeds in another one.
  class Inside {
   public:
    explicit Inside(const Folder& folder) { std::filesystem::current_path(folder.folder_.path()); }
    ~Inside() { std::filesystem::current_path(outside_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    const std::filesystem::path outside_ = std::filesystem::current_path();
  };

  Folder() {
    const Inside inside(*this);
    test::write_file("rig.gltf", std::string(fuzz::kSmallRig));
    test::write_file("map.json", R"({"elbow": "arm"})");
    test::write_file("jobs.json", R"({"schema": "skinbake.batch", "schema_version": "1.0",
        "jobs": [{"rig": "*.gltf", "clip": "all", "method": "dqs", "output": "{mesh}.{clip}.pc2"},
                 {"command": "diff", "a": "a.pc2", "b": "b.npy", "report": "x.json"}]})");
    const bool has_inputs =
        run({"bake", "rig.gltf", "-q", "-o", "a.pc2", "--report", "r.json"}) &&
        run({"bake", "rig.gltf", "-q", "-m", "dqs", "-o", "b.npy", "--report", "s.json"}) &&
        run({"bake", "rig.gltf", "-q", "--frames", "0:0", "-o", "p.pc2", "--report", "p.json",
             "--part"}) &&
        run({"bake", "rig.gltf", "-q", "--frames", "1:", "-o", "q.pc2", "--report", "q.json",
             "--part"});
    if (!has_inputs) std::abort();
    inputs_ = files();
  }

  // The files in the folder; folders, such as that of a bind cache, may stay.
  Files files() const {
    Files found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (!entry.is_regular_file()) continue;
      found[entry.path().filename().string()] = test::read_file(entry.path().string());
    }
    return found;
  }
  const Files& inputs() const { return inputs_; }

  void restore() {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::filesystem::remove_all(entry);
    }
    for (const auto& [name, bytes] : inputs_) test::write_file(folder_ / name, bytes);
  }

 private:
  test::TemporaryFolder folder_;
  Files inputs_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Folder folder;
  FuzzedDataProvider input(data, size);
  const Folder::Inside inside(folder);
  const bool was_accepted = run(words_of(input));
  std::cout.clear();
  const Files after = folder.files();
  if (!was_accepted && after != folder.inputs()) std::abort();
  if (after != folder.inputs()) folder.restore();
  return 0;
}
