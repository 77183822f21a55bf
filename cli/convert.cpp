// skinbake convert walk.mdd walk.npy

#include <spdlog/fmt/fmt.h>

#include <filesystem>
#include <memory>

#include "choices.h"
#include "commands.h"
#include "format_options.h"
#include "habits.h"
#include "interrupt.h"
#include "load_options.h"
#include "output_paths.h"
#include "progress.h"
#include "sidecar_text.h"
#include "skinbake/skinbake.h"
#include "summary.h"
#include "verify_outputs.h"

namespace skinbake::cli {

namespace {

struct ConvertOptions : Habits {
  std::string from, to;
  std::string mesh;  // of several; empty: all of them
  double fps = 0;    // 0: as the sidecar or the cache says
  std::uint64_t max_memory = LoadOptions().max_memory;
  bool half = false;
  bool verify = false;
  bool sync = false;
};

// Only what is known: a cache without a sidecar says little of itself.
CacheHeader header_of(const CacheReader& from) {
  CacheHeader header;
  header.mesh.vertex_count = from.vertex_count();
  header.frames = from.frames();
  if (!from.has_times()) header.frames.fps = 0;
  header.source_axes.reset();
  return header;
}

CacheHeader header_of(const CacheOrigin& origin, const CacheReader& from) {
  CacheHeader header;
  header.clip = origin.clip;
  header.frames = origin.frames;
  header.space = origin.space;
  header.method = origin.method;
  header.inputs = origin.inputs;
  header.modifiers = origin.modifiers;
  header.mesh = {origin.mesh,      origin.node,         origin.node_name,
                 origin.mesh_name, from.vertex_count(), origin.primitives};
  header.source_axes = origin.axes;
  return header;
}

CacheHeader header_of(const ConvertOptions& options, const CacheReader& from) {
  const std::optional<CacheOrigin> origin = from.origin();
  log_issues(ignored_sidecar(from), {options.from + ".json"});
  CacheHeader header = origin ? header_of(*origin, from) : header_of(from);
  if (options.fps > 0) header.frames.fps = options.fps;
  header.inputs.insert(header.inputs.begin(),
                       {"cache", shown(options.from), from.bytes(), from.xxh128()});
  return header;
}

// Neither the cache that is read nor its sidecar may be replaced.
void check_paths(const ConvertOptions& options) {
  require_no_input({options.to, options.to + ".json"}, {options.from, options.from + ".json"});
}

// What a file's count of vertices asks for: rows of a block, as they are read and as they are
// written, for each thread.
void require_memory(const ConvertOptions& options, const CacheReader& from) {
  constexpr std::uint64_t kBytesPerVertex = 3 * sizeof(float) * (kFramesPerBlock + 1) * 2;
  if (static_cast<std::uint64_t>(from.vertex_count()) <= options.max_memory / kBytesPerVertex)
    return;
  throw Error(ErrorKind::kInput, "MEMORY_LIMIT",
              fmt::format("{} vertices ask for more than {} bytes; raise --max-memory if you trust "
                          "the file",
                          from.vertex_count(), options.max_memory),
              {from.path(), ""});
}

void feed(const ConvertOptions& options, const CacheReader& from, FrameSink& sink) {
  const std::unique_ptr<FrameSink> check = finite_check(from);
  Progress progress(from.frame_count(), options.bar());
  progress.begin(one_line(options.from));
  PlayPlan plan;
  plan.frames = &from;
  plan.sinks = {check.get(), &sink};
  plan.threads = options.threads;
  plan.progress = [&](std::int64_t frames) { progress.update(frames); };
  plan.cancelled = interrupt_flag();
  play(plan);
}

// Reads both once more. Returns the line that says how far they are from one another, in metres if
// the units are known.
std::string verified(const ConvertOptions& options, const CacheReader& from,
                     const CacheWriter& writer, const CacheHeader& header) {
  const auto verifier = verify_cache(writer, header);
  feed(options, from, *verifier);
  const double units_per_metre = header.source_axes ? header.source_axes->scale : 1;
  VerificationRecord record;
  record.path = writer.path();
  record.max_m = verifier->result().max_m / units_per_metre;
  record.bound_m = writer.bound_m() / units_per_metre;
  record.vertex = verifier->result().vertex;
  if (record.max_m > 0) record.frame = header.frames.frame(verifier->result().frame);
  record.passed = record.max_m <= record.bound_m;
  require_within_bound(record, header.axes);
  verify_bytes(writer);
  return verification_text(record);
}

void run_convert(const ConvertOptions& options) {
  configure_console(options);
  const CacheFormat& format = cache_format_of(options.to);
  if (options.half) require_half_precision({options.to}, {});
  check_paths(options);
  const std::unique_ptr<CacheReader> from = open_cache(options.from, options.mesh);
  CacheHeader header = header_of(options, *from);
  set_precision(options.to, options.half, header.options);
  finish_before_ending();
  const std::unique_ptr<CacheWriter> writer = format.open(options.to, header);
  require_memory(options, *from);
  feed(options, *from, *writer);
  std::string text = size_text(*writer, header);
  if (options.verify) text += verified(options, *from, *writer, header);
  if (options.sync) writer->sync();
  writer->commit();
  if (!options.quiet) print_summary(text, false);
}

}  // namespace

void setup_convert(CLI::App& app) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "Write a cache in another format");
  command->add_option("from", options->from, "Cache to read (skinbake list formats)")
      ->required()
      ->check(not_empty)
      ->type_name("FILE");
  command
      ->add_option("to", options->to,
                   "Cache to write; its extension picks the format, one that needs no rig: .pc2, "
                   ".mdd or .npy")
      ->required()
      ->check(not_empty)
      ->type_name("PATH");
  command
      ->add_option("--fps", options->fps,
                   "Frames per second, where neither the sidecar nor the cache has them (MDD wants "
                   "times), or to have others")
      ->check(positive)
      ->type_name("F");
  command
      ->add_option(
          "--mesh", options->mesh,
          "Of a GLB of several meshes: one, by its name or '#node'; default: all, one after "
          "another")
      ->check(not_empty)
      ->type_name("ID");
  add_precision_option(*command, options->half);
  command->add_flag("--verify", options->verify,
                    "Read the cache back, before it gets its name, and compare; exit 4 if it is "
                    "beyond its format's bound");
  add_max_memory_option(*command, options->max_memory);
  command->add_flag("--sync", options->sync, "fsync the cache before it gets its name");
  add_habits(*command, *options);
  command->footer(
      "Examples:\n"
      "  skinbake convert walk.pc2 walk.npy\n"
      "  skinbake convert walk.npy walk.mdd --fps 24 --verify");
  command->callback([options] { run_convert(*options); });
}

}  // namespace skinbake::cli
