#include "batch/files/own_files.h"

#include <algorithm>
#include <filesystem>

namespace skinbake::cli {

BatchFiles own_files(const std::string& manifest, const std::vector<std::string>& states,
                     const BatchPages& pages, const std::vector<std::string>& built,
                     const BatchPlan& plan) {
  BatchFiles own;
  const auto add = [](std::vector<NamedInput>& files, const std::string& path, const char* role) {
    if (!path.empty() && path != "-") files.push_back({path, role});
  };
  add(own.read, manifest == "-" ? "" : std::filesystem::path(manifest).filename().string(),
      "manifest");
  for (const std::string& path : states) add(own.read, path, "state");
  add(own.written, pages.summary, "summary");
  add(own.written, pages.junit, "JUnit file");
  add(own.written, pages.markdown, "Markdown file");
  add(own.written, pages.html, "web page");
  for (const std::string& path : built) add(own.written, path, "build file");

  std::vector<NamedInput> inputs = own.read;
  for (const PlannedRig& rig : plan.rigs()) {
    inputs.push_back({rig.path, "rig"});
    if (!rig.facts) continue;
    for (const std::string& file : rig.facts->files) inputs.push_back({file, "file of a rig"});
  }
  std::vector<std::string> places;
  for (const NamedInput& file : own.written) {
    require_no_input({file.path}, inputs);
    const std::string place = file_keys(file.path).front();
    if (std::find(places.begin(), places.end(), place) != places.end()) {
      throw Error(ErrorKind::kUsage, "OUTPUT_TWICE",
                  "the " + file.role + " '" + file.path +
                      "' and another result are one file; choose another name");
    }
    places.push_back(place);
  }
  return own;
}

}  // namespace skinbake::cli
