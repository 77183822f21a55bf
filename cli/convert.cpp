// `skinbake convert walk.mdd walk.npy`: writes a cache in another format.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "base/paths.h"
#include "commands.h"
#include "comparison/stated_frames.h"
#include "jobs/summary.h"
#include "jobs/verify_outputs.h"
#include "json/text.h"
#include "options/choices.h"
#include "options/option_groups.h"
#include "outputs/format_options.h"
#include "outputs/output_paths.h"
#include "skinbake/frames.h"
#include "terminal/format.h"
#include "terminal/interrupt.h"
#include "terminal/progress.h"
#include "thresholds/evaluate_thresholds.h"

namespace skinbake::cli {

namespace {

struct ConvertOptions : CommonOptions {
  std::string from, to;
  std::string mesh;  // of a cache of several meshes; empty: all of them
  double fps = 0;    // 0: by the sidecar or the cache
  bool strict = false;
  bool half = false;
  bool verify = false;
  bool sync = false;
};

// The header of a cache without a sidecar.
CacheHeader header_of(const CacheReader& from) {
  CacheHeader header;
  header.mesh.vertex_count = from.vertex_count();
  header.frames = from.frames();
  if (!from.has_times()) header.frames.fps = 0;
  header.source_axes.reset();
  return header;
}

CacheHeader header_of(const CacheProvenance& provenance, const CacheReader& from) {
  CacheHeader header;
  header.clip = provenance.clip;
  header.frames = provenance.frames;
  header.space = provenance.space;
  header.method = provenance.method;
  header.inputs = provenance.inputs;
  header.modifiers = provenance.modifiers;
  header.mesh = {provenance.mesh,      provenance.node,     provenance.node_name,
                 provenance.mesh_name, from.vertex_count(), provenance.primitives};
  header.source_axes = provenance.axes;
  header.method_on_mesh = provenance.method_on_mesh;
  header.clips = provenance.clips;
  header.clip_frame_count = provenance.clip_frame_count;
  return header;
}

CacheHeader header_of(const ConvertOptions& options, const CacheReader& from) {
  const std::optional<CacheProvenance> provenance = from.known_provenance();
  const bool is_complete = provenance && provenance->is_complete;
  CacheHeader header = is_complete ? header_of(*provenance, from) : header_of(from);
  if (provenance && !is_complete) {
    const double fps = header.frames.fps;
    header.frames = provenance->frames;
    if (header.frames.fps == 0) header.frames.fps = fps;
    header.inputs = provenance->inputs;
  }
  if (options.fps > 0) {
    double& end_s = header.frames.end_s;
    if (std::isfinite(end_s)) end_s *= header.frames.fps / options.fps;
    header.frames.fps = options.fps;
  }
  header.inputs.insert(header.inputs.begin(),
                       {"cache", shown(options.from), from.bytes(), from.xxh128()});
  return header;
}

// Throws if the output would replace the input or its sidecar.
void check_paths(const ConvertOptions& options) {
  InputFiles inputs;
  inputs.add_cache(options.from);
  inputs.refuse({options.to, options.to + ".json"});
}

// Throws if --mesh names another mesh than the one that the sidecar states. A format that
// holds several meshes selects among them; any other cache is read whole.
void require_mesh(const ConvertOptions& options, const CacheReader& from) {
  if (options.mesh.empty() || from.format().holds_meshes) return;
  const std::optional<CacheProvenance> stated = from.provenance();
  if (!stated || stated->mesh == options.mesh) return;
  if (stated->node && "#" + std::to_string(*stated->node) == options.mesh) return;
  const std::string content = stated->mesh.empty() ? "several meshes, one after another"
                                                   : "the mesh '" + stated->mesh + "'";
  throw Error("MESH_UNKNOWN",
              "no mesh '" + options.mesh + "' to select in the cache; it contains " + content +
                  ": name none to convert all of it",
              {from.path(), ""});
}

// Streams every frame of the cache into a sink, and checks that positions are finite.
void stream_into(const ConvertOptions& options, const CacheReader& from, FrameSink& sink) {
  const std::unique_ptr<FrameSink> check = finite_check(from);
  Progress progress(from.frame_count(), options.bar());
  progress.begin(printable(options.from));
  StreamPlan plan;
  plan.frames = &from;
  plan.sinks = {check.get(), &sink};
  plan.threads = options.threads;
  plan.progress = [&](std::int64_t frames) { progress.update(frames); };
  stream_frames(plan);
}

// Reads both caches and compares them. Returns a line with their largest difference, in metres if
// the units are known. Throws Error if it exceeds the bound.
std::string verified(const ConvertOptions& options, const CacheReader& from,
                     const CacheWriter& writer, const CacheHeader& header) {
  const auto verifier = verify_cache(writer, header);
  stream_into(options, from, *verifier);
  const double units_per_metre = header.source_axes ? header.source_axes->scale : 1;
  VerificationRecord record;
  record.path = writer.path();
  record.max_m = verifier->result().max_m / units_per_metre;
  record.bound_m = writer.bound_m() / units_per_metre;
  record.vertex = verifier->result().vertex;
  if (record.max_m > 0) record.frame = header.frames.frame(verifier->result().frame);
  record.passed = is_within_bound(record.max_m, record.bound_m);
  require_within_bound(record, header.axes);
  verify_bytes(writer);
  return verification_text(record);
}

}  // namespace

int run_convert(const ConvertOptions& options) {
  configure_console(options);
  const CacheFormat& format = cache_format_of(options.to);
  if (options.half) require_half_precision({options.to}, {});
  check_paths(options);
  const std::unique_ptr<CacheReader> from = open_cache(options.from, options.mesh);
  require_mesh(options, *from);
  const Issues issues = ignored_sidecar(*from);
  log_issues(issues, {options.from + ".json"});
  CacheHeader header = header_of(options, *from);
  set_precision(options.to, options.half, header.options);
  remove_outputs_on_signal();
  const std::unique_ptr<CacheWriter> writer = format.open(options.to, header);
  stream_into(options, *from, *writer);
  std::string text = size_text(*writer, header);
  if (options.verify) text += verified(options, *from, *writer, header);
  if (options.sync) writer->sync();
  commit_uninterrupted([&] { writer->commit(); });
  if (!options.quiet) print(text);
  return strict_exit_code(options.strict, issues);
}

void setup_convert(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = app.add_subcommand("convert", "Write a cache in another format");
  command->add_option("FROM", options->from, "Cache to read (skinbake list formats)")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  command->add_option("TO", options->to, "Cache to write (skinbake list formats)")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  command
      ->add_option_function<std::string>(
          "--fps", [options](const std::string& text) { options->fps = parse_fps(text); },
          "Frames per second; default: the rate of the sidecar or cache (MDD needs a rate)")
      ->type_name("F|N/D");
  command
      ->add_option(
          "--mesh", options->mesh,
          "Mesh of a GLB cache: its name or '#node'; default: all meshes, one after another")
      ->check(check_not_empty)
      ->type_name("ID");
  add_precision_option(*command, options->half);
  command->add_flag(
      "--verify", options->verify,
      "Read every cache back and compare it; exit 4 if the difference exceeds the format's bound");
  add_max_memory_option(*command);
  add_sync_option(*command, options->sync);
  add_strict_option(*command, options->strict);
  add_common_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  skinbake convert walk.pc2 walk.npy\n"
      "  skinbake convert walk.npy walk.mdd --fps 24 --verify");
  command->callback([options, &exit_code] { exit_code = run_convert(*options); });
}

}  // namespace skinbake::cli
