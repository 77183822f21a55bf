#include "comparison/stated_frames.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/paths.h"
#include "json/text.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

// The claim of a complete sidecar is free. Else the hash is computed, if there is a sidecar at all.
std::optional<CacheProvenance> sidecar_of(const CacheReader& cache, bool is_verified) {
  if (!is_verified) {
    if (auto claimed = cache.claimed_provenance()) return claimed;
  }
  return cache.known_provenance();
}

// The largest difference of two equal times, of which one is rounded to float32, seconds.
double tolerance_s(double time_s, const FrameRange& frames) {
  return 1e-3 / frames.fps + 1e-6 * std::abs(time_s);
}

bool have_rates(const StatedFrames& a, const StatedFrames& b) {
  return a.frames.fps > 0 && b.frames.fps > 0;
}

// "60 frames per second in scene space".
std::string text_of(const StatedFrames& stated) {
  const FrameRange& frames = stated.frames;
  std::string rate = frames.fps > 0 ? fmt::format("{} frames per second", frames.fps)
                                    : std::string("an unknown frame rate");
  const std::int64_t last = frames.frame_count - 1;
  if (frames.is_end(last)) rate += " and " + frame_text(frames, last);
  if (!stated.space) return rate;
  return rate + (*stated.space == Space::kScene ? " in scene space" : " in mesh space");
}

std::string numbers_of(const FrameRange& frames) {
  return fmt::format("{} by {}", frames.first_frame, frames.frame_step);
}

std::string name_of(const CacheClip& clip) {
  return clip.clip.empty() ? "the rest pose" : "clip '" + printable(clip.clip) + "'";
}

// "clip 'Run', clip 'Walk'".
std::string names_of(const std::vector<CacheClip>& clips) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, clips.size()); ++i) {
    names += (i == 0 ? "" : ", ") + name_of(clips[i]);
  }
  return clips.size() > kNamed ? names + ", …" : names;
}

// Whether frames of a clip are compared with frames of another clip, because the clips have other
// lengths or frames, or the same names in another order.
bool have_other_layout(const std::vector<CacheClip>& a, const std::vector<CacheClip>& b) {
  if (a.size() != b.size()) return true;
  if (a.size() == 1) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].first_frame != b[i].first_frame || a[i].frame_step != b[i].frame_step ||
        a[i].frame_count != b[i].frame_count ||
        std::isfinite(a[i].end_s) != std::isfinite(b[i].end_s)) {
      return true;
    }
    const auto is_same = [&](const CacheClip& clip) { return clip.clip == a[i].clip; };
    if (!is_same(b[i]) && std::any_of(b.begin(), b.end(), is_same)) return true;
  }
  return false;
}

Issue issue_of(const std::string& path, const std::string& message) {
  Issue issue;
  issue.file = path;
  issue.message = message;
  return issue;
}

}  // namespace

StatedFrames stated_frames(const CacheReader& cache, bool is_verified) {
  const CacheFormat& format = cache.format();
  StatedFrames stated{cache.frames(), format.holds_numbers || format.holds_times};
  const std::optional<CacheProvenance> known = sidecar_of(cache, is_verified);
  stated.clips = cache.clips();
  if (known && known->is_complete) {
    stated.space = known->space;
    const FrameRange& f = known->frames;
    stated.clips = known->clips;
    if (stated.clips.empty()) {
      stated.clips = {{known->clip, f.first_frame, f.frame_step, f.frame_count}};
    }
  }
  if (known && known->frames.fps > 0) {
    if (!format.holds_numbers) stated.frames = known->frames;
    stated.frames.fps = known->frames.fps;
    stated.is_numbered = stated.is_numbered || known->is_complete;
    return stated;
  }
  stated.is_exact = !cache.has_times();
  if (!cache.has_times()) stated.frames.fps = 0;
  return stated;
}

bool have_other_rates(const StatedFrames& a, const StatedFrames& b) {
  if (!have_rates(a, b)) return false;
  const std::int64_t last = std::min(a.frames.frame_count, b.frames.frame_count) - 1;
  if (a.is_exact && b.is_exact) {
    return a.frames.fps != b.frames.fps || a.frames.is_end(last) != b.frames.is_end(last);
  }
  const auto span_s = [last](const FrameRange& f) { return f.time_s(last) - f.time_s(0); };
  return std::abs(span_s(a.frames) - span_s(b.frames)) >
         tolerance_s(a.frames.time_s(last), a.frames);
}

