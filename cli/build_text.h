// What this program was built from, for reports of bugs: --version --verbose.

#pragma once

#include <string>

namespace skinbake::cli {

// Known when the program is built; cmake/build_facts.cmake writes them.
struct BuildFacts {
  const char* git;        // git describe; empty: not built from a repository
  const char* compiler;   // "GNU 12.2.0, Release"
  const char* libraries;  // "oneTBB 2021.8.0, OpenEXR 3.1.5"
};
BuildFacts build_facts();

// Lines of "name: value": build id, commit, compiler, instruction sets, versions of libraries.
std::string build_text();

}  // namespace skinbake::cli
