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
HWY_INLINE void find_ways(const PlaceTask& task, std::size_t vertex, Ways& ways) {
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

HWY_INLINE void widen(const Ways& ways, PlaceRange& range) {
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

// Low halves of one vertex, or of two that follow each other: x and y in a word of 32 bits, z and
// the gap in the next.
template <std::size_t kVertices>
HWY_INLINE void store_shorts(const Ways* ways, std::int16_t* row, std::size_t row_stride) {
  const hn::CappedTag<std::uint32_t, kFramesPerBlock> d;
  constexpr std::size_t kWords = 2 * kVertices;
  alignas(64) std::uint32_t words[kFramesPerBlock * kWords];
  const auto low = hn::Set(d, 0xffff);
  for (std::size_t frame = 0; frame < kFramesPerBlock; frame += hn::Lanes(d)) {
    const auto load = [&](const Ways& of, std::size_t axis) HWY_ATTR {
      const hn::RebindToSigned<decltype(d)> ints;
      return hn::BitCast(d, hn::Load(ints, &of.numbers[axis][frame]));
    };
    const auto xy = [&](const Ways& of) HWY_ATTR {
      return hn::Or(hn::And(load(of, 0), low), hn::ShiftLeft<16>(load(of, 1)));
    };
    const auto z = [&](const Ways& of) HWY_ATTR { return hn::And(load(of, 2), low); };
    if constexpr (kVertices == 1) {
      hn::StoreInterleaved2(xy(ways[0]), z(ways[0]), d, words + kWords * frame);
    } else {
      hn::StoreInterleaved4(xy(ways[0]), z(ways[0]), xy(ways[1]), z(ways[1]), d,
                            words + kWords * frame);
    }
  }
  for (std::size_t frame = 0; frame < kFramesPerBlock; ++frame) {
    std::memcpy(row + frame * row_stride, words + kWords * frame,
                kVertices * kShortsPerPlace * sizeof *row);
  }
}

inline void store_places_here(const PlaceTask& task, PlaceRange& range) {
  Ways ways[2];
  std::size_t v = 0;
  for (; v + 2 <= task.vertices; v += 2) {
    for (std::size_t i = 0; i < 2; ++i) {
      find_ways(task, v + i, ways[i]);
      widen(ways[i], range);
    }
    store_shorts<2>(ways, task.rows + v * kShortsPerPlace, task.row_stride);
  }
  if (v == task.vertices) return;
  find_ways(task, v, ways[0]);
  widen(ways[0], range);
  store_shorts<1>(ways, task.rows + v * kShortsPerPlace, task.row_stride);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
