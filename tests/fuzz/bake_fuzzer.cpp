// Fuzzes the whole way of a rig: load, inspect, change, bake, write, read back, measure and report.
//
// The first four bytes choose a method, a cache format with its options, rig modifiers and the
// frames; the other bytes are a glTF file. Every step either succeeds or throws an error of its
// input.

#include <cstdlib>
#include <filesystem>
#include <new>

#include "gltf/mutate.h"
#include "gltf/share.h"
#include "inspect/inspect.h"
#include "report/document.h"
#include "report/pages/pages.h"
#include "skinbake/bake.h"
#include "skinbake/caches.h"
#include "skinbake/clip.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "skinbake/gltf.h"
#include "skinbake/methods.h"
#include "skinbake/metrics.h"
#include "skinbake/rig.h"
#include "support/memory_file.h"
#include "support/temporary_folder.h"

using namespace skinbake;

namespace {

constexpr std::size_t kChoices = 4;
// The sanitizers make a bake a hundred times slower.
constexpr std::size_t kMostVertices = 400, kMostRigs = 2;

fuzz::Share share("baked");

void require(bool holds) {
  if (!holds) std::abort();
}

const char* const kModifiers[][2] = {{"influences", "1"},
                                     {"influences", "4"},
                                     {"weights", "u8"},
                                     {"profile", "unreal-4"},
                                     {"twist", "auto"}};

struct Choices {
  Method method;
  const CacheFormat* format;
  unsigned modifier;  // from the number of modifiers on: none
  unsigned frames;
  Space space;
  unsigned variant;  // of the format
};

Choices choices_of(const std::uint8_t* bytes) {
  const auto ids = methods();
  const auto formats = cache_formats();
  return {parse_method(ids[bytes[0] % ids.size()].id),
          &formats[bytes[1] % formats.size()],
          bytes[2] % 8u,
          bytes[3] % 32u,
          bytes[3] >= 128 ? Space::kMesh : Space::kScene,
          bytes[2] / 8u};
}

Rig modified(const Rig& rig, const Asset& asset, const Choices& choices) {
  if (choices.modifier >= std::size(kModifiers)) return rig;
  const auto& [kind, value] = kModifiers[choices.modifier];
  const Modifier modifier = parse_modifier(kind, value);
  const Rig* const rigs[] = {&rig};
  try {
    return modify(rigs, {&modifier, 1}, {asset.humanoid.bones}).front().rig;
  } catch (const Error& error) {  // the rig does not have arms or legs
    require(error.kind() == ErrorKind::kUsage);
    return rig;
  }
}

// One option of the format with one of its values.
CacheOptions options_of(const Choices& choices) {
  const auto options = choices.format->options;
  if (options.empty() || choices.variant == 0) return {};
  const MethodParameter& option = options[choices.variant % options.size()];
  std::string values = values_of_option(option);
  for (std::size_t i = 0; i < choices.variant / options.size(); ++i) {
    const std::size_t bar = values.find('|');
    if (bar == values.npos) break;
    values.erase(0, bar + 1);
  }
  return {{std::string(option.name), values.substr(0, values.find('|'))}};
}

std::string_view extension_of(const Choices& choices) {
  const bool is_other = choices.variant % 2 == 1 && !choices.format->other_extension.empty();
  return is_other ? choices.format->other_extension : choices.format->extension;
}

void write_and_read(const Rig& rig, const Clip* clip, const Choices& choices,
                    const FrameRange& frames, const Asset& asset) {
  static const test::TemporaryFolder folder;
  const std::string path = folder / ("cache" + std::string(extension_of(choices)));
  CacheSettings settings;
  settings.inputs = asset.inputs;
  settings.appearance = asset.appearance;
  settings.options = options_of(choices);
  // Other formats have fixed axes, or none that are read back.
  const bool has_axes = choices.format->id == "pc2" || choices.format->id == "npy";
  if (has_axes && choices.frames % 2 == 1) settings.axes = {CacheAxes::Up::kZ, 100};
  const BakedFile file = bake_to_file(
      {rig, clip, choices.method, frames, {.space = choices.space, .threads = 1}}, path, settings);
  require(std::filesystem::file_size(path) == file.bytes);
  if (choices.format->read != nullptr) {
    const auto reader = open_cache(path);
    require(reader->frame_count() == frames.frame_count);
    require(reader->vertex_count() == rig.mesh->vertex_count());
    require(reader->xxh128() == file.xxh128);
    require(reader->provenance().has_value());
    std::vector<float> rows(static_cast<std::size_t>(reader->vertex_count()) * 3);
    for (std::int64_t f = 0; f < frames.frame_count; ++f) reader->read(f, 1, rows.data());
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    std::filesystem::remove(entry);
  }
}

void measure_and_report(const Rig& rig, const Clip* clip, const Choices& choices,
                        const FrameRange& frames, const Asset& asset) {
  std::vector<std::string> ids;
  for (const MetricInfo& info : metrics()) ids.emplace_back(info.id);
  const Measurement measured =
      measure({rig, clip, choices.method, frames, {.space = choices.space, .threads = 1}},
              {Reference::Kind::kMethod, parse_method("lbs")}, ids);
  Report report;
  report.command = "bake";
  report.inputs = asset.inputs;
  report.settings.reference = "lbs";
  report.issues = measured.issues;
  report.clips.push_back({clip, frames});
  RunRecord run;
  run.clip = clip == nullptr ? "" : clip->id;
  run.method = choices.method.canonical();
  run.frames = frames;
  run.reference = "lbs";
  run.error = measured.error;
  run.volume = measured.volume;
  run.metrics = measured.others;
  MeshRecord mesh;
  mesh.rig = &rig;
  mesh.bbox_diagonal_m = measured.bbox_diagonal_m;
  mesh.runs.push_back(std::move(run));
  report.meshes.push_back(std::move(mesh));
  const NamedReport parsed{"report.json", document_of(report)};
  for (const ReportForm format : {ReportForm::kHtml, ReportForm::kMarkdown, ReportForm::kJunit}) {
    require(!to_page(format, {&parsed, 1}).empty());
  }
}

void bake_asset(const Asset& asset, const Choices& choices) {
  const Clip* const clip = asset.clips.empty() ? nullptr : &asset.clips.front();
  for (std::size_t r = 0; r < std::min(asset.rigs.size(), kMostRigs); ++r) {
    const Rig& loaded = asset.rigs[r];
    if (loaded.fault || loaded.mesh->vertex_count() > kMostVertices) continue;
    share.reach();
    const Rig rig = modified(loaded, asset, choices);
    FrameRange frames;
    frames.fps = 30;
    frames.first_frame = choices.frames;
    frames.frame_count = clip == nullptr ? 1 : 1 + choices.frames % 18;
    write_and_read(rig, clip, choices, frames, asset);
    measure_and_report(rig, clip, choices, frames, asset);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < kChoices) return 0;
  static test::MemoryFile file;
  const fuzz::Share::Input counted(share);
  try {
    const Choices choices = choices_of(data);
    file.write({reinterpret_cast<const char*>(data) + kChoices, size - kChoices});
    const Asset asset = load_asset(file.path(), {.materials = true, .tangents = true});
    inspect_text(asset);
    inspect_json(asset, widest_cracks(asset));
    bake_asset(asset, choices);
  } catch (const std::bad_alloc&) {  // bounded_blocks.cpp
  } catch (const Error& error) {
    share.refuse(error.code());
    // A format may be unsuitable for the mesh, and a twist impossible.
    if (error.kind() == ErrorKind::kOutput) std::abort();
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  if (size <= kChoices || max_size <= kChoices) return 0;
  if (seed % 4 == 0) data[seed / 4 % kChoices] = static_cast<std::uint8_t>(seed / 16);
  return kChoices + fuzz::mutate_gltf(data + kChoices, size - kChoices, max_size - kChoices, seed);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t a_size,
                                                 const std::uint8_t* b, std::size_t b_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned seed) {
  if (a_size <= kChoices || b_size <= kChoices || max_size <= kChoices) return 0;
  std::copy_n(a, kChoices, out);
  const std::size_t written =
      fuzz::cross_gltf(a + kChoices, a_size - kChoices, b + kChoices, b_size - kChoices,
                       out + kChoices, max_size - kChoices, seed);
  return written == 0 ? 0 : kChoices + written;
}