bool have_other_numbers(const StatedFrames& a, const StatedFrames& b) {
  if (!a.is_numbered || !b.is_numbered) return false;
  if (a.frames.first_frame == b.frames.first_frame && a.frames.frame_step == b.frames.frame_step) {
    return false;
  }
  // Every second frame at 30 frames per second has the times of every frame at 15.
  if ((a.is_exact && b.is_exact) || !have_rates(a, b)) return true;
  const double start_s = a.frames.time_s(0);
  return std::abs(start_s - b.frames.time_s(0)) > tolerance_s(start_s, a.frames);
}

Issues unlike_clips(const std::string& path_a, const StatedFrames& a, const std::string& path_b,
                    const StatedFrames& b) {
  if (a.clips.empty() || b.clips.empty()) return {};
  if (have_other_layout(a.clips, b.clips)) {
    Issue issue = issue_of(
        path_b, "has " + names_of(b.clips) + ", and " + path_a + " has " + names_of(a.clips) +
                    ", with other frames or in another order; bake both with the same clips");
    issue.code = "FRAMES_UNLIKE";
    return {issue};
  }
  for (std::size_t i = 0; i < a.clips.size(); ++i) {
    if (a.clips[i].clip == b.clips[i].clip) continue;
    Issue issue = issue_of(path_b, "has " + name_of(b.clips[i]) + ", and " + path_a + " has " +
                                       name_of(a.clips[i]) + "; their frames are compared");
    issue.code = "CLIP_OF_OTHER_NAME";
    return {issue};
  }
  return {};
}

Issues unlike_frames(const std::string& path_a, const StatedFrames& a, const std::string& path_b,
                     const StatedFrames& b) {
  Issues issues = unlike_clips(path_a, a, path_b, b);
  if (have_other_numbers(a, b)) {
    issues.push_back(issue_of(path_b, "frames are numbered from " + numbers_of(b.frames) + ", " +
                                          path_a + "'s from " + numbers_of(a.frames) +
                                          "; the first is compared with the first"));
    issues.back().code = "FRAME_NUMBERS_DIFFER";
  }
  if (have_other_rates(a, b) || (a.space && b.space && *a.space != *b.space)) {
    issues.push_back(issue_of(path_b, "has " + text_of(b) + ", and " + path_a + " has " +
                                          text_of(a) +
                                          "; bake both with the same --fps, --end and --space"));
    issues.back().code = "FRAMES_UNLIKE";
  }
  return issues;
}

Issues ignored_sidecar(const CacheReader& cache) {
  const std::string path = cache.path() + ".json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored) || cache.known_provenance()) return {};
  Issue issue;
  issue.code = "SIDECAR_IGNORED";
  issue.severity = Severity::kWarning;
  issue.file = shown(path);
  issue.message =
      "is not the sidecar of the cache in its present state; it is ignored, and the cache "
      "counts as one in metres with Y up";
  return {issue};
}

namespace {

double duration_of(const Clip* clip) {
  return clip == nullptr ? 0 : clip->duration_s;
}

bool reaches_last_frame(const ClipFrames& of) {
  const FrameRange& frames = *of.frames;
  return frames.frame(frames.frame_count - 1) == last_frame(duration_of(of.clip), frames.fps);
}

}  // namespace

void add_ends(const ClipFrames& a, const ClipFrames& b) {
  const double fps = a.frames->fps;
  if (a.frames->frame_count != b.frames->frame_count) return;
  if (!reaches_last_frame(a) || !reaches_last_frame(b)) return;
  const auto is_later = [fps](const ClipFrames& of) {
    return end_lost_s(duration_of(of.clip), fps) > 0;
  };
  if (!is_later(a) && !is_later(b)) return;
  for (const ClipFrames& of : {a, b}) {
    ++of.frames->frame_count;
    of.frames->end_s = std::max(0.0, duration_of(of.clip));
  }
}

std::string counted_frames(const FrameRange& frames) {
  const std::int64_t last = frames.frame_count - 1;
  return frames.is_end(last) ? fmt::format("{} frames and the end", last)
                             : fmt::format("{} frames", frames.frame_count);
}

std::string frame_text(const FrameRange& frames, std::int64_t k) {
  return frames.is_end(k) ? fmt::format("the end at {:.4g} s", frames.end_s)
                          : fmt::format("frame {}", frames.frame(k));
}

}  // namespace skinbake::cli
