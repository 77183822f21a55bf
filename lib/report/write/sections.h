// Sections of the report document.

#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "json/input_files.h"
#include "report/report.h"

namespace skinbake {

// ---- Meshes and runs

OrderedJson mesh_json(const MeshRecord& mesh, PerVertex per_vertex);
OrderedJson body_json(const BodyRecord& body);

OrderedJson run_json(const Rig& rig, const RunRecord& run, PerVertex per_vertex);

OrderedJson section_json(const MetricResult& section, const NamedFrames& frames);

// The distances of fitted influences.
OrderedJson influence_fit_json(const InfluenceFitErrors& fit);

// ---- Sections that a command or an option adds

OrderedJson issues_json(const Issues& issues);
OrderedJson verification_json(const Report& report);
OrderedJson library_json(const LibraryRecord& library);
OrderedJson rig_data_json(const std::vector<RigDataDifference>& differences);
OrderedJson explanations_json(const std::vector<Explanation>& explanations);
OrderedJson recommendation_json(const Recommendation& recommendation);

// ---- Values

// The array of the elements' JSON.
template <class Elements, class Function>
OrderedJson array_json(const Elements& elements, const Function& json_of) {
  OrderedJson::array_t array;
  array.reserve(elements.size());
  for (const auto& element : elements) array.emplace_back(json_of(element));
  return array;
}

// A value; null if there is none.
template <class T>
OrderedJson optional_json(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson();
}

// Adds the member "pose"; nothing if the name is empty.
inline void add_pose(const std::string& name, OrderedJson& json) {
  if (!name.empty()) json["pose"] = name;
}

// {"frame", "time_s"} and the other members of the place; null without a frame.
OrderedJson place_json(const Place& place, const NamedFrames& frames);

// Replaces numbers that are not finite by null, so that a document that is read back equals the
// written one.
void replace_nan(OrderedJson& json);

}  // namespace skinbake
