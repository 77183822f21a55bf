#include "report/merge/merged_report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "report/limits.h"
#include "report/merge/layout.h"
#include "report/merge/run_parts.h"
#include "report/merge/verdict_parts.h"
#include "report/read/document.h"
#include "report/read/sections.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

// A section that depends on all frames in other ways than those of a run, and why it is there.
struct NotMerged {
  const char* section;
  const char* option;
};
constexpr std::array kNotMerged{
    NotMerged{"verification", "--verify"}, NotMerged{"self_test", "--self-test"},
    NotMerged{"changes", "an older report"}, NotMerged{"explain", "--explain"},
    NotMerged{"recommendation", "--recommend"}};

struct PartReport {
  std::string text;
  ReportDocument document;

  Json& json() const { return *document.json; }
};

// Throws what read_report throws of the numbers in a part. The merge copies many that it does not
// look at, and its result must be readable.
void require_readable(const std::string& path, std::uint64_t max_memory) {
  const std::string text = report_text(path, max_memory);
  parse_report(text, path, max_memory - std::min<std::uint64_t>(max_memory, text.size()));
}

PartReport read_part(const std::string& path, const MemoryShare& share) {
  PartReport part{report_text(path, share), {}};
  part.document = report_document(part.text, path, share.after(part.text.size()));
  const JsonCursor report(path, part.json());
  report.at("command").word({"bake", "compare"});
  for (const NotMerged& not_merged : kNotMerged) {
    if (!report.find(not_merged.section)) continue;
    throw_part_invalid(path, std::string("the section '") + not_merged.section +
                                 "' cannot be put together; bake the parts without " +
                                 not_merged.option);
  }
  return part;
}

// The frames of each clip, in the order of the report.
std::vector<FrameRange> frames_of_clips(const std::string& path, const Json& report) {
  std::vector<FrameRange> frames;
  for (const JsonCursor& clip : JsonCursor(path, report).at("clips").elements()) {
    FrameRange& range = frames.emplace_back();
    range.fps = read_fps(clip.at("fps"));
    range.first_frame = clip.at("first_frame").integer(-kFarthestFrame, kFarthestFrame);
    range.frame_step = clip.at("frame_step").integer(1, kFarthestFrame);
    range.frame_count = clip.at("frame_count").integer(1, kMostFrames);
    if (range.frame_step > kFarthestFrame / range.frame_count) {
      clip.at("frame_step").fail("is too large");
    }
  }
  return frames;
}

struct Order {
  std::vector<std::size_t> parts;
  std::vector<FrameRange> clips;                  // frames of the whole
  std::vector<std::vector<FramesOfPart>> ranges;  // of each clip, in the order of the paths
};

// The order of the parts by their frames, and the frames of each clip.
Order order_of(const std::vector<std::string>& paths,
               const std::vector<std::vector<FrameRange>>& frames) {
  Order order;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    if (frames[p].size() != frames[0].size()) {
      throw_parts_differ(paths[p], "number of clips", std::to_string(frames[p].size()), paths[0],
                         std::to_string(frames[0].size()));
    }
  }
  if (frames[0].empty()) throw_part_invalid(paths[0], "the report does not have a clip; bake one");
  for (std::size_t c = 0; c < frames[0].size(); ++c) {
    std::vector<FramesOfPart> ranges;
    for (std::size_t p = 0; p < paths.size(); ++p) ranges.push_back({paths[p], frames[p][c]});
    JoinedFrames joined = join_frames(ranges);
    if (joined.frames.frame_count > kMostFrames) {
      throw_part_invalid(paths[0],
                         "the parts have more than 2147483647 frames together; merge "
                         "fewer of them");
    }
    if (c > 0 && joined.order != order.parts) {
      throw_part_invalid(paths[0],
                         "the clips of the parts follow one another in different "
                         "orders; bake all clips in the same ranges");
    }
    order.parts = std::move(joined.order);
    order.clips.push_back(joined.frames);
    order.ranges.push_back(std::move(ranges));
  }
  return order;
}

