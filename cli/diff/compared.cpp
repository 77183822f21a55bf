// Frames that are compared, and the order of their vertices.

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>

#include "base/issue.h"
#include "base/paths.h"
#include "compare/rig_data.h"
#include "comparison/stated_frames.h"
#include "diff/compared.h"
#include "diff/conclusion.h"
#include "options/usage_error.h"
#include "outputs/output_paths.h"
#include "skinbake/compare.h"
#include "surfaces/side.h"
#include "terminal/format.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

std::vector<float> first_frame(const FrameSource& source) {
  std::vector<float> positions(static_cast<std::size_t>(source.vertex_count()) * 3);
  source.read(0, 1, positions.data());
  return positions;
}

// "--rig-a" for the sides that are caches.
std::string rig_options(const DiffSide& a, const DiffSide& b) {
  return std::string(a.cache ? " --rig-a FILE" : "") + (b.cache ? " --rig-b FILE" : "");
}

}  // namespace

RigsAtBind::RigsAtBind(const ChosenRig& a, const ChosenRig& b)
    : path_a_(a.asset->path), path_b_(b.asset->path) {
  require_finite_bind(path_a_, {&a.rig, 1});
  require_finite_bind(path_b_, {&b.rig, 1});
  surfaces_ = bind_surfaces({&a.rig, 1}, {&b.rig, 1});
}

void RigsAtBind::require_same_order() const {
  if (!have_another_order(surfaces_)) return;
  const bool is_permuted = match_order(surfaces_.a, surfaces_.b).has_value();
  throw Error(
      "NOT_COMPARABLE",
      fmt::format("not comparable by index: the vertices of {} have another order than in {}{}; "
                  "use --match {}, or --match index to compare them nevertheless",
                  path_b_, path_a_, is_permuted ? "" : ", and other positions, normals or weights",
                  is_permuted ? "order" : "surface"));
}

// A node that mirrors its mesh reverses the triangles of the surface.
Issues RigsAtBind::other_triangles() const {
  return triangle_issue(triangle_difference(surfaces_.a.triangles, surfaces_.b.triangles), path_a_,
                        path_b_);
}

SurfaceAreas RigsAtBind::areas() const {
  return {surface_area(surfaces_.a), surface_area(surfaces_.b)};
}

Issues other_order(const DiffSide& a, const DiffSide& b, const Rig* rig) {
  const auto triangles_of = [](const Rig* mesh) {
    return mesh == nullptr ? std::span<const std::array<VertexIndex, 3>>{} : mesh->mesh->triangles;
  };
  const std::vector<float> of_a = first_frame(a.source()), of_b = first_frame(b.source());
  const FrameVertices in_a{of_a, triangles_of(a.rig ? a.rig->rig : nullptr)};
  const FrameVertices in_b{of_b, triangles_of(b.rig ? b.rig->rig : rig)};
  if (!have_another_order(in_a, in_b)) return {};
  Issue issue;
  issue.code = "VERTEX_ORDER_DIFFERS";
  issue.severity = Severity::kWarning;
  issue.file = shown(b.path);
  issue.message = fmt::format(
      "the vertices of the first frame are on the surface of {}, but in another order; compare "
      "them with --match order or --match surface{}",
      shown(a.path), rig_options(a, b));
  return {issue};
}

Issues other_channels(const std::string& path_b, const ClipOfSkeleton& a, const ClipOfSkeleton& b) {
  constexpr std::size_t kNamed = 3;
  const std::vector<std::string> found = clip_differences(*a.skeleton, a.clip, *b.skeleton, b.clip);
  if (found.empty()) return {};
  std::string message = "the frames are equal, but";
  for (std::size_t i = 0; i < std::min(kNamed, found.size()); ++i) {
    message += (i == 0 ? " " : "; ") + found[i];
  }
  if (found.size() > kNamed) message += fmt::format("; and {} more", found.size() - kNamed);
  if (b.clip != nullptr) message = "clip '" + b.clip->id + "': " + message;
  const std::string pointer =
      b.clip == nullptr ? "" : "/animations/" + std::to_string(b.clip->index);
  return {make_issue("CHANNELS_DIFFER", shown(path_b), pointer, std::move(message),
                     static_cast<std::int64_t>(found.size()))};
}

namespace {

// The rig whose bind pose relative errors refer to: --rig, else a side that is a rig, else null.
const ChosenRig* rig_of(const Compared& c) {
  if (c.rig) return &*c.rig;
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) return &*side->rig;
  }
  return nullptr;
}

// "Body, Lantern, Mouth".
std::string names_of(const std::vector<CachePart>& parts) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, parts.size()); ++i) {
    names += (i == 0 ? "" : ", ") + parts[i].mesh;
  }
  return parts.size() > kNamed ? names + ", …" : names;
}

// The mesh's id by a sidecar, else the meshes of a GLB, else the name of file A.
std::string id_of(const Compared& c) {
  for (const auto* provenance : {&c.a_provenance, &c.b_provenance}) {
    if (*provenance && !(*provenance)->mesh.empty()) return (*provenance)->mesh;
  }
  const std::vector<CachePart> parts = parts_of(c);
  return parts.empty() ? std::filesystem::path(c.a.path).stem().string() : names_of(parts);
}

}  // namespace

