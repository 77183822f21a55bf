// --format glb:interpolation=step

#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "skinbake/caches.h"

namespace skinbake::cli {

using FormatOptions = std::map<std::string, std::string>;

// Whether a format has an option of that name.
bool takes(const CacheFormat& format, const std::string& name);

// Ids of the formats that have an option of that name: "glb, usda"; empty: none.
std::string formats_taking(const std::string& name);

// What the texts, each ID:NAME=VALUE,…, say to a format. Throws Error (kUsage) if one has another
// form or names no format, CLI::ValidationError if two contradict each other.
FormatOptions options_of(const CacheFormat& format, const std::vector<std::string>& texts);

// Throws the same, and CLI::ValidationError if a text is for a format that no output has.
void require_outputs_of(const std::vector<std::string>& texts,
                        const std::vector<std::string>& outputs);

// --precision single|half: of outputs that have a choice.
void add_precision_option(CLI::App& command, bool& half);

// Half precision for an output that has it, unless its options say otherwise.
void set_precision(const std::string& output, bool half, FormatOptions& options);

// Throws CLI::ValidationError if none of the outputs would have half precision.
void require_half_precision(const std::vector<std::string>& outputs,
                            const std::vector<std::string>& texts);

}  // namespace skinbake::cli
