#include "caches/glb/timeline.h"

#include <algorithm>
#include <iterator>

#include "skinbake/frames.h"

namespace skinbake {

namespace {

constexpr std::size_t kBlock = kFramesPerBlock;

// Appends the parts of a clip that needs several.
void cut_clip(const GlbFrameSpan& clip, std::size_t max_targets, std::vector<GlbFrameSpan>& parts) {
  std::size_t base = clip.first;
  do {
    parts.push_back({base, std::min(base + max_targets + 1, clip.end)});
    base += max_targets;
  } while (base + 1 < clip.end);
}

std::vector<GlbFrameSpan> split_clips(const std::vector<GlbFrameSpan>& clips,
                                      std::size_t max_targets) {
  std::vector<GlbFrameSpan> parts;
  bool is_open = false;  // the last part may show another clip
  for (const GlbFrameSpan& clip : clips) {
    if (is_open && clip.end - parts.back().first <= max_targets + 1) {
      parts.back().end = clip.end;
      continue;
    }
    cut_clip(clip, max_targets, parts);
    is_open = clip.count() <= max_targets + 1;
  }
  return parts;
}

}  // namespace

std::size_t GlbTimeline::block_of(std::size_t frame) const {
  const auto after = std::ranges::upper_bound(clips, frame, {}, &GlbFrameSpan::first);
  const auto clip = static_cast<std::size_t>(after - clips.begin()) - 1;
  return first_block(clip) + (frame - clips[clip].first) / kBlock;
}

std::optional<std::size_t> GlbTimeline::part_of_base(std::size_t frame) const {
  const auto found = std::ranges::lower_bound(parts, frame, {}, &GlbFrameSpan::first);
  if (found == parts.end() || found->first != frame) return {};
  return static_cast<std::size_t>(found - parts.begin());
}

std::optional<std::size_t> GlbTimeline::part_of_target(std::size_t frame) const {
  const auto next = std::ranges::lower_bound(parts, frame, {}, &GlbFrameSpan::first);
  if (next == parts.begin() || frame >= std::prev(next)->end) return {};
  return static_cast<std::size_t>(next - parts.begin()) - 1;
}

GlbTimeline::Parts GlbTimeline::parts_of(std::size_t clip) const {
  const auto first = std::ranges::upper_bound(parts, clips[clip].first, {}, &GlbFrameSpan::end);
  const auto end = std::ranges::lower_bound(parts, clips[clip].end, {}, &GlbFrameSpan::first);
  return {static_cast<std::size_t>(first - parts.begin()),
          static_cast<std::size_t>(end - parts.begin())};
}

GlbFrameSpan GlbTimeline::shown(std::size_t part, std::size_t clip) const {
  const GlbFrameSpan& p = parts[part];
  const GlbFrameSpan& c = clips[clip];
  const GlbFrameSpan common{std::max(p.first, c.first), std::min(p.end, c.end)};
  return common.first < common.end ? common : GlbFrameSpan{};
}

GlbTimeline plan_timeline(std::span<const std::int64_t> counts, std::size_t max_targets) {
  GlbTimeline timeline;
  std::size_t next = 0, blocks = 0;
  for (const std::int64_t count : counts) {
    const auto frames = static_cast<std::size_t>(count);
    timeline.clips.push_back({next, next + frames});
    timeline.first_blocks.push_back(blocks);
    next += frames;
    blocks += (frames + kBlock - 1) / kBlock;
  }
  timeline.first_blocks.push_back(blocks);
  timeline.parts = max_targets == 0 ? std::vector<GlbFrameSpan>{{0, next}}
                                    : split_clips(timeline.clips, max_targets);
  return timeline;
}

}  // namespace skinbake