std::vector<CachePart> parts_of(const Compared& c) {
  for (const DiffSide* side : {&c.b, &c.a}) {
    if (side->cache && !side->cache->parts().empty()) return side->cache->parts();
  }
  return {};
}

void read_provenance(Compared& c) {
  if (c.a.cache) c.a_provenance = c.a.cache->provenance();
  if (c.b.cache) c.b_provenance = c.b.cache->provenance();
  if (c.mesh.rig == &c.first_frame) c.first_frame.id = id_of(c);
}

namespace {

void choose_mesh(Compared& c) {
  if (const ChosenRig* chosen = rig_of(c)) {
    c.mesh.rig = chosen->rig;
    with_mesh_location(chosen->asset->files.front(), *chosen->rig, [&] {
      c.mesh.bbox_diagonal_m = bind_baseline(*chosen->rig).bbox_diagonal_m;
    });
    return;
  }
  c.first_frame =
      rig_of_first_frame(c.a.source(), id_of(c),
                         c.a_provenance ? c.a_provenance->primitives : std::vector<Primitive>{});
  c.mesh.rig = &c.first_frame;
  c.mesh.bbox_diagonal_m = bbox_diagonal(c.first_frame);
}

// The frames of a side that is a rig, else by the sidecar or the header of A.
FrameRange frames_of(const Compared& c) {
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) return side->rig->frames;
  }
  if (c.a_provenance) return c.a_provenance->frames;
  const auto claimed = c.a.numbered_frames(false);
  const bool is_numbered = claimed && (claimed->first_frame != 0 || claimed->frame_step != 1);
  return (is_numbered ? c.a.numbered_frames(true) : claimed).value_or(c.a.frames());
}

// If the cache has the end of a clip between two frames, a rig has it too.
void add_end_of(const CacheReader& cache, ChosenRig& rig) {
  const FrameRange frames = stated_frames(cache, false).frames;
  if (rig.clip == nullptr || !frames.is_end(frames.frame_count - 1)) return;
  rig.frames = with_exact_end(rig.frames, *rig.clip);
}

// Selects the frames of the sides that are rigs. The clips of both have one rate.
void choose_frames(FrameOptions& options, Compared& c) {
  std::vector<KeyedClip> clips;
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (!side->rig) continue;
    clips.push_back({side->rig->clip, side->rig->asset->skeleton.get(), side->path});
  }
  settle_fps(clips, options);
  for (DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) side->rig->frames = select_frames(side->path, side->rig->clip, options);
  }
  if (c.a.rig && c.b.rig) {
    add_ends({c.a.rig->clip, &c.a.rig->frames}, {c.b.rig->clip, &c.b.rig->frames});
  } else if (c.a.rig) {
    add_end_of(*c.b.cache, *c.a.rig);
  } else if (c.b.rig) {
    add_end_of(*c.a.cache, *c.b.rig);
  }
}

// Throws UsageError if --mesh has nothing to select from.
void require_meshes(const DiffOptions& options, const Compared& c) {
  if (options.meshes.empty() || rig_of(c) != nullptr) return;
  if (c.a.cache->format().holds_meshes || c.b.cache->format().holds_meshes) return;
  throw UsageError("--mesh", "selects from a rig or a GLB; these caches have one mesh each");
}

// Throws if an output would replace a file that a rig names, such as its buffer.
void refuse_inputs(const DiffOptions& options, const Compared& c) {
  InputFiles inputs;
  for (const DiffSide* side : {&c.a, &c.b}) {
    if (side->rig) inputs.add(*side->rig->asset);
  }
  if (c.rig) inputs.add(*c.rig->asset);
  inputs.refuse(output_paths(options));
}

// Throws Error (kNotComparable), with the options that compare other vertices.
void require_comparable_by_index(const DiffOptions& options, Compared& c) {
  const FrameCounts a = c.a.counts(), b = c.b.counts();
  if (a.vertices != b.vertices) require_comparable(a, b, "; --match surface compares the surfaces");
  require_comparable(a, b);
  const bool is_asked = options.typed.contains("--match");
  if (!c.a.rig || !c.b.rig) return;
  c.at_bind.emplace(*c.a.rig, *c.b.rig);
  if (!is_asked) c.at_bind->require_same_order();
}

}  // namespace

void open_sides(DiffOptions& options, Compared& c) {
  c.a = open_side(options, options.a, "a");
  c.b = open_side(options, options.b, "b");
  choose_frames(options.frames, c);
  if (!options.rig.empty()) {
    c.rig = choose_rig(options, options.rig, "rig", false);
    const FrameCounts a = c.a.counts();
    require_comparable({options.rig, c.rig->rig->mesh->vertex_count(), a.frames}, a);
  }
  refuse_inputs(options, c);
  require_comparable_by_index(options, c);
  require_meshes(options, c);
  require_like_frames(options, c.a, c.b);
  evaluate(options, c.a);
  evaluate(options, c.b);
  if (options.wants_report()) read_provenance(c);
  choose_mesh(c);
  c.frames = frames_of(c);
}

}  // namespace skinbake::cli
