// Fuzzes whole command lines, which run in a temporary folder with a small rig, a cache and a
// report. A line that is refused leaves every file as it was.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>

#include "command/small_humanoid.h"
#include "command/words.h"
#include "command_line.h"
#include "gltf/small_rig.h"
#include "options/usage_error.h"
#include "skinbake/error.h"
#include "support/temporary_folder.h"

using namespace skinbake;

namespace {

using Files = std::map<std::string, std::string>;

// Runs a command line. Returns whether it was accepted and its inputs were read.
bool run(fuzz::Words words) {
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
    const std::string man = fuzz::small_humanoid();
    test::write_file("man.gltf", man);
    std::string other = man;
    other.replace(other.find("wave"), 4, "Wave");
    for (const auto& [folder, text] : {std::pair("old", man), {"new", other}}) {
      std::filesystem::create_directory(folder);
      test::write_file(std::string(folder) + "/man.gltf", text);
      test::write_file(std::string(folder) + "/rig.gltf", std::string(fuzz::kSmallRig));
    }
    test::write_file("map.json", R"({"elbow": "arm"})");
    const std::string bakes =
        R"({"rig": "*.gltf", "clip": "all", "method": "dqs", "output": "{mesh}.{clip}.pc2"})";
    const std::string diff =
        R"({"command": "diff", "a": "a.pc2", "b": "b.npy", "report": "x.json"})";
    const std::string head = R"({"schema": "skinbake.batch", "schema_version": "1.0", "jobs": [)";
    test::write_file("bakes.json", head + bakes + "]}");
    test::write_file("jobs.json", head + bakes + ", " + diff + "]}");
    const bool has_inputs =
        run({"bake", "rig.gltf", "-q", "-o", "a.pc2", "--report", "r.json"}) &&
        run({"bake", "rig.gltf", "-q", "-m", "dqs", "-o", "b.npy", "--report", "s.json"}) &&
        run({"compare", "rig.gltf", "-q", "--method", "lbs", "--method", "dqs", "--metrics", "all",
             "--report", "c.json"}) &&
        run({"compare", "man.gltf", "-q", "--method", "lbs", "--method", "dqs", "--report",
             "m.json"}) &&
        run({"diff", "a.pc2", "b.npy", "-q", "--report", "d.json"}) &&
        run({"diff", "old", "new", "-q", "--report", "l.json"}) &&
        run({"fit", "rig.gltf", "-q", "--correctives", "2", "-o", "fit.glb", "--report",
             "f.json"}) &&
        run({"golden", "bakes.json", "-q", "-o", "golds"});
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
      const std::string name = entry.path().filename().string();
      const bool is_kept = name == "old" || name == "new" || name == "golds";
      if (!is_kept) std::filesystem::remove_all(entry);
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
  const fuzz::Words words = fuzz::words_of(data, size);
  if (words.empty()) return 0;
  const Folder::Inside inside(folder);
  // The tasks of a manifest have outputs of their own.
  const bool was_accepted = run(words) || words.front() == "golden";
  std::cout.clear();
  const Files after = folder.files();
  if (!was_accepted && after != folder.inputs()) std::abort();
  if (after != folder.inputs()) folder.restore();
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  return fuzz::mutate_words(data, size, max_size, seed);
}
