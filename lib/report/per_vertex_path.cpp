#include "skinbake/tool/report/per_vertex_path.h"

#include <filesystem>

#include "skinbake/tool/words/id_name.h"

namespace skinbake {

std::string per_vertex_path(const std::string& report, const std::vector<std::string>& names) {
  std::string ids;
  for (const std::string& name : names) ids += (ids.empty() ? "" : ".") + file_name_of(name);
  std::filesystem::path path(report);
  path.replace_extension();
  // file_name_of() also limits the length of the joined ids.
  return path.string() + (ids.empty() ? "" : "." + file_name_of(ids)) + ".per_vertex.npy";
}

}  // namespace skinbake
