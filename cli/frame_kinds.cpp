#include "frame_kinds.h"

#include <spdlog/fmt/fmt.h>

#include "output_paths.h"
#include "sidecar_text.h"

namespace skinbake::cli {

namespace {

// Frames that have other numbers may be other frames.
void check_frame_numbers(const DiffSide& side_a, const DiffSide& side_b, Issues& issues) {
  const FrameRange a = side_a.frames(), b = side_b.frames();
  if (a.first_frame == b.first_frame && a.frame_step == b.frame_step) return;
  const auto text = [](const FrameRange& f) {
    return std::to_string(f.first_frame) + " by " + std::to_string(f.frame_step);
  };
  Issue issue;
  issue.code = "FRAME_NUMBERS_DIFFER";
  issue.file = shown(side_b.path);
  issue.message = "frames are numbered from " + text(b) + ", those of " + shown(side_a.path) +
                  " from " + text(a) + "; the first is compared with the first";
  issues.push_back(issue);
}

// Of a rig what was asked for; of a cache what its sidecar claims or, if `proven`, what is known.
std::optional<FrameKind> kind_of(const DiffOptions& options, const DiffSide& side, bool proven) {
  if (side.rig) return FrameKind{side.rig->frames.fps, options.frames.space};
  if (!proven) return claimed_kind(*side.cache);
  const std::optional<CacheOrigin> origin = side.cache->origin();
  if (!origin) return {};
  return FrameKind{origin->frames.fps, origin->space};
}

// Frames of other times, or about other origins, differ by more than what is looked for.
void check_kinds(const DiffOptions& options, const DiffSide& side_a, const DiffSide& side_b,
                 Issues& issues) {
  const auto differ = [](const std::optional<FrameKind>& a, const std::optional<FrameKind>& b) {
    return a && b && (a->fps != b->fps || a->space != b->space);
  };
  // The hash that proves a sidecar is asked for only where it matters.
  if (!differ(kind_of(options, side_a, false), kind_of(options, side_b, false))) return;
  const auto a = kind_of(options, side_a, true), b = kind_of(options, side_b, true);
  if (!differ(a, b)) return;
  const auto text = [](const FrameKind& kind) {
    return fmt::format("{} frames per second in {} space", kind.fps,
                       kind.space == Space::kScene ? "scene" : "mesh");
  };
  Issue issue;
  issue.code = "FRAMES_UNLIKE";
  issue.file = shown(side_b.path);
  issue.message = "has " + text(*b) + ", and " + shown(side_a.path) + " " + text(*a) +
                  "; bake both with the same --fps and --space";
  issues.push_back(issue);
}

}  // namespace

Issues unlike_frames(const DiffOptions& options, const DiffSide& a, const DiffSide& b) {
  Issues issues;
  check_frame_numbers(a, b, issues);
  check_kinds(options, a, b, issues);
  return issues;
}

}  // namespace skinbake::cli
