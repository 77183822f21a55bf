// Pairs of two libraries: files by their paths, meshes and clips by their names.

#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace skinbake {

// Names of A with the names that B has for them.
using RenamedNames = std::map<std::string, std::string>;

struct NamePairs {
  struct Pair {
    std::size_t a, b;  // indices
  };
  std::vector<Pair> pairs;                  // in the order of A
  std::vector<std::size_t> only_a, only_b;  // names without a partner
};

// Pairs names that are equal, or that `renamed` pairs. Each name has at most one partner: the first
// free name.
NamePairs pair_names(std::span<const std::string> a, std::span<const std::string> b,
                     const RenamedNames& renamed = {});

struct LibraryFile {
  std::string name;  // its path in the library: "heroes/knight.glb"
  std::string path;  // as it is opened
};

// The files in a folder and its folders, sorted by name. Hidden files and links to folders are left
// out. Throws Error (kInput): FILE_UNREADABLE if a folder cannot be read, LIBRARY_TOO_LARGE if
// there are more than a million files.
std::vector<LibraryFile> files_in_library(const std::string& folder);

struct FilePair {
  std::string name;  // the path without its extension; with it if A has two files of that path
  std::string a, b;  // paths
};

struct FilePairs {
  std::vector<FilePair> pairs;              // sorted by name
  std::vector<std::string> only_a, only_b;  // names of the libraries' files, with extensions
};

// Pairs files by their names, then the remaining files by their names without extension, if one
// file of each side has the name. `renamed` has names without extension.
FilePairs pair_files(std::span<const LibraryFile> a, std::span<const LibraryFile> b,
                     const RenamedNames& renamed = {});

}  // namespace skinbake
