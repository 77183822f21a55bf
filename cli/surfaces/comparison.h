// The comparison of two files as surfaces, over all their clips.

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "compare/surface/hausdorff.h"
#include "compare/surface/placement.h"
#include "report/report.h"
#include "report/surface_report.h"
#include "report/viewer/viewer.h"
#include "surfaces/clip_pairs.h"
#include "surfaces/options.h"
#include "surfaces/side.h"

namespace skinbake::cli {

// The frames for the 3D viewer.
struct SurfaceView {
  std::deque<Rig> rigs;               // [direction] the vertices of the file
  std::vector<std::int64_t> strides;  // [pair of clips]
  View view;
};

// The vertices of both files in a pair of clips.
struct PairFrames {
  const FrameSource* a;
  const FrameSource* b;
  FrameRange frames;
};

// Parts refer to one another, so it stays where it is.
struct SurfaceComparison {
  SurfaceComparison() = default;
  SurfaceComparison(const SurfaceComparison&) = delete;
  SurfaceComparison& operator=(const SurfaceComparison&) = delete;

  SurfaceSide a, b;
  BindSurfaces surfaces;
  std::optional<OtherPlacement> placement;
  MatchedSurfaces matched;
  std::vector<SurfaceDirection> directions;  // "a to b", and with Match::kSurface "b to a"
  std::deque<Rig> rigs;                      // [direction] rig_of_points
  ClipPairs clips;
  std::deque<Clip> cache_clips;  // stand for the clips of caches
  Issues issues;
  HausdorffBounds at_rest;         // with --hausdorff
  std::vector<MeshRecord> meshes;  // [direction] with a run for each pair of clips
  std::vector<ClipRecord> records;
  std::optional<SurfaceView> view;  // with SurfaceOptions::view

  bool differs() const;  // by more than kEqualPart, in any frame
};

// The files that were read: both sides, the sidecars of caches, the files of rigs.
std::vector<std::string> files_of(const SurfaceComparison& comparison);

// Loads both files and pairs their points and clips, at the rate of --fps, which `clip` settles.
// Throws Error and UsageError.
void open_surfaces(SurfaceOptions& options, const std::string& a, const std::string& b,
                   SurfaceComparison& comparison);

// Adds a check that fails if one file lacks a part of the other's area. Not of vertices that pair
// and have the same triangles: their distances say all.
void add_area_check(const SurfaceComparison& comparison, Report& report);

// Measures every frame of every pair of clips.
void measure_surfaces(const SurfaceOptions& options, SurfaceComparison& comparison);

}  // namespace skinbake::cli
