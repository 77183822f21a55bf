// Reads ranges of muscles: {"leftForearmTwist": [-90, 90], …}.

#include "gltf/document/message_text.h"
#include "gltf/user_file/user_json.h"
#include "humanoid/muscles/muscles.h"
#include "json/json_text.h"
#include "skinbake/gltf.h"

namespace skinbake {

namespace {

constexpr double kMost_deg = 180;  // beyond it a pose does not determine the angle

// NaN unless the value is a number.
double number_at(const nlohmann::json& list, std::size_t i) {
  return list[i].is_number() ? list[i].get<double>() : NAN;
}

MuscleRange range_of(const gltf::UserFile& file, const std::string& name,
                     const nlohmann::json& value) {
  const auto fail = [&](const std::string& message) {
    gltf::fail_in(file, "muscle " + gltf::in_quotes(name), "/" + pointer_token(name), message);
  };
  if (muscle(name) == nullptr) {
    fail("does not exist");
  }
  if (!value.is_array() || value.size() != 2) {
    fail("is not a list of two angles");
  }
  const MuscleRange range{number_at(value, 0), number_at(value, 1)};
  if (!(range.min_deg >= -kMost_deg && range.max_deg <= kMost_deg)) {
    fail("has an angle that is not a number from -180 to 180");
  }
  if (!(range.min_deg <= range.max_deg)) {
    fail("has a least angle above its greatest angle");
  }
  if (!(range.min_deg <= 0 && range.max_deg >= 0)) {
    fail("has a range without 0 degrees, which is the T-pose");
  }
  return range;
}

}  // namespace

MuscleRangesFile load_muscle_ranges(const std::string& path) {
  const gltf::UserFile file{path, "the file of muscle ranges", "MUSCLE_RANGES_INVALID"};
  const gltf::UserJson json = gltf::read_user_json(file);
  MuscleRangesFile result{{}, json.input};
  for (const auto& [name, value] : json.value.items()) {
    result.ranges[name] = range_of(file, name, value);
  }
  return result;
}

}  // namespace skinbake
