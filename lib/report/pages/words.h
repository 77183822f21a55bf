// Words of pages: names that are safe in HTML, XML and Markdown, numbers as people write them, and
// places of values.

#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace skinbake {

// ---- Names

// For text and for quoted attributes of HTML and XML.
std::string escaped(std::string_view text);

// For Markdown, inside tables too: inline code that shows every character literally.
std::string markdown_code(std::string_view text);

// For Markdown: plain words as they are, other text as markdown_code().
std::string markdown_words(std::string_view text);

// The most characters of a name that are displayed, and of one by which a script finds it or that a
// tooltip has: names of files may have millions.
inline constexpr std::size_t kLongestShown = 400, kLongestKey = 1000;

// The first `count` characters, followed by … if the text is longer.
std::string shortened(std::string_view text, std::size_t count);

// "max_loss" as "max loss".
std::string key_words(std::string_view key);

// "volume.max_loss" as "volume: max loss".
std::string path_words(std::string_view path);

// "rest pose" for the empty id.
std::string_view clip_words(std::string_view clip);

// ---- Numbers

// Three digits. Thousands are apart from 10 000 on; powers of ten are of numbers that have no other
// short form.
std::string read_number(double value);

// The number with its unit, as with_unit() adds it: a ratio in %, and 0 below the rounding of
// float32 positions.
std::string read_with_unit(std::optional<double> value, std::string_view unit);

// The unit that a key carries, "m" of "error_m"; empty: none.
std::string_view unit_of_key(std::string_view key);

// ---- Places

// "vertex 12", "point 7000" inside a face, "triangle 3", "edge 4 5"; empty: the place has none.
std::string element_words(const nlohmann::ordered_json& place);

// "arms up, frame 30, vertex 12, joint elbow.L"; empty: not a place.
std::string place_words(const nlohmann::ordered_json& place);

// Any value in one line: an object as "key value, …".
std::string value_words(const nlohmann::ordered_json& value, std::string_view unit = "");

}  // namespace skinbake
