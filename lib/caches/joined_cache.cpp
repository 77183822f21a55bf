// A farm bakes a long clip in ranges of frames. Their caches are parts of the cache that one run
// would have written.

#include "caches/joined_cache.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "frames/joined_frames.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

struct CacheOfPart {
  std::unique_ptr<CacheReader> reader;
  CacheProvenance provenance;
};

constexpr std::array<std::string_view, 3> kJoinedFormats{"pc2", "mdd", "npy"};

CacheOfPart open_part(const std::string& path, std::uint64_t max_memory) {
  CacheOfPart part{open_cache(path, "", max_memory), {}};
  if (std::ranges::count(kJoinedFormats, part.reader->format()) == 0) {
    throw Error(ErrorKind::kInput, "PART_INVALID",
                "a cache of format " + std::string(part.reader->format()) +
                    " is not put together from parts; bake the parts as PC2, MDD or NPY",
                {path, ""});
  }
  part.provenance = verified_provenance(*part.reader);
  if (!part.provenance.clips.empty()) {
    throw Error(ErrorKind::kInput, "PART_INVALID",
                "a cache of " + std::to_string(part.provenance.clips.size()) +
                    " clips is not a range of frames of one clip; bake each clip to its own cache",
                {path, ""});
  }
  return part;
}

std::string text_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

// Files are the same if their bytes are, whatever their names on the machine that baked the part.
std::string text_of(const std::vector<InputFile>& inputs) {
  std::vector<std::string> words;
  for (const InputFile& input : inputs) words.push_back(input.role + " " + input.xxh128);
  return text_of(words);
}

std::string text_of(const std::vector<Primitive>& primitives) {
  std::vector<std::string> words;
  for (const Primitive& p : primitives) words.push_back(std::to_string(p.vertex_count));
  return text_of(words);
}

// Other numbers have other texts: 1e-7 and 4e-7 are not the same scale.
std::string text_of(double number) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

std::string text_of(const CacheAxes& axes) {
  return std::string(axes.up == CacheAxes::Up::kZ ? "+Z" : "+Y") + " up, " + text_of(axes.scale) +
         " units per metre";
}

std::string text_of(const CacheOptions& options) {
  std::vector<std::string> words;
  for (const auto& [name, value] : options) words.push_back(name + "=" + value);
  return text_of(words);
}

// What parts of one run share, each with its name for messages.
std::vector<std::pair<const char*, std::string>> shared_facts(const CacheOfPart& part) {
  const CacheProvenance& p = part.provenance;
  const std::string node = p.node ? std::to_string(*p.node) : "none";
  return {{"format", std::string(part.reader->format())},
          {"mesh", p.mesh},
          {"vertex count", std::to_string(part.reader->vertex_count())},
          {"node", node + " '" + p.node_name + "' '" + p.mesh_name + "'"},
          {"vertices of the primitives", text_of(p.primitives)},
          {"inputs", text_of(p.inputs)},
          {"clip", p.clip},
          {"method", p.method},
          {"method on the mesh", p.method_on_mesh},
          {"modifiers", text_of(p.modifiers)},
          {"space", p.space == Space::kScene ? "scene" : "mesh"},
          {"axes", text_of(p.axes)},
          {"format options", text_of(p.options)}};
}

void require_one_run(const CacheOfPart& part, const CacheOfPart& first) {
  const auto facts = shared_facts(part), expected = shared_facts(first);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].second == expected[i].second) continue;
    throw_parts_differ(part.reader->path(), facts[i].first, facts[i].second, first.reader->path(),
                       expected[i].second);
  }
}

CacheHeader header_of(const CacheOfPart& first, const FrameRange& frames) {
  const CacheProvenance& p = first.provenance;
  CacheHeader header;
  header.clip = p.clip;
  header.frames = frames;
  header.space = p.space;
  header.method = p.method;
  header.inputs = p.inputs;
  header.modifiers = p.modifiers;
  header.mesh = {p.mesh,      p.node, p.node_name, p.mesh_name, first.reader->vertex_count(),
                 p.primitives};
  header.source_axes = p.axes;
  header.method_on_mesh = p.method_on_mesh;
  // The sidecar is not covered by the hash: an option that no bake writes must not reach a writer.
  const CacheOptions half{{"precision", "half"}}, single{{"precision", "single"}};
  if (!p.options.empty() &&
      (first.reader->format() != "npy" || (p.options != half && p.options != single))) {
    throw Error(ErrorKind::kInput, "PART_INVALID",
                "the sidecar has options that its format does not have: " + text_of(p.options) +
                    "; bake the part again",
                {first.reader->path(), ""});
  }
  header.options = p.options;
  return header;
}

// The number of frames of the clip, as far as a sidecar states it; else 0.
std::int64_t clip_frame_count_of(const std::vector<CacheOfPart>& parts) {
  std::int64_t count = 0;
  for (const CacheOfPart& part : parts) count = std::max(count, part.provenance.clip_frame_count);
  return count;
}

