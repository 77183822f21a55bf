#include "merge/options.h"

#include <algorithm>

#include "bake/summary.h"
#include "base/files/file_name.h"
#include "base/files/output_file.h"
#include "caches/joined_cache.h"
#include "json/printable.h"
#include "options/frame_options.h"
#include "options/parsing/usage_error.h"
#include "outputs/input_files.h"
#include "outputs/output_paths.h"
#include "report/merge/merged_report.h"
#include "skinbake/memory.h"
#include "skinbake/stream_frames.h"
#include "task/task_context.h"
#include "terminal/console.h"
#include "terminal/format.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"

namespace skinbake::cli {

namespace {

std::optional<FrameRange> frames_of_whole(const MergePartsOptions& options) {
  if (!options.frames) return {};
  return stated_frames(*options.frames);
}

void refuse_inputs_as_output(const MergePartsOptions& options) {
  InputFiles inputs;
  for (const std::string& part : options.parts) inputs.add_cache(part);
  for (const std::string& cache : options.caches) inputs.add_cache(cache);
  inputs.refuse({options.output, options.output + ".json"});
}

void require_format(const MergePartsOptions& options, const JoinedCache& whole) {
  const std::string_view format = cache_format_of(options.output).id;
  if (format == whole.format()) return;
  throw UsageError("--output", fmt::format("{} is not of the parts' format, {}; skinbake convert "
                                           "writes the whole in another one",
                                           options.output, whole.format()));
}

// Throws if 16 frames, as read and as written, need more memory than --max-memory.
void require_memory(const MergePartsOptions& options, const JoinedCache& whole) {
  constexpr std::uint64_t kOfVertex = 2 * 3 * sizeof(float);
  const std::int64_t frames = std::min<std::int64_t>(whole.frame_count(), kFramesPerBlock) + 1;
  const auto vertices = static_cast<std::uint64_t>(whole.vertex_count());
  MemoryPlan plan;
  plan.use(fmt::format("{} of its frames", frames),
           vertices * kOfVertex * static_cast<std::uint64_t>(frames));
  plan.require(options.max_memory, fmt::format("a cache of {} vertices", vertices),
               "merge caches of fewer vertices", {options.parts.front(), ""});
}

void stream_into(const MergePartsOptions& options, const JoinedCache& whole, CacheWriter& writer) {
  Progress progress(whole.frame_count(), options.bar());
  progress.begin(printable(options.output));
  StreamPlan plan;
  plan.frames = &whole;
  plan.sinks = {&writer};
  plan.threads = options.threads;
  plan.progress = [&](std::int64_t frames) { progress.update(frames); };
  plan.block_memory = std::min(kBlockMemory, options.max_memory);
  stream_frames(plan);
}

// The first and the last frame of the whole.
std::string frames_text(const std::string& path, const FrameRange& frames) {
  std::string text = fmt::format("{}: frames {} to {}", printable(path), frames.first_frame,
                                 frames.frame(frames.frame_count - 1));
  if (frames.frame_step != 1) text += fmt::format(" in steps of {}", frames.frame_step);
  return text + "\n";
}

int merge_caches(const MergePartsOptions& options) {
  if (!options.caches.empty()) throw UsageError("--cache", "is for reports; the parts are caches");
  const CacheFormat& format = cache_format_of(options.output);
  refuse_inputs_as_output(options);
  const std::unique_ptr<JoinedCache> whole =
      join_caches(options.parts, frames_of_whole(options), options.max_memory);
  require_format(options, *whole);
  require_memory(options, *whole);
  remove_outputs_on_signal();
  const std::unique_ptr<CacheWriter> writer = format.open(options.output, whole->header());
  stream_into(options, *whole, *writer);
  if (options.sync) writer->sync();
  commit_uninterrupted([&] { writer->commit(); });
  if (!options.quiet) {
    print(frames_text(options.output, whole->header().frames) +
          size_text(*writer, whole->header()));
  }
  return 0;
}

// What a report says of a cache, and the frames that it has, from its verified sidecar.
WholeCache whole_cache(const std::string& path, std::uint64_t max_memory) {
  const std::unique_ptr<CacheReader> cache = open_cache(path, "", max_memory);
  const CacheProvenance provenance = verified_provenance(*cache);
  WholeCache whole;
  whole.output = {shown(path),       std::string(cache->format()),
                  provenance.mesh,   provenance.clip,
                  provenance.method, cache->bytes(),
                  cache->xxh128()};
  if (provenance.clips.empty()) whole.clips = {{provenance.clip, provenance.frames}};
  for (const CacheClip& clip : provenance.clips) {
    whole.clips.push_back(
        {clip.clip, {provenance.frames.fps, clip.first_frame, clip.frame_step, clip.frame_count}});
  }
  return whole;
}

int merge_report_files(const MergePartsOptions& options) {
  refuse_inputs_as_output(options);
  std::vector<WholeCache> caches;
  for (const std::string& path : options.caches) {
    caches.push_back(whole_cache(path, options.max_memory));
  }
  remove_outputs_on_signal();
  OutputFile file(options.output);
  const MergedReport report =
      merge_reports(options.parts, caches, frames_of_whole(options), options.max_memory);
  file.write(report.json);
  std::vector<OutputFile*> files{&file};
  commit_outputs(files, options.sync);
  if (!report.frames.empty() && !options.frames) {
    log_warning(options.output + ": the parts have frames " + report.frames +
                " alone, and their clips have more; if all were to be baked, a part is missing; "
                "--frames states those that are wanted");
  }
  if (report.verdict != VerdictStatus::kFail) return 0;
  log_error(options.output + ": a threshold is exceeded; the report says where");
  return 1;
}

}  // namespace

int run_merge(const MergePartsOptions& options) {
  configure_console(options);
  return has_extension(options.output, ".json") ? merge_report_files(options)
                                                : merge_caches(options);
}

}  // namespace skinbake::cli
