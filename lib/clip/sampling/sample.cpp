#include "clip/sampling/sample.h"

#include <algorithm>
#include <cmath>

#include "clip/clip_motion.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Key times in float32 may be later than the frame they belong to, by half the distance of two
// floats. Without a tolerance, STEP channels would then show the previous pose for a whole frame.
double step_tolerance_s(double time_s) {
  constexpr double kLeast_s = 1e-6, kMargin = 1e-6;
  if (!(time_s >= 1)) return kLeast_s;
  const double rounding_s = std::scalbn(1.0, std::ilogb(time_s) - 24);
  return std::max(kLeast_s, (1 + kMargin) * rounding_s);
}

// The last key at or before a time, and the position of the time between it and the next key.
struct Segment {
  std::size_t key;
  double fraction = 0;  // 0 … 1; 0: exactly at the key, or clamped
  double length_s = 0;
};

Segment find_segment(const std::vector<double>& times, double time) {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return {0};
  const auto key = static_cast<std::size_t>(after - times.begin()) - 1;
  if (after == times.end()) return {key};
  const double length = times[key + 1] - times[key];
  return {key, (time - times[key]) / length, length};
}

void normalize(double* q) {
  constexpr double kLeast = 1e-140;  // squares of smaller numbers are denormal
  double length = norm(Quat<double>{q[0], q[1], q[2], q[3]});
  if (!(length > kLeast)) {
    const double largest = std::max(std::max(std::abs(q[0]), std::abs(q[1])),
                                    std::max(std::abs(q[2]), std::abs(q[3])));
    if (!(largest > 0)) {  // splines can pass through zero
      q[0] = q[1] = q[2] = 0;
      q[3] = 1;
      return;
    }
    for (int i = 0; i < 4; ++i) q[i] /= largest;
    length = norm(Quat<double>{q[0], q[1], q[2], q[3]});
  }
  for (int i = 0; i < 4; ++i) q[i] /= length;
}

void sample_step(const Channel& c, double time, double* value) {
  const std::size_t key = find_segment(*c.times, time + step_tolerance_s(time)).key;
  std::copy_n(c.values->data() + key * c.width, c.width, value);
}

void sample_linear(const Channel& c, double time, double* value) {
  const Segment at = find_segment(*c.times, time);
  const double* a = c.values->data() + at.key * c.width;
  if (at.fraction == 0) {
    std::copy_n(a, c.width, value);
    return;
  }
  const double* b = a + c.width;
  if (c.path == ChannelPath::kRotation) {
    const Quat<double> q = slerp({a[0], a[1], a[2], a[3]}, {b[0], b[1], b[2], b[3]}, at.fraction);
    value[0] = q.w, value[1] = q.x, value[2] = q.y, value[3] = q.z;
  } else {
    for (int i = 0; i < c.width; ++i) value[i] = fma(at.fraction, b[i] - a[i], a[i]);
  }
}

// Cubic Hermite spline. Every key has an in-tangent, a value and an out-tangent. Tangents are per
// second.
void sample_cubic(const Channel& c, double time, double* value) {
  const Segment at = find_segment(*c.times, time);
  const double* key = c.values->data() + at.key * 3 * c.width;
  const double* v0 = key + c.width;
  if (at.fraction == 0) {
    std::copy_n(v0, c.width, value);
    return;
  }
  const double* out_tangent = key + 2 * c.width;
  const double* in_tangent = key + 3 * c.width;
  const double* v1 = key + 4 * c.width;
  const double t = at.fraction, t2 = t * t, t3 = t2 * t;
  const double h00 = 2 * t3 - 3 * t2 + 1, h10 = at.length_s * (t3 - 2 * t2 + t);
  const double h01 = -2 * t3 + 3 * t2, h11 = at.length_s * (t3 - t2);
  for (int i = 0; i < c.width; ++i) {
    value[i] = h00 * v0[i] + h10 * out_tangent[i] + h01 * v1[i] + h11 * in_tangent[i];
  }
}

}  // namespace

