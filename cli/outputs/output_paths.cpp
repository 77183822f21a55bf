// Paths of outputs, and of the inputs that they must not replace.

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/nearest_word.h"
#include "base/output_file.h"
#include "json/text.h"
#include "outputs/output_paths.h"
#include "skinbake/caches.h"
#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

// Two outputs may have the same device, such as /dev/null.
bool is_device(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace

std::string expand(const std::string& pattern, const OutputNames& names, const std::string& what) {
  std::string path;
  for (std::size_t i = 0; i < pattern.size();) {
    const std::size_t close = pattern[i] == '{' ? pattern.find('}', i) : std::string::npos;
    if (close == std::string::npos) {
      path += pattern[i++];
      continue;
    }
    const std::string key = pattern.substr(i + 1, close - i - 1);
    if (key == "mesh") {
      path += file_name_of(names.mesh);
    } else if (key == "clip") {
      path += file_name_of(names.clip);
    } else if (key == "method") {
      path += file_name_of(names.method);
    } else {
      throw Error("PLACEHOLDER_UNKNOWN", what + " '" + pattern + "': no {" + key +
                                             "}; there are {mesh}, {clip} and {method}" +
                                             did_you_mean(key, {"mesh", "clip", "method"}));
    }
    i = close + 1;
  }
  return path;
}

std::string names_twice(const std::vector<std::string>& patterns, const std::string& placeholder,
                        const std::vector<std::string>& ids) {
  const auto has_placeholder = [&](const std::string& pattern) {
    return pattern.find(placeholder) != std::string::npos;
  };
  if (std::none_of(patterns.begin(), patterns.end(), has_placeholder)) return "";
  std::map<std::string, std::string> id_of;
  for (const std::string& id : ids) {
    const auto [other, is_new] = id_of.emplace(file_name_of(id), id);
    if (is_new) continue;
    return "'" + other->second + "' and '" + id + "' both give the name '" + other->first +
           "' for " + placeholder;
  }
  return "";
}

void refuse_binds(const std::vector<std::string>& paths, const std::string& folder) {
  if (folder.empty()) return;
  const std::filesystem::path binds = file_keys(folder).front();
  for (const std::string& path : paths) {
    const std::filesystem::path output = file_keys(path).front();
    const bool is_bind = output.extension() == ".skbind" && output.parent_path() == binds;
    if (!is_bind && output != binds) continue;
    throw Error("OUTPUT_IS_INPUT", "output '" + path + "' would replace " +
                                       (is_bind ? "a file of " : "") + "the bind cache '" + folder +
                                       "'");
  }
}

void require_distinct(const std::vector<std::string>& paths,
                      const std::function<std::string(const std::string& path)>& note) {
  std::map<std::string, const std::string*> path_of;
  for (const std::string& path : paths) {
    if (is_device(path)) continue;
    for (const std::string& key : file_keys(path)) {
      const auto [first, is_new] = path_of.emplace(key, &path);
      if (is_new || first->second == &path) continue;
      const std::string& other = *first->second;
      throw Error("OUTPUT_TWICE",
                  (other == path ? "two outputs have the path '" + path + "'"
                                 : "the outputs '" + other + "' and '" + path + "' are one file") +
                      "; name them differently" + (note ? note(path) : ""));
    }
  }
}

std::vector<std::string> possible_auxiliary_files_of(const std::string& path) {
  const CacheFormat* format = nullptr;
  try {
    format = &cache_format_of(path);
  } catch (const Error&) {
    return {};
  }
  return format->possible_auxiliary_files == nullptr ? std::vector<std::string>{}
                                                     : format->possible_auxiliary_files(path);
}

void InputFiles::add(const std::vector<std::string>& paths, const std::string& role) {
  for (const std::string& path : paths) add(path, role);
}

void InputFiles::add(const Asset& asset) {
  const std::vector<NamedInput> read = named_inputs(asset.files, asset.inputs);
  inputs_.insert(inputs_.end(), read.begin(), read.end());
  add(asset.unread_files, "buffer or image");
}

void InputFiles::add_cache(const std::string& path) {
  add(path, "");
  const auto add_beside = [&](const std::string& file, const char* role) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) add(file, role);
  };
  add_beside(path + ".json", "sidecar");
  const CacheFormat* const format = find_cache_format_of(path);
  if (format == nullptr || format->possible_auxiliary_files == nullptr) return;
  for (const std::string& file : format->possible_auxiliary_files(path)) {
    add_beside(file, "auxiliary file");
  }
}

}  // namespace skinbake::cli
