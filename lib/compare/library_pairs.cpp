#include "compare/library_pairs.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostFiles = 1'000'000;

// "heroes/knight" of "heroes/knight.glb".
std::string without_extension(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t dot = name.rfind('.');
  const bool has_extension =
      dot != std::string::npos && dot != 0 && (slash == std::string::npos || dot > slash + 1);
  return has_extension ? name.substr(0, dot) : name;
}

std::vector<std::string> names_of(std::span<const LibraryFile> files) {
  std::vector<std::string> names;
  for (const LibraryFile& file : files) names.push_back(file.name);
  return names;
}

// The files that are left, by their names without extension, if no other file has the name.
struct Stems {
  std::vector<std::string> names;
  std::vector<std::size_t> files;
};

Stems stems_of(std::span<const LibraryFile> files, const std::vector<std::size_t>& left) {
  std::map<std::string, std::size_t> count;
  for (const std::size_t f : left) ++count[without_extension(files[f].name)];
  Stems stems;
  for (const std::size_t f : left) {
    const std::string stem = without_extension(files[f].name);
    if (count[stem] > 1) continue;
    stems.names.push_back(stem);
    stems.files.push_back(f);
  }
  return stems;
}

void list_folder(const std::string& folder, const std::string& prefix,
                 std::vector<LibraryFile>& files) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (const std::filesystem::directory_iterator end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    std::error_code unknown;
    if (entry->is_directory(unknown) && !entry->is_symlink(unknown)) {
      list_folder(entry->path().string(), prefix + name + "/", files);
    } else if (entry->is_regular_file(unknown)) {
      files.push_back({prefix + name, entry->path().string()});
    }
    if (files.size() > kMostFiles) {
      throw Error("LIBRARY_TOO_LARGE", "has more than a million files", {folder, ""});
    }
  }
  if (!error) return;
  throw Error("FILE_UNREADABLE", "the folder cannot be read: " + error.message(), {folder, ""});
}

}  // namespace

NamePairs pair_names(std::span<const std::string> a, std::span<const std::string> b,
                     const RenamedNames& renamed) {
  std::multimap<std::string, std::size_t> left;
  for (std::size_t i = 0; i < b.size(); ++i) left.emplace(b[i], i);
  NamePairs result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto other = renamed.find(a[i]);
    const auto found = left.find(other == renamed.end() ? a[i] : other->second);
    if (found == left.end()) {
      result.only_a.push_back(i);
      continue;
    }
    result.pairs.push_back({i, found->second});
    left.erase(found);
  }
  for (const auto& [name, i] : left) result.only_b.push_back(i);
  std::sort(result.only_b.begin(), result.only_b.end());
  return result;
}

std::vector<LibraryFile> files_in_library(const std::string& folder) {
  std::vector<LibraryFile> files;
  list_folder(folder, "", files);
  std::sort(files.begin(), files.end(),
            [](const LibraryFile& x, const LibraryFile& y) { return x.name < y.name; });
  return files;
}

FilePairs pair_files(std::span<const LibraryFile> a, std::span<const LibraryFile> b,
                     const RenamedNames& renamed) {
  FilePairs result;
  std::map<std::string, std::size_t> stems;  // how many files of A have the name
  for (const LibraryFile& file : a) ++stems[without_extension(file.name)];
  const auto add = [&](std::size_t of_a, std::size_t of_b) {
    const std::string stem = without_extension(a[of_a].name);
    result.pairs.push_back({stems[stem] > 1 ? a[of_a].name : stem, a[of_a].path, b[of_b].path});
  };
  const NamePairs equal = pair_names(names_of(a), names_of(b));
  for (const NamePairs::Pair& pair : equal.pairs) add(pair.a, pair.b);
  const Stems left_a = stems_of(a, equal.only_a), left_b = stems_of(b, equal.only_b);
  const NamePairs like = pair_names(left_a.names, left_b.names, renamed);
  std::vector<bool> is_paired_a(a.size()), is_paired_b(b.size());
  for (const NamePairs::Pair& pair : like.pairs) {
    const std::size_t of_a = left_a.files[pair.a], of_b = left_b.files[pair.b];
    add(of_a, of_b);
    is_paired_a[of_a] = is_paired_b[of_b] = true;
  }
  for (const std::size_t f : equal.only_a) {
    if (!is_paired_a[f]) result.only_a.push_back(a[f].name);
  }
  for (const std::size_t f : equal.only_b) {
    if (!is_paired_b[f]) result.only_b.push_back(b[f].name);
  }
  std::sort(result.pairs.begin(), result.pairs.end(),
            [](const FilePair& x, const FilePair& y) { return x.name < y.name; });
  return result;
}

}  // namespace skinbake