// Ken Shoemake. Animating Rotation with Quaternion Curves. 1985. The angle is computed from |a - b|
// and |a + b|, because the arccosine of the dot product is inaccurate for small angles.
Quat<double> slerp(const Quat<double>& a, Quat<double> b, double share) {
  if (dot(a, b) < 0) b = -1.0 * b;
  const double angle = 2 * atan2(norm(a - b), norm(a + b));
  const double sine = sin(angle);
  const bool tiny = sine < 1e-12;
  const double wa = tiny ? 1 - share : sin((1 - share) * angle) / sine;
  const double wb = tiny ? share : sin(share * angle) / sine;
  return fma(wa, a, wb * b);
}

std::string pose_name(const Clip* clip, double time_s) {
  return clip == nullptr || !clip->motion ? "" : clip->motion->pose_name(time_s);
}

std::vector<NodeIndex> stuck_bones(const Clip& clip) {
  return clip.motion == nullptr ? std::vector<NodeIndex>() : clip.motion->stuck_nodes();
}

double frame_tolerance(double time_s, double fps) {
  // Beyond half a frame, a frame could be nearer to the one after the last.
  constexpr double kLeast = 1e-3, kMost = 0.5;
  constexpr int kFractionBits = 23;  // of a float
  if (!std::isfinite(time_s) || !(time_s > 0)) return kLeast;
  const double distance_s = std::scalbn(1.0, std::ilogb(time_s) - kFractionBits);
  return std::clamp(fps * distance_s, kLeast, kMost);
}

std::int64_t last_frame(double duration_s, double fps) {
  constexpr double kMost = 0x1p40;  // a file may have any duration; sums of frames stay in range
  const double last = std::floor(duration_s * fps + frame_tolerance(duration_s, fps));
  return last > 0 ? static_cast<std::int64_t>(std::min(last, kMost)) : 0;  // 0 of a NaN, too
}

double end_lost_s(double duration_s, double fps) {
  const double lost_s = duration_s - static_cast<double>(last_frame(duration_s, fps)) / fps;
  return lost_s * fps > frame_tolerance(duration_s, fps) ? lost_s : 0;
}

FrameRange frames_of(const Clip& clip, double fps) {
  if (!is_frame_rate(fps)) {
    throw Error("FPS_INVALID", "the frame rate must be from 1e-15 to 1e15");
  }
  const double duration_s = clip.duration_s > 0 ? clip.duration_s : 0;  // also of a NaN
  const std::int64_t last = last_frame(duration_s, fps);
  if (last > 2147483646) {
    throw Error("TOO_MANY_FRAMES",
                "clip '" + clip.id + "' has more than 2147483647 frames at this rate; lower it");
  }
  return sampled_to_end({fps, 0, 1, last + 1}, clip);
}

namespace {

bool reach_last_frame(const FrameRange& frames, const Clip& clip) {
  return frames.frame_count >= 1 &&
         frames.frame(frames.frame_count - 1) == last_frame(clip.duration_s, frames.fps);
}

// The end of a clip; the time of its last frame, if the end is later by the rounding of float32.
double end_of(const Clip& clip, double fps) {
  const double duration_s = std::max(0.0, clip.duration_s);
  const double last_s = static_cast<double>(last_frame(duration_s, fps)) / fps;
  const bool is_rounded = duration_s > last_s && duration_s <= last_s + step_tolerance_s(last_s);
  return is_rounded ? last_s : duration_s;
}

}  // namespace

FrameRange sampled_to_end(FrameRange frames, const Clip& clip) {
  const double end_s = end_of(clip, frames.fps);
  const bool is_late = end_s > static_cast<double>(last_frame(end_s, frames.fps)) / frames.fps &&
                       !(end_lost_s(end_s, frames.fps) > 0);
  if (is_late && reach_last_frame(frames, clip)) frames.end_s = end_s;
  return frames;
}

FrameRange with_exact_end(FrameRange frames, const Clip& clip) {
  if (!reach_last_frame(frames, clip)) return frames;
  if (end_lost_s(clip.duration_s, frames.fps) > 0) ++frames.frame_count;
  frames.end_s = end_of(clip, frames.fps);
  return frames;
}

void sample(const Channel& channel, double time_s, double* value) {
  switch (channel.interpolation) {
    case Interpolation::kStep:
      sample_step(channel, time_s, value);
      break;
    case Interpolation::kLinear:
      sample_linear(channel, time_s, value);
      break;
    case Interpolation::kCubicSpline:
      sample_cubic(channel, time_s, value);
      break;
  }
  if (channel.path == ChannelPath::kRotation) normalize(value);
}

}  // namespace skinbake
