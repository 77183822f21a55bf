// A body: the meshes that joints of one skeleton move, measured as one. A character often consists
// of many meshes, and the numbers of single meshes do not tell how the character is skinned.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/named_frames.h"
#include "skinbake/metrics.h"

namespace skinbake {

// A place in one of the meshes.
struct BodyPlace {
  std::string mesh;  // id
  Place at;
};

// Distances of the vertices of all meshes from the reference, metres.
struct BodyError {
  std::string reference;
  double rms = 0, mean = 0, max = 0;
  BodyPlace max_at;
  double rms_relative = 0, max_relative = 0;  // divided by the diagonal of the body
  std::vector<double> rms_of_frame, mean_of_frame, max_of_frame;
};

// Volumes of all meshes together, cubic metres; loss = 1 − V / V_baseline.
struct BodyVolume {
  struct Joint {
    std::string joint;  // joint_id
    std::int64_t triangle_count = 0;
    VolumeExtremes extremes;
    std::vector<double> loss;  // [frame]
  };
  VolumeExtremes total;
  std::vector<double> volume_m3, loss;  // [frame]
  std::vector<Joint> joints;            // in the order of their first mesh
  std::vector<std::string> unmeasured;  // meshes of which no part encloses a volume
};

// The body's numbers in one clip by one method.
struct BodyRun {
  std::string clip, method;  // RunRecord::name()
  NamedFrames frames;
  std::optional<BodyError> error;
  std::optional<BodyVolume> volume;  // none: no mesh has a volume
};

struct BodyRecord {
  std::string id;                   // of the skeleton's topmost joint
  std::vector<std::string> meshes;  // ids, in the order of the report
  std::int64_t vertex_count = 0, triangle_count = 0;
  double bbox_diagonal_m = 0;  // of all meshes in the bind pose
  std::vector<BodyRun> runs;
};

}  // namespace skinbake