// Names of files may differ: they are those of the machines that baked the parts.
void require_same_inputs(const PartSection& inputs) {
  require_same_size(inputs);
  for (std::size_t i = 0; i < inputs.part.size(); ++i) {
    const PartSection input = inputs.element(i);
    require_same_keys(input);
    for (const char* key : {"role", "bytes", "xxh128"}) require_equal(input.member(key));
  }
}

void require_equal_but(const PartSection& section, std::initializer_list<std::string_view> but) {
  require_same_keys(section);
  for (const auto& [key, value] : section.part.items()) {
    if (std::ranges::find(but, key) == but.end()) require_equal(section.member(key));
  }
}

class Merge {
 public:
  Merge(const std::string& path, Json& report) : path_(path), report_(report) {
    const JsonCursor cursor(path, report);
    cursor.at("inputs").elements();
    for (const char* key : {"settings", "tool"}) {
      if (!cursor.at(key).is_object()) cursor.at(key).fail("is not an object");
    }
    require_mergeable_thresholds(cursor.at("verdict"), path);
    for (const JsonCursor& mesh : cursor.at("meshes").elements()) {
      const std::int64_t vertices = mesh.at("vertex_count").integer(0, kMostCount);
      mesh.at("bbox_diagonal_m").number();
      mesh.at("id").text();
      runs_.emplace_back();
      const Json& runs = report.at("meshes")[runs_.size() - 1].at("runs");
      for (const JsonCursor& run : mesh.at("runs").elements()) {
        run.at("method").text();
        run.at("clip").text_or_null();
        runs_.back().emplace_back(path, runs[runs_.back().size()], vertices);
      }
    }
  }

  void add(const std::string& path, const Json& part) {
    const PartSection all{part, report_, path, path_, ""};
    require_same_keys(all);
    for (const auto& [key, value] : part.items()) {
      const PartSection section = all.member(key);
      if (key == "inputs") {
        require_same_inputs(section);
      } else if (key == "settings") {
        require_equal_but(section, {"frames"});
      } else if (key == "clips") {
        add_elements(section, {"first_frame", "frame_count"});
      } else if (key == "outputs") {
        add_elements(section, {"path", "bytes", "xxh128"});
      } else if (key == "verdict") {
        require_same_thresholds(section);
      } else if (key == "meshes") {
        add_meshes(section);
      } else {
        require_equal(section);
      }
    }
  }

  void finish() {
    for (std::size_t m = 0; m < runs_.size(); ++m) {
      Json& mesh = report_.at("meshes")[m];
      for (std::size_t r = 0; r < runs_[m].size(); ++r) {
        runs_[m][r].finish(mesh.at("runs")[r], mesh.at("bbox_diagonal_m").get<double>());
      }
    }
    evaluate_again(report_, path_);
  }

 private:
  static void add_elements(const PartSection& list, std::initializer_list<std::string_view> but) {
    require_same_size(list);
    for (std::size_t i = 0; i < list.part.size(); ++i) require_equal_but(list.element(i), but);
  }

  void add_meshes(const PartSection& meshes) {
    require_same_size(meshes);
    for (std::size_t m = 0; m < runs_.size(); ++m) {
      const PartSection mesh = meshes.element(m);
      require_equal_but(mesh, {"runs"});
      const PartSection runs = mesh.member("runs");
      require_same_size(runs);
      for (std::size_t r = 0; r < runs_[m].size(); ++r) {
        PartSection run = runs.element(r);
        run.name = "run of mesh '" + mesh.cursor().at("id").text() + "'";
        runs_[m][r].add(run);
      }
    }
  }

  const std::string& path_;
  Json& report_;                             // of the first part, then of the whole
  std::vector<std::vector<RunParts>> runs_;  // [mesh][run]
};

// The number of frames that each clip has, of which `frames` may be a part.
std::vector<std::int64_t> clip_frame_counts(const JsonCursor& report,
                                            const std::vector<FrameRange>& frames) {
  const bool loop = report.at("settings").at("loop").truth();
  const std::vector<JsonCursor> clips = report.at("clips").elements();
  std::vector<std::int64_t> counts;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const double duration_s = clips[c].at("duration_s").number();
    if (!(duration_s >= 0 && duration_s * frames[c].fps < static_cast<double>(kMostFrames))) {
      clips[c].at("duration_s").fail("is not a duration");
    }
    const std::int64_t last = last_frame(duration_s, frames[c].fps);
    counts.push_back(loop && last > 0 ? last : last + 1);
  }
  return counts;
}