// Throws for parts that do not state the length of their clip: the last one may be missing. A
// single part that begins with frame 0 is taken for the whole clip, whose sidecar does not state
// it.
void require_known_length(const std::vector<CacheOfPart>& parts, const FrameRange& joined) {
  if (parts.size() == 1 && joined.first_frame == 0 && joined.frame_step == 1) return;
  throw Error(ErrorKind::kInput, "PARTS_INCOMPLETE",
              "the sidecars of the parts do not state the length of the clip (an older version "
              "wrote them), so that a missing first or last part would not be noticed; state the "
              "frames of the whole with --frames, or bake the parts again",
              {parts.front().reader->path(), ""});
}

class JoinedCacheFiles final : public JoinedCache {
 public:
  JoinedCacheFiles(const std::vector<std::string>& paths, const std::optional<FrameRange>& whole,
                   std::uint64_t max_memory) {
    std::vector<FramesOfPart> ranges;
    for (const std::string& path : paths) {
      parts_.push_back(open_part(path, max_memory));
      ranges.push_back({path, parts_.back().provenance.frames});
    }
    for (const CacheOfPart& part : parts_) require_one_run(part, parts_.front());
    const JoinedFrames joined = join_frames(ranges);
    const std::int64_t clip_frame_count = clip_frame_count_of(parts_);
    if (whole) {
      require_whole(ranges, joined, *whole);
    } else if (clip_frame_count > 0) {
      require_whole(ranges, joined, whole_clip(joined.frames, clip_frame_count));
    } else {
      require_known_length(parts_, joined.frames);
    }
    std::vector<CacheOfPart> in_order;
    for (const std::size_t p : joined.order) in_order.push_back(std::move(parts_[p]));
    parts_ = std::move(in_order);
    std::int64_t end = 0;
    for (const CacheOfPart& part : parts_) ends_.push_back(end += part.reader->frame_count());
    header_ = header_of(parts_.front(), joined.frames);
    header_.clip_frame_count = clip_frame_count;
  }

  const CacheHeader& header() const override { return header_; }
  std::string_view format() const override { return parts_.front().reader->format(); }
  std::int64_t frame_count() const override { return ends_.back(); }
  std::int64_t vertex_count() const override { return parts_.front().reader->vertex_count(); }

  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    const auto row = static_cast<std::size_t>(vertex_count()) * 3;
    auto p = static_cast<std::size_t>(std::ranges::upper_bound(ends_, first_frame) - ends_.begin());
    while (count > 0) {
      const CacheReader& part = *parts_[p].reader;
      const std::int64_t at = first_frame - (ends_[p] - part.frame_count());
      const std::int64_t taken = std::min(count, ends_[p] - first_frame);
      part.read(at, taken, rows);
      require_finite(parts_[p], at, {rows, static_cast<std::size_t>(taken) * row});
      rows += static_cast<std::size_t>(taken) * row;
      first_frame += taken;
      count -= taken;
      ++p;
    }
  }

 private:
  static void require_finite(const CacheOfPart& part, std::int64_t first,
                             std::span<const float> rows) {
    const auto bad = std::ranges::find_if_not(rows, [](float x) { return std::isfinite(x); });
    if (bad == rows.end()) return;
    const auto at = static_cast<std::int64_t>(bad - rows.begin()) / 3;
    const std::int64_t vertices = part.reader->vertex_count();
    throw Error(ErrorKind::kInput, "NON_FINITE_POSITION",
                "frame " + std::to_string(part.provenance.frames.frame(first + at / vertices)) +
                    ", vertex " + std::to_string(at % vertices) +
                    ": the position is not a finite number; bake the part again",
                {part.reader->path(), ""});
  }

  std::vector<CacheOfPart> parts_;  // in the order of their frames
  std::vector<std::int64_t> ends_;  // [part] number of frames up to its end
  CacheHeader header_;
};

}  // namespace

CacheProvenance verified_provenance(const CacheReader& cache) {
  if (std::optional<CacheProvenance> provenance = cache.provenance()) return *std::move(provenance);
  const std::string sidecar = cache.path() + ".json";
  std::error_code unknown;
  std::string cause;
  if (!std::filesystem::exists(sidecar, unknown)) {
    cause = "does not have a sidecar, which names its rig, method and frames; copy " + sidecar +
            " beside it, or bake the part again";
  } else if (cache.known_provenance()) {
    cause =
        "was converted from a cache without a sidecar, so that its rig and method are not "
        "known; bake the part";
  } else if (cache.claimed_provenance()) {
    cause = "does not have the hash that its sidecar " + sidecar +
            " states: the cache is damaged, or the sidecar is that of another bake; bake the part "
            "again";
  } else {
    cause = "cannot be trusted: its sidecar " + sidecar +
            " is damaged, or belongs to another cache; bake the part again";
  }
  throw Error(ErrorKind::kInput, "PART_INVALID", cause, {cache.path(), ""});
}

std::unique_ptr<JoinedCache> join_caches(const std::vector<std::string>& paths,
                                         const std::optional<FrameRange>& whole,
                                         std::uint64_t max_memory) {
  return std::make_unique<JoinedCacheFiles>(paths, whole, max_memory);
}

}  // namespace skinbake
