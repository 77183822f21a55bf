// The Hausdorff distance of two surfaces in every frame: the largest distance from a point of
// either surface to the nearest point of the other. It does not see a surface that slides along the
// other; pairs of points (surfaces.h) do, but overstate where pairs are wrong.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "compare/surface/surfaces.h"
#include "skinbake/frames.h"
#include "skinbake/metrics.h"

namespace skinbake {

// The distance, metres, is not below `lower` and not above `upper`.
struct HausdorffBounds {
  double lower = 0, upper = 0;
};

// Points of a surface, [vertex], and its triangles.
struct PosedSurface {
  std::span<const Vec3<double>> points;
  std::span<const std::array<VertexIndex, 3>> triangles;
};

// The bounds of two surfaces, at most `tolerance_m` apart; farther apart only if a surface needs
// more than 100 000 parts and 64 for each of its triangles, or if 100 000 parts and one for each of
// its triangles are undecided at a time, as where many large faces cross.
// Preconditions: both have triangles, the coordinates are finite, tolerance_m > 0.
HausdorffBounds hausdorff_distance(const PosedSurface& a, const PosedSurface& b,
                                   double tolerance_m);

struct HausdorffPlan {
  const BindSurface* a = nullptr;
  const BindSurface* b = nullptr;
  const FrameSource* a_frames = nullptr;  // the vertices of a
  const FrameSource* b_frames = nullptr;
  std::int64_t frame_count = 0;
  double tolerance_m = 0;
  int threads = 0;  // 0: one per processor
  std::function<void(std::int64_t frames_done)> progress = {};
};

// [frame] The result does not depend on the number of threads. Throws Error (kInput,
// NON_FINITE_POSITION), and what the sources throw.
std::vector<HausdorffBounds> hausdorff_distances(const HausdorffPlan& plan);

// The section `hausdorff` of a run.
MetricResult hausdorff_section(const HausdorffBounds& at_rest,
                               const std::vector<HausdorffBounds>& frames, double tolerance_m,
                               double diagonal_m);

}  // namespace skinbake
