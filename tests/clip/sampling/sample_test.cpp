#include "clip/sampling/sample.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "math/scalar.h"
#include "support/near.h"
#include "support/random.h"
#include "support/rigs.h"
#include "support/rotations.h"

namespace skinbake {
namespace {

using enum Interpolation;
using std::numbers::pi;
using test::about_x;
using test::channel;
using test::distance;

std::array<double, 4> sampled(const Channel& c, double time_s) {
  std::array<double, 4> value{NAN, NAN, NAN, NAN};
  sample(c, time_s, value.data());
  return value;
}

Quat<double> rotation_at(const Channel& c, double time_s) {
  const auto v = sampled(c, time_s);
  return {v[3], v[0], v[1], v[2]};
}

// A rotation channel with two keys at 0 and 1 s.
Channel turn(const Quat<double>& a, const Quat<double>& b) {
  return channel(0, ChannelPath::kRotation, kLinear, {0, 1},
                 {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}, 4);
}

Channel heights(Interpolation interpolation, std::vector<double> times,
                std::vector<double> values) {
  return channel(0, ChannelPath::kWeights, interpolation, std::move(times), std::move(values), 1);
}

}  // namespace

TEST_CASE("sample: a channel with a single key is constant") {
  for (const Interpolation interpolation : {kStep, kLinear}) {
    const Channel c = heights(interpolation, {2}, {7});
    for (const double t : {-1.0, 0.0, 2.0, 9.0}) CHECK(sampled(c, t)[0] == 7);
  }
  const Channel cubic = heights(kCubicSpline, {2}, {100, 7, 100});
  for (const double t : {-1.0, 0.0, 2.0, 9.0}) CHECK(sampled(cubic, t)[0] == 7);
}

TEST_CASE("sample: a channel is constant before its first and after its last key") {
  for (const Interpolation interpolation : {kStep, kLinear, kCubicSpline}) {
    const bool cubic = interpolation == kCubicSpline;
    const Channel c = heights(interpolation, {1, 2, 4},
                              cubic ? std::vector<double>{9, 10, 9, 9, 20, 9, 9, 40, 9}
                                    : std::vector<double>{10, 20, 40});
    CHECK(sampled(c, 0)[0] == 10);
    CHECK(sampled(c, 0.999)[0] == 10);
    CHECK(sampled(c, 4.001)[0] == 40);
    CHECK(sampled(c, 1e9)[0] == 40);
  }
}

TEST_CASE("sample: at a key the value is that of the key, bit for bit") {
  const double odd = 0.1 + 0.2;
  for (const Interpolation interpolation : {kStep, kLinear, kCubicSpline}) {
    const bool cubic = interpolation == kCubicSpline;
    const Channel c = heights(
        interpolation, {0, 1.0 / 3, 2},
        cubic ? std::vector<double>{1, 5, 1, 1, odd, 1, 1, 6, 1} : std::vector<double>{5, odd, 6});
    CHECK(sampled(c, 1.0 / 3)[0] == odd);
  }
}

TEST_CASE("sample: STEP is constant until the next key, LINEAR interpolates") {
  const Channel step = heights(kStep, {0, 1, 2}, {0, 10, 30});
  CHECK(sampled(step, 0.99)[0] == 0);
  CHECK(sampled(step, 1.99)[0] == 10);
  const Channel linear = heights(kLinear, {0, 1, 3}, {0, 10, 30});
  CHECK(sampled(linear, 0.25)[0] == 2.5);
  CHECK(sampled(linear, 2)[0] == 20);
}

TEST_CASE("sample: STEP has a tolerance of a microsecond, LINEAR has none") {
  const Channel step = heights(kStep, {0, 1}, {0, 10});
  CHECK(sampled(step, 1 - 0.9e-6)[0] == 10);
  CHECK(sampled(step, 1 - 1.1e-6)[0] == 0);
  const Channel linear = heights(kLinear, {0, 1}, {0, 10});
  CHECK(sampled(linear, 1 - 0.5e-6)[0] == doctest::Approx(10 - 5e-6).epsilon(1e-12));
}

TEST_CASE("sample: a STEP key on a frame counts at this frame in the first ten hours") {
  for (const int fps : {24, 25, 30, 60}) {
    const int frames = 36'000 * fps + 1;
    std::vector<double> times, values;
    for (int k = 0; k < frames; ++k) {
      times.push_back(static_cast<float>(k / double(fps)));
      values.push_back(k);
    }
    const Channel step = channel(0, ChannelPath::kWeights, kStep, times, values, 1);
    int wrong = 0, first = -1;
    for (int k = 0; k < frames; ++k) {
      if (sampled(step, k / double(fps))[0] == k) continue;
      if (wrong++ == 0) first = k;
    }
    CAPTURE(fps);
    CAPTURE(first);
    CHECK(wrong == 0);
  }
}

TEST_CASE("sample: the tolerance of STEP grows with the distance of floats from 32 s on") {
  const Channel at_31 = heights(kStep, {0, 31}, {0, 10}), at_40 = heights(kStep, {0, 40}, {0, 10});
  CHECK(sampled(at_31, 31 - 1.1e-6)[0] == 0);
  CHECK(sampled(at_40, 40 - 1.9e-6)[0] == 10);
  CHECK(sampled(at_40, 40 - 2e-6)[0] == 0);
}

TEST_CASE("sample: of several keys at one time the last one counts") {
  for (const Interpolation interpolation : {kStep, kLinear}) {
    const Channel c = heights(interpolation, {0, 1, 1, 2}, {0, 10, 50, 60});
    CHECK(sampled(c, 1)[0] == 50);
    CHECK(sampled(c, 1.5)[0] == (interpolation == kStep ? 50 : 55));
  }
  CHECK(sampled(heights(kLinear, {0, 1, 1, 2}, {0, 10, 50, 60}), 0.5)[0] == 5);
  CHECK(sampled(heights(kLinear, {3, 3}, {1, 2}), 3)[0] == 2);
}

TEST_CASE("sample: every path writes as many numbers as its width") {
  const Channel t = channel(0, ChannelPath::kTranslation, kLinear, {0, 1}, {0, 0, 0, 2, 4, 6}, 3);
  CHECK(sampled(t, 0.5)[2] == 3);
  CHECK(std::isnan(sampled(t, 0.5)[3]));
  const Channel s = channel(0, ChannelPath::kScale, kStep, {0, 1}, {1, 1, 1, 2, 4, 6}, 3);
  CHECK(sampled(s, 1)[1] == 4);
  const Channel w = channel(0, ChannelPath::kWeights, kLinear, {0, 1}, {0, 1, 1, 0}, 2);
  CHECK(sampled(w, 0.25)[0] == 0.25);
  CHECK(sampled(w, 0.25)[1] == 0.75);
}

TEST_CASE("slerp: the angle is proportional to the time") {
  for (const double angle : {1e-9, 1e-4, 0.5, 1.5, 3.0, pi - 1e-9}) {
    const Channel c = turn(about_x(0.3), about_x(0.3 + angle));
    for (const double s : {0.1, 0.25, 0.5, 0.9}) {
      CAPTURE(angle);
      CHECK(distance(rotation_at(c, s), about_x(0.3 + s * angle)) < 1e-15 * 4);
    }
  }
}

TEST_CASE("slerp: the shorter arc is used for any signs of the keys") {
  const Channel c = turn(about_x(0), -1.0 * about_x(1));
  CHECK(distance(rotation_at(c, 0.5), about_x(0.5)) < 1e-15);
  const Channel long_arc = turn(about_x(0), about_x(1.5 * pi));  // the shorter arc is backwards
  CHECK(distance(rotation_at(long_arc, 0.5), about_x(-0.25 * pi)) < 1e-15);
}

TEST_CASE("slerp: constant between equal and between opposite quaternions") {
  const Quat<double> q = about_x(0.7);
  for (const Channel& c : {turn(q, q), turn(q, -1.0 * q)}) {
    CHECK(distance(rotation_at(c, 0.3), q) < 1e-15);
  }
}

TEST_CASE("slerp: the result is of unit length for any two rotations, even half a turn apart") {
  test::Random random(20);
  for (int i = 0; i < 200; ++i) {
    const Channel c = turn(random.rotation(), random.rotation());
    CHECK(std::fabs(norm(rotation_at(c, random.between(0, 1))) - 1) < 1e-15);
  }
  const Channel half_turn = turn({1, 0, 0, 0}, {0, 0, 1, 0});
  CHECK(distance(rotation_at(half_turn, 0.5), {std::sqrt(0.5), 0, std::sqrt(0.5), 0}) < 1e-15);
}

TEST_CASE("cubic: a value computed by hand") {
  // v0 = 1, b0 = 2 per second, a1 = -4 per second, v1 = 3, over 2 s; at t = 1/2:
  // 1/2 * 1 + 2 * 1/8 * 2 + 1/2 * 3 + 2 * -1/8 * -4 = 3.5
  const Channel c = heights(kCubicSpline, {1, 3}, {99, 1, 2, -4, 3, 99});
  CHECK(sampled(c, 2)[0] == 3.5);
  // At t = 1/4: h = 27/32, 9/64, 5/32, -3/64: 27/32 + 2 * 2 * 9/64 + 15/32 + 2 * -4 * -3/64
  CHECK(sampled(c, 1.5)[0] == 27.0 / 32 + 36.0 / 64 + 15.0 / 32 + 24.0 / 64);
}

TEST_CASE("cubic: a cubic polynomial is reproduced") {
  const auto f = [](double t) { return 2 + t * (3 + t * (-1 + t * 0.5)); };
  const auto df = [](double t) { return 3 + t * (-2 + t * 1.5); };
  const Channel c = heights(kCubicSpline, {0, 1, 3},
                            {df(0), f(0), df(0), df(1), f(1), df(1), df(3), f(3), df(3)});
  for (double t = 0; t <= 3; t += 0.125) CHECK(std::fabs(sampled(c, t)[0] - f(t)) < 1e-14);
}

TEST_CASE("cubic: every number of a channel has its own tangents") {
  // [key][in, value, out][2]
  const Channel c = channel(0, ChannelPath::kWeights, kCubicSpline, {0, 1},
                            {0, 0, 0, 1, 0, 4, 0, 4, 1, 1, 0, 0}, 2);
  CHECK(sampled(c, 0.5)[0] == 0.5);
  CHECK(sampled(c, 0.5)[1] == 1 + 0.125 * 4 - 0.125 * 4);
  CHECK(sampled(c, 0.25)[1] == doctest::Approx(1 + 9.0 / 64 * 4 - 3.0 / 64 * 4));
}

TEST_CASE("cubic: a rotation is normalised without changing signs") {
  const Channel c =
      channel(0, ChannelPath::kRotation, kCubicSpline, {0, 1},
              {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, 4);
  CHECK(distance(rotation_at(c, 0.5), {std::sqrt(0.5), std::sqrt(0.5), 0, 0}) < 1e-15);
  const Channel through_zero =
      channel(0, ChannelPath::kRotation, kCubicSpline, {0, 1},
              {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0}, 4);
  CHECK(distance(rotation_at(through_zero, 0.25), {1, 0, 0, 0}) < 1e-15);
  CHECK(distance(rotation_at(through_zero, 0.75), {-1, 0, 0, 0}) < 1e-15);
  CHECK(std::isfinite(rotation_at(through_zero, 0.5).w));
}

TEST_CASE("cubic: a rotation whose squares underflow is normalised") {
  const std::vector<double> key{0, 0, 0, 0, 0, 0, 3e-160, 4e-160, 0, 0, 0, 0};
  std::vector<double> keys = key;
  keys.insert(keys.end(), key.begin(), key.end());
  const Channel c = channel(0, ChannelPath::kRotation, kCubicSpline, {0, 1}, keys, 4);
  const Quat<double> q = rotation_at(c, 0.5);
  CHECK(std::abs(q.z - 0.6) < 1e-12);
  CHECK(std::abs(q.w - 0.8) < 1e-12);
}

TEST_CASE("frames: the last frame, even if float32 stored the duration slightly too short") {
  CHECK(last_frame(0, 30) == 0);
  CHECK(last_frame(1, 30) == 30);
  CHECK(last_frame(1.01, 30) == 30);
  CHECK(last_frame(0.999, 30) == 29);
  CHECK(last_frame(1e300, 1e300) == std::int64_t{1} << 40);
  CHECK(last_frame(-1e300, 30) == 0);
  CHECK(last_frame(std::nan(""), 30) == 0);
  for (const double fps : {10.0, 24.0, 29.97, 30.0, 60.0, 120.0}) {
    for (int n = 1; n < 3000; n += 7) {
      CHECK(last_frame(static_cast<float>(n / fps), fps) == n);
    }
  }
}

TEST_CASE("frames: the tolerance is a thousandth of a frame, or the distance of two floats") {
  CHECK(frame_tolerance(0, 30) == 1e-3);
  CHECK(frame_tolerance(-1, 30) == 1e-3);
  CHECK(frame_tolerance(std::nan(""), 30) == 1e-3);
  CHECK(frame_tolerance(10, 240) == 1e-3);
  CHECK(frame_tolerance(600, 60) == 60 * 0x1p-14);
  CHECK(frame_tolerance(1e6, 240) == 0.5);
}

TEST_CASE("frames: a frame is not lost because its key time is a float") {
  for (const double fps : {24.0, 30.0, 60.0, 120.0, 240.0, 30000.0 / 1001}) {
    for (const int n : {33005, 36005, 72006, 200001, 999999}) {
      CAPTURE(fps);
      CAPTURE(n);
      const auto duration_s = static_cast<float>(n / fps);
      CHECK(last_frame(duration_s, fps) == n);
      CHECK(end_lost_s(duration_s, fps) == 0);
    }
  }
}

TEST_CASE("frames: the end is lost unless it is a frame within the tolerance") {
  CHECK(end_lost_s(0, 30) == 0);
  CHECK(end_lost_s(1, 30) == 0);
  CHECK(end_lost_s(std::nextafter(1.0F, 0.0F), 30) == 0);
  for (const double part : {-1e-4, 1e-4}) CHECK(end_lost_s((30 + part) / 30, 30) == 0);
  CHECK(end_lost_s(1.05, 10) == doctest::Approx(0.05));
  CHECK(end_lost_s(1.098, 10) == doctest::Approx(0.098));
  CHECK(end_lost_s(0.01, 30) == 0.01);
  CHECK(end_lost_s(std::nan(""), 30) == 0);
}

TEST_CASE("frames: the exact end is one more frame if it is later than the last one") {
  Clip clip;
  clip.duration_s = 0.55;
  const FrameRange frames = with_exact_end({10, 0, 1, 6}, clip);
  REQUIRE(frames.frame_count == 7);
  CHECK(frames.time_s(5) == 0.5);
  CHECK(frames.time_s(6) == 0.55);
  CHECK_FALSE(frames.is_end(5));
  CHECK(frames.is_end(6));
  CHECK(with_exact_end({10, 1, 2, 3}, clip).time_s(3) == 0.55);
  CHECK(with_exact_end({10, 0, 1, 5}, clip).frame_count == 5);  // does not reach the last frame
  clip.duration_s = std::nextafter(0.5F, 0.0F);
  const FrameRange exact = with_exact_end({10, 0, 1, 6}, clip);
  CHECK(exact.frame_count == 6);
  CHECK(exact.time_s(5) == clip.duration_s);
  CHECK_FALSE(exact.is_end(5));
  clip.duration_s = 0;
  CHECK(with_exact_end({10, 0, 1, 1}, clip).frame_count == 1);
}

TEST_CASE("frames: the frame that counts as the end is sampled at the end") {
  Clip clip;
  for (const double late_s : {2e-6, 1e-5, 9e-5}) {
    CAPTURE(late_s);
    clip.duration_s = 0.5 + late_s;
    const FrameRange frames = frames_of(clip, 10);
    REQUIRE(frames.frame_count == 6);
    CHECK(frames.time_s(5) == 0.5);
    CHECK(frames.sample_time_s(5) == clip.duration_s);
    CHECK(frames.sample_time_s(4) == 0.4);
    CHECK_FALSE(frames.is_end(5));
    CHECK(sampled_to_end({10, 1, 2, 3}, clip).sample_time_s(2) == clip.duration_s);
    CHECK(sampled_to_end({10, 0, 1, 5}, clip).sample_time_s(4) == 0.4);
    CHECK(with_exact_end({10, 0, 1, 6}, clip).sample_time_s(5) == clip.duration_s);
  }
  // The rounding of float32 does not move a frame, nor does an end that is earlier or between two.
  for (const double end_s : {double(std::nextafter(0.5F, 1.0F)), 0.5, 0.49995, 0.55}) {
    CAPTURE(end_s);
    clip.duration_s = end_s;
    CHECK(frames_of(clip, 10).sample_time_s(5) == 0.5);
  }
}

TEST_CASE("frames: frame k of a range is at (first + k step) / fps") {
  const FrameRange range{24, 6, 3, 5};
  CHECK(range.frame(0) == 6);
  CHECK(range.frame(4) == 18);
  CHECK(range.time_s(4) == 0.75);
}

}  // namespace skinbake
