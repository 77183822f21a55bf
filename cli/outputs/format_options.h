// --format glb:interpolation=step and --precision half: options of cache formats.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "skinbake/caches.h"

namespace skinbake::cli {

using FormatOptions = std::map<std::string, std::string>;

// Whether a format has the option.
bool takes(const CacheFormat& format, const std::string& name);

// Ids of the formats that have the option: "glb, usda"; empty: none.
std::string formats_taking(const std::string& name);

// The options of a format in the texts, each ID:NAME=VALUE,…. Throws Error (kUsage) if a text does
// not have this form or names an unknown format, UsageError if two contradict each other.
FormatOptions options_of(const CacheFormat& format, const std::vector<std::string>& texts);

// Throws the same errors as above, and UsageError if no output has the format of a text.
void require_outputs_of(const std::vector<std::string>& texts,
                        const std::vector<std::string>& outputs);

// Sets half precision for an output whose format has it, unless its options contain a precision.
void set_precision(const std::string& output, bool half, FormatOptions& options);

// Throws UsageError if none of the outputs would have half precision.
void require_half_precision(const std::vector<std::string>& outputs,
                            const std::vector<std::string>& texts);

}  // namespace skinbake::cli