// --frames of one run: as typed, or null if the run has every frame of its clips.
Json frames_setting(const std::vector<FrameRange>& frames,
                    const std::vector<std::int64_t>& clip_frame_counts) {
  bool is_all = true;
  for (std::size_t c = 0; c < frames.size(); ++c) {
    is_all &= frames[c].first_frame == 0 && frames[c].frame_step == 1 &&
              frames[c].frame_count == clip_frame_counts[c];
  }
  if (is_all) return {};
  const FrameRange& first = frames.front();
  std::string text =
      std::to_string(first.first_frame) + ":" + std::to_string(first.frame(first.frame_count - 1));
  if (first.frame_step != 1) text += ":" + std::to_string(first.frame_step);
  return text;
}

bool has_failing_threshold(const JsonCursor& report) {
  return std::ranges::any_of(
      report.at("verdict").at("checks").elements(),
      [](const JsonCursor& check) { return check.at("severity").text() == "fail"; });
}

// Throws if the parts do not have the first or the last frame that was asked for, or, for a
// threshold that fails, that a clip has: the frames that were not measured must not pass.
void require_whole_clips(const JsonCursor& report, const Order& order,
                         const std::vector<std::int64_t>& clip_frame_counts,
                         const std::optional<FrameRange>& whole) {
  if (!whole && !has_failing_threshold(report)) return;
  for (std::size_t c = 0; c < order.clips.size(); ++c) {
    const FrameRange& frames = order.clips[c];
    require_whole(order.ranges[c], {frames, order.parts},
                  whole ? *whole : whole_clip(frames, clip_frame_counts[c]));
  }
}

// "frames 0 to 30 in steps of 2 at 30 fps"
std::string text_of(const FrameRange& frames) {
  std::string text = "frames " + std::to_string(frames.first_frame) + " to " +
                     std::to_string(frames.frame(frames.frame_count - 1));
  if (frames.frame_step != 1) text += " in steps of " + std::to_string(frames.frame_step);
  std::array<char, 32> fps;
  const auto end = std::to_chars(fps.data(), fps.data() + fps.size(), frames.fps).ptr;
  return text + " at " + std::string(fps.data(), end) + " fps";
}

bool are_same(const FrameRange& a, const FrameRange& b) {
  return a.fps == b.fps && a.first_frame == b.first_frame && a.frame_count == b.frame_count &&
         (a.frame_step == b.frame_step || a.frame_count == 1);
}

// Throws if a cache has other frames of a clip than the parts of the report: it is not the whole of
// the caches that they wrote. `frames`: of each clip of the report.
void require_same_frames(const JsonCursor& report, const std::vector<FrameRange>& frames,
                         const std::vector<WholeCache>& caches) {
  const std::vector<JsonCursor> clips = report.at("clips").elements();
  for (const WholeCache& cache : caches) {
    for (const FramesOfClip& of_cache : cache.clips) {
      for (std::size_t c = 0; c < clips.size(); ++c) {
        if (clips[c].at("id").text_or_null() != of_cache.clip) continue;
        if (are_same(of_cache.frames, frames[c])) continue;
        throw Error(ErrorKind::kInput, "PARTS_DIFFER",
                    "has " + text_of(of_cache.frames) +
                        (of_cache.clip.empty() ? "" : " of clip '" + of_cache.clip + "'") +
                        ", but the merged report has " + text_of(frames[c]) +
                        "; give the cache that the caches of these parts were merged to",
                    {cache.output.path, ""});
      }
    }
  }
}

bool is_of(const OutputRecord& cache, const JsonCursor& output) {
  return cache.format == output.at("format").text() && cache.mesh == output.at("mesh").text() &&
         cache.clip == output.at("clip").text_or_null() &&
         cache.method == output.at("method").text();
}

