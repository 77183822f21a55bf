// Access to the members of untrusted JSON, whose types are not known.

#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

namespace skinbake::gltf {

// The member of an object; null if the value is no object or does not have the member.
inline const nlohmann::json& member(const nlohmann::json& object, const char* key) {
  static const nlohmann::json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

// An integer of 0 or more, or none. Numbers such as 1.0 and 1e2 are integers in JSON; beyond 2^53
// they are not exact.
inline std::optional<std::uint64_t> whole_number(const nlohmann::json& value) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  const double number = value.is_number_float() ? value.get<double>() : -1;
  const bool is_whole =
      number >= 0 && number <= static_cast<double>(kMost) && number == std::floor(number);
  return is_whole ? std::optional(static_cast<std::uint64_t>(number)) : std::nullopt;
}

// The index of one of `count` elements, or none.
inline std::optional<std::size_t> index_below(std::uint64_t count, const nlohmann::json& value) {
  const std::optional<std::uint64_t> number = whole_number(value);
  return number && *number < count ? std::optional(static_cast<std::size_t>(*number))
                                   : std::nullopt;
}

}  // namespace skinbake::gltf
