// Writes a report with the line breaks and the order of keys of another one, whose values differ.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace skinbake {

// The text of `json`, with the white space of `model`, the text of a report. Members that `json`
// does not have are left out. Preconditions: the model is valid JSON; an object of `json` has only
// members that the object in the same place of the model has; an array of objects has as many as in
// the model. Arrays of numbers may have other lengths, and a place may be in the place of a null.
std::string text_like(std::string_view model, const nlohmann::json& json);

}  // namespace skinbake