// Replaces the caches of the parts by the whole ones.
void replace_outputs(const std::string& path, const std::vector<WholeCache>& caches, Json& report) {
  const auto outputs = JsonCursor(path, report).find("outputs");
  const std::vector<JsonCursor> elements =
      outputs ? outputs->elements() : std::vector<JsonCursor>();
  for (const WholeCache& cache : caches) {
    if (std::ranges::any_of(elements, [&](const JsonCursor& o) { return is_of(cache.output, o); }))
      continue;
    throw_part_invalid(cache.output.path,
                       "the parts did not write a cache of this format, mesh, clip and "
                       "method; leave it out");
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto cache = std::ranges::find_if(
        caches, [&](const WholeCache& c) { return is_of(c.output, elements[i]); });
    if (cache == caches.end()) {
      throw_part_invalid(path, "the part wrote " + elements[i].at("path").text() +
                                   "; merge these caches first, and give the whole one");
    }
    Json& output = report.at("outputs")[i];
    output["path"] = cache->output.path;
    output["bytes"] = cache->output.bytes;
    output["xxh128"] = cache->output.xxh128;
  }
}

VerdictStatus status_of(const Json& report) {
  using enum VerdictStatus;
  const std::string status = report.at("verdict").at("status").get<std::string>();
  for (const VerdictStatus known : {kPass, kWarn, kFail}) {
    if (status == to_string(known)) return known;
  }
  return kNone;
}

MergedReport merge_checked(const std::vector<std::string>& paths,
                           const std::vector<WholeCache>& caches,
                           const std::optional<FrameRange>& whole, std::uint64_t max_memory) {
  std::vector<std::vector<FrameRange>> frames;
  for (const std::string& path : paths) {
    require_readable(path, max_memory);
    frames.push_back(frames_of_clips(path, read_part(path, max_memory).json()));
  }
  const Order order = order_of(paths, frames);
  const std::string& first_path = paths[order.parts.front()];
  const PartReport first = read_part(first_path, max_memory);
  // The whole grows at most by what is read.
  std::uint64_t used = first.text.size() + first.document.memory;
  Json& report = first.json();
  Merge merge(first_path, report);
  for (std::size_t i = 1; i < order.parts.size(); ++i) {
    const std::string& path = paths[order.parts[i]];
    const PartReport part = read_part(path, {max_memory, used});
    used += part.document.memory;
    merge.add(path, part.json());
  }
  merge.finish();
  for (std::size_t c = 0; c < order.clips.size(); ++c) {
    report.at("clips")[c]["frame_count"] = order.clips[c].frame_count;
  }
  const std::vector<std::int64_t> counts = clip_frame_counts({first_path, report}, order.clips);
  require_whole_clips({first_path, report}, order, counts, whole);
  const Json some = frames_setting(order.clips, counts);
  report.at("settings")["frames"] = some;
  replace_outputs(first_path, caches, report);
  require_same_frames({first_path, report}, order.clips, caches);
  return {text_like(first.text, report), status_of(report),
          some.is_null() ? "" : some.get<std::string>()};
}

}  // namespace

MergedReport merge_reports(const std::vector<std::string>& paths,
                           const std::vector<WholeCache>& caches,
                           const std::optional<FrameRange>& whole, std::uint64_t max_memory) {
  try {
    return merge_checked(paths, caches, whole, max_memory);
  } catch (const Error& error) {
    if (error.code() != "MEMORY_LIMIT") throw;
    // Errors per vertex in other files are not read, so that no memory is left for them.
    const MemoryShare without_arrays = 0;
    refuse_reports(memory_of_reports(paths, true, without_arrays), max_memory, paths.front(), true);
  } catch (
      const nlohmann::json::exception& error) {  // a member of another type than skinbake writes
    throw Error(ErrorKind::kInput, "REPORT_INVALID",
                std::string("a value of a part is not of the type that reports have (") +
                    error.what() + "); give JSON reports that skinbake wrote",
                {paths.front(), ""});
  }
}

}  // namespace skinbake
