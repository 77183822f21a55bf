// Places on a lattice, on registers.

#if defined(SKINBAKE_FRAMES_PLACES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SKINBAKE_FRAMES_PLACES_INL_H_
#undef SKINBAKE_FRAMES_PLACES_INL_H_
#else
#define SKINBAKE_FRAMES_PLACES_INL_H_
#endif

#include <cstring>

#include "frames/places.h"
#include "math/frame_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

// Of one vertex: [axis][frame].
struct alignas(64) Ways {
  std::int32_t numbers[3][kFramesPerBlock];
};

// As many frames at a time as there are doubles in a register: a float has no room for all places.
inline void find_ways(const PlaceTask& task, std::size_t vertex, Ways& ways) {
  const hn::CappedTag<double, kFramesPerBlock> d;
  const hn::Rebind<float, decltype(d)> floats;
  const hn::Rebind<std::int32_t, decltype(d)> ints;
  const auto largest = hn::Set(ints, task.largest), least = hn::Set(ints, -task.largest);
  const auto factor = hn::Set(d, task.places_per_metre), half = hn::Set(d, 0.5);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t number = vertex * 3 + axis;
    const auto centre = hn::Set(d, task.centre[axis]);
    const auto base = hn::Set(ints, task.base[number]);
    for (std::size_t frame = 0; frame < kFramesPerBlock; frame += hn::Lanes(d)) {
      const float* x = task.lanes + number * kFramesPerBlock + frame;
      const auto q = hn::Mul(hn::Sub(hn::PromoteTo(d, hn::Load(floats, x)), centre), factor);
      const auto place = hn::DemoteTo(ints, hn::Add(q, hn::CopySign(half, q)));
      const auto way = hn::Max(least, hn::Min(largest, hn::Sub(place, base)));
      hn::Store(way, ints, &ways.numbers[axis][frame]);
    }
  }
}

inline void widen(const Ways& ways, PlaceRange& range) {
  const hn::CappedTag<std::int32_t, kFramesPerBlock> d;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t frame = 0; frame < kFramesPerBlock; frame += hn::Lanes(d)) {
      const auto way = hn::Load(d, &ways.numbers[axis][frame]);
      std::int32_t* least = &range.least[axis][frame];
      std::int32_t* most = &range.most[axis][frame];
      hn::Store(hn::Min(hn::Load(d, least), way), d, least);
      hn::Store(hn::Max(hn::Load(d, most), way), d, most);
    }
  }
}

// Low halves: x and y in a word of 32 bits, z and the gap in the next.
inline void store_shorts(const Ways& ways, std::int16_t* row, std::size_t row_stride) {
  const hn::CappedTag<std::uint32_t, kFramesPerBlock> d;
  alignas(64) std::uint32_t words[kFramesPerBlock * 2];
  const auto low = hn::Set(d, 0xffff);
  const auto load = [&](std::size_t axis, std::size_t frame) {
    return hn::BitCast(d, hn::Load(hn::RebindToSigned<decltype(d)>(), &ways.numbers[axis][frame]));
  };
  for (std::size_t frame = 0; frame < kFramesPerBlock; frame += hn::Lanes(d)) {
    const auto xy = hn::Or(hn::And(load(0, frame), low), hn::ShiftLeft<16>(load(1, frame)));
    hn::StoreInterleaved2(xy, hn::And(load(2, frame), low), d, words + 2 * frame);
  }
  for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
    std::memcpy(row + frame * row_stride, words + 2 * frame, kShortsPerPlace * sizeof *row);
  }
}

inline void store_places_here(const PlaceTask& task, PlaceRange& range) {
  Ways ways;
  for (std::size_t v = 0; v < task.vertices; ++v) {
    find_ways(task, v, ways);
    widen(ways, range);
    store_shorts(ways, task.rows + v * kShortsPerPlace, task.row_stride);
  }
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
