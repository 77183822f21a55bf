// --explain: what moves the vertices that are farthest from the reference.

#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "skinbake/skinbake.h"

namespace skinbake::cli {

// What moves the vertices, where the runs do not say it: caches may come from anywhere.
struct Mover {
  const Rig* rig = nullptr;
  const Clip* clip = nullptr;  // null: the rest pose
  std::string method;
};

// Of each method of the report the `count` vertices with the largest errors, the worst first, each
// at its worst frame. Vertices without an error are not among them.
std::vector<Explanation> explain_worst(const Report& report, std::size_t count,
                                       const std::optional<Mover>& mover = {});

// Adds --explain.
CLI::Option* add_explain_option(CLI::App& command, int& vertices);

}  // namespace skinbake::cli
