// The Python module `skinbake`: files are loaded, clips are baked into NumPy arrays and cache
// files, and measured. README.md beside this file shows an example.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <skinbake/bake.h>
#include <skinbake/caches.h>
#include <skinbake/clip.h>
#include <skinbake/compare.h>
#include <skinbake/error.h>
#include <skinbake/frames.h>
#include <skinbake/gltf.h>
#include <skinbake/methods.h>
#include <skinbake/metrics.h>
#include <skinbake/rig.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "interruptible.h"
#include "metric_dictionaries.h"
#include "texts.h"

namespace py = pybind11;
using namespace py::literals;

namespace skinbake::python {

namespace {

// An asset, and the absolute paths of its files. The paths of Asset::files are relative to the
// working directory, which Python code may change after it has loaded the asset.
struct LoadedFiles {
  Asset asset;
  std::vector<std::string> paths;
};

// A rig or a clip keeps the asset of its file alive.
struct LoadedRig {
  std::shared_ptr<const LoadedFiles> files;
  const Rig* rig;
};

// A clip of another file, matched with the nodes of a rig's file.
struct OtherFile {
  Clip clip;
  std::shared_ptr<const Skeleton> skeleton;  // of the rig's file: nodes that clips can move
  std::vector<InputFile> inputs;
  std::vector<std::string> paths;  // absolute
  Issues issues;
};

struct LoadedClip {
  std::shared_ptr<const LoadedFiles> files;  // whose nodes the clip moves
  const Clip* clip;
  std::shared_ptr<const OtherFile> other = nullptr;  // null: the clip was read from `files`
};

struct LoadedAsset {
  std::shared_ptr<const LoadedFiles> files;
  py::tuple rigs, clips;
};

template <class Loaded, class Part>
py::tuple parts_of(const std::shared_ptr<const LoadedFiles>& files,
                   const std::vector<Part>& parts) {
  py::tuple tuple(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) tuple[i] = Loaded{files, &parts[i]};
  return tuple;
}

// Relative files cannot be loaded without a working directory, and absolute ones do not need it.
std::vector<std::string> absolute_paths(const std::vector<std::string>& files) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const std::string& file : files) {
    paths.push_back(std::filesystem::absolute(file, ignored).string());
  }
  return paths;
}

LoadedAsset load(const std::filesystem::path& path, const std::string& scene, bool materials) {
  LoadOptions options;
  options.scene = scene;
  options.materials = materials;
  auto loaded = std::make_shared<LoadedFiles>();
  {
    const py::gil_scoped_release release;
    loaded->asset = load_asset(path.string(), options);
    loaded->paths = absolute_paths(loaded->asset.files);
  }
  return {loaded, parts_of<LoadedRig>(loaded, loaded->asset.rigs),
          parts_of<LoadedClip>(loaded, loaded->asset.clips)};
}

// The clip with an id, or the only clip. Throws Error (kUsage, CLIP_AMBIGUOUS, CLIP_UNKNOWN).
const Clip& clip_of(const ClipFile& file, const std::optional<std::string>& id) {
  if (!id && file.clips.size() == 1) return file.clips.front();
  std::string ids;
  for (const Clip& clip : file.clips) {
    if (clip.id == id) return clip;
    ids += (ids.empty() ? "'" : ", '") + clip.id + "'";
  }
  if (ids.empty()) {
    throw Error("CLIP_UNKNOWN",
                file.path + ": the file does not have a clip; name a file with an animation");
  }
  if (!id) throw Error("CLIP_AMBIGUOUS", file.path + ": several clips; choose one of " + ids);
  throw Error("CLIP_UNKNOWN", file.path + " does not have a clip '" + *id + "', but " + ids);
}

// Throws Error (kInput, CLIP_MOVES_NOTHING): the clip would be baked as many equal frames.
[[noreturn]] void fail_without_motion(const ClipFile& file, const Clip& clip, const Asset& rig) {
  std::string channels = "none of the " + std::to_string(clip.channels.size()) + " channels";
  if (!clip.channels.empty()) {
    const auto node = static_cast<std::size_t>(clip.channels.front().node);
    channels += " (the first is of node '" + file.skeleton->nodes[node].name + "')";
  }
  throw Error("CLIP_MOVES_NOTHING",
              channels + " of clip '" + clip.id + "' moves a mesh of " + rig.path,
              {file.path, "/animations/" + std::to_string(clip.index)},
              "give the clip's nodes the names of the rig's, or export the clip for this rig");
}

LoadedClip load_clip(const std::filesystem::path& path, const LoadedAsset& asset,
                     const std::optional<std::string>& id) {
  auto other = std::make_shared<OtherFile>();
  {
    const py::gil_scoped_release release;
    ClipFile file = load_clip_file(path.string());
    const Clip& clip = clip_of(file, id);
    Asset rig = asset.files->asset;
    split_matrices(rig);
    MatchedClip matched = match_clip(file, clip, rig);
    if (!matched.moves_meshes) fail_without_motion(file, clip, rig);
    require_movable_bones(matched.clip, rig);
    other->clip = std::move(matched.clip);
    other->skeleton = rig.skeleton;
    other->inputs = std::move(file.inputs);
    other->paths = absolute_paths(file.files);
    matched.issues.insert(matched.issues.end(), file.issues.begin(), file.issues.end());
    other->issues = sorted_unique(std::move(matched.issues));
  }
  return {asset.files, &other->clip, other};
}

// A view of numbers that `owner` keeps alive. Shape [row][width].
template <class T>
py::array_t<T> view_of(const T* data, std::size_t rows, py::ssize_t width, py::handle owner) {
  py::array_t<T> view({static_cast<py::ssize_t>(rows), width}, data, owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

// An array that takes over the numbers of the bake.
py::array_t<float> to_numpy(BakedArray&& baked) {
  auto numbers = std::make_unique<std::vector<float>>(std::move(baked.positions));
  const float* const data = numbers->data();
  const py::capsule owner(numbers.release(),
                          [](void* p) { delete static_cast<std::vector<float>*>(p); });
  return py::array_t<float>({baked.frame_count, baked.vertex_count, std::int64_t{3}}, data, owner);
}

// The frames of a Python range; None: all frames of the clip, or one of the rest pose.
FrameRange frames_from(const py::object& frames, const Clip* clip, double fps) {
  if (frames.is_none()) return clip == nullptr ? FrameRange{fps} : frames_of(*clip, fps);
  if (!py::isinstance(frames, py::module_::import("builtins").attr("range"))) {
    throw py::type_error("frames must be a range of frame numbers, or None for the whole clip");
  }
  return {fps, frames.attr("start").cast<std::int64_t>(), frames.attr("step").cast<std::int64_t>(),
          static_cast<std::int64_t>(py::len(frames))};
}

Space space_from(const std::string& text) {
  if (text == "scene") return Space::kScene;
  if (text == "mesh") return Space::kMesh;
  throw py::value_error("space must be 'scene' or 'mesh', not '" + text + "'");
}

Reference reference_from(const std::optional<std::string>& text) {
  if (!text) return {};
  if (*text == "exact") return {Reference::Kind::kExact};
  return {Reference::Kind::kMethod, parse_method(*text)};
}

// Whether two assets were read from files of the same bytes.
bool have_equal_bytes(const Asset& a, const Asset& b) {
  return std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                    [](const InputFile& x, const InputFile& y) {
                      return x.bytes == y.bytes && x.xxh128 == y.xxh128;
                    });
}

// The channels of a clip name nodes by their indices, which mean other nodes in another file.
// Throws Error (kInput, CLIP_INVALID) if the clip and the rig are of files with different bytes.
void require_one_file(const LoadedRig& rig, const LoadedClip& clip) {
  if (rig.files == clip.files || have_equal_bytes(rig.files->asset, clip.files->asset)) return;
  throw Error("CLIP_INVALID",
              "clip '" + clip.clip->id + "' of " + clip.files->asset.path +
                  " moves nodes of that file, not of " + rig.files->asset.path,
              {clip.files->asset.path, ""}, "load it with load_clip, which matches it with a rig");
}

// The arguments that bake, bake_to_file and measure share.
struct Request {
  Request(const LoadedRig& of_rig, const std::optional<LoadedClip>& of_clip,
          const std::string& method_text, double fps, const py::object& range,
          const std::string& space, int threads)
      : rig(*of_rig.rig),
        clip(of_clip ? of_clip->clip : nullptr),
        method(parse_method(method_text)),
        frames(frames_from(range, clip, fps)) {
    if (of_clip) require_one_file(of_rig, *of_clip);
    if (of_clip && of_clip->other) rig.skeleton = of_clip->other->skeleton;
    settings.space = space_from(space);
    settings.threads = threads;
  }

  BakeSettings cancelled_by(const std::atomic<bool>& cancelled) const {
    BakeSettings all = settings;
    all.cancelled = &cancelled;
    return all;
  }

  Rig rig;
  const Clip* clip;
  Method method;
  FrameRange frames;
  BakeSettings settings;
};

py::array_t<float> bake(const LoadedRig& rig, const std::optional<LoadedClip>& clip,
                        const std::string& method, double fps, const py::object& frames,
                        const std::string& space, int threads) {
  const Request request(rig, clip, method, fps, frames, space, threads);
  return to_numpy(run_interruptibly([&](const std::atomic<bool>& cancelled) {
    return bake_to_array({request.rig, request.clip, request.method, request.frames,
                          request.cancelled_by(cancelled)});
  }));
}

py::dict bake_to_path(const LoadedRig& rig, const std::optional<LoadedClip>& clip,
                      const std::filesystem::path& path, const std::string& method, double fps,
                      const py::object& frames, const std::string& space, int threads,
                      const std::map<std::string, std::string>& options) {
  const Request request(rig, clip, method, fps, frames, space, threads);
  CacheSettings cache;
  cache.options = options;
  cache.inputs = rig.files->asset.inputs;
  cache.files = rig.files->paths;
  if (clip) {
    cache.files.insert(cache.files.end(), clip->files->paths.begin(), clip->files->paths.end());
  }
  if (clip && clip->other) {
    const OtherFile& other = *clip->other;
    cache.inputs.insert(cache.inputs.end(), other.inputs.begin(), other.inputs.end());
    cache.files.insert(cache.files.end(), other.paths.begin(), other.paths.end());
  }
  cache.appearance = rig.files->asset.appearance;
  Issues issues;
  const BakedFile file = run_interruptibly([&](const std::atomic<bool>& cancelled) {
    BakeSettings settings = request.cancelled_by(cancelled);
    settings.found = [&](const Issue& issue) { issues.push_back(issue); };
    return bake_to_file({request.rig, request.clip, request.method, request.frames, settings},
                        path.string(), cache);
  });
  return py::dict("path"_a = path_string(file.path),
                  "sidecar_path"_a = path_string(file.sidecar_path), "bytes"_a = file.bytes,
                  "xxh128"_a = file.xxh128, "bound_m"_a = file.bound_m,
                  "issues"_a = to_list(issues));
}

py::dict measure_run(const LoadedRig& rig, const std::optional<LoadedClip>& clip,
                     const std::string& method, const std::optional<std::string>& reference,
                     const std::vector<std::string>& metric_ids, double fps,
                     const py::object& frames, const std::string& space, int threads) {
  const Request request(rig, clip, method, fps, frames, space, threads);
  const Reference compared = reference_from(reference);
  const Measurement measurement = run_interruptibly([&](const std::atomic<bool>& cancelled) {
    return measure({request.rig, request.clip, request.method, request.frames,
                    request.cancelled_by(cancelled)},
                   compared, metric_ids);
  });
  const bool is_method = compared.kind == Reference::Kind::kMethod;
  return to_dict(measurement, request.rig,
                 is_method ? compared.method.canonical() : reference.value_or(""));
}

py::list method_list() {
  py::list list;
  for (const MethodInfo& method : methods()) {
    list.append(py::dict("id"_a = py::str(method.id), "title"_a = py::str(method.title),
                         "source"_a = py::str(method.source),
                         "preserves"_a = py::str(method.preserves)));
  }
  return list;
}

// The numbers of a metric that may be limits, with their units.
py::dict key_dict(const MetricInfo& metric) {
  py::dict keys;
  for (const MetricField& field : metric.fields) {
    keys[py::str(field.key)] = py::str(skinbake::to_string(field.unit));
  }
  return keys;
}

py::list metric_list() {
  py::list list;
  for (const MetricInfo& metric : metrics()) {
    list.append(py::dict("id"_a = py::str(metric.id), "keys"_a = key_dict(metric),
                         "description"_a = py::str(metric.description)));
  }
  return list;
}

std::string_view kind_text(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kInput:
      return "input";
    case ErrorKind::kOutput:
      return "output";
    case ErrorKind::kNotComparable:
      return "not_comparable";
  }
  return "";
}

// The exception type skinbake.Error, which lives as long as the process.
py::handle error_type;

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const Error& error) {
    const py::object raised = error_type(text_string(error.what()));
    raised.attr("code") = error.code();
    raised.attr("kind") = py::str(kind_text(error.kind()));
    raised.attr("file") = path_string(error.location().file);
    raised.attr("pointer") = text_string(error.location().pointer);
    PyErr_SetObject(error_type.ptr(), raised.ptr());
  } catch (const Cancelled&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

void define_error(py::module_& module) {
  error_type = PyErr_NewExceptionWithDoc(
      "skinbake.Error",
      "A file, a request or an output is wrong; str() says what and what to do.\n\n"
      "code: a stable word, \"CLIP_INVALID\" (lib/base/ISSUES.md lists them)\n"
      "kind: \"usage\", \"input\", \"output\" or \"not_comparable\"\n"
      "file, pointer: the place in an input; pointer is a JSON pointer; either may be empty",
      nullptr, nullptr);
  if (!error_type) throw py::error_already_set();
  module.attr("Error") = error_type;
  py::register_exception_translator(&translate);
}

void define_types(py::module_& module) {
  py::class_<LoadedAsset>(module, "Asset", "A file: its meshes and its clips.")
      .def_readonly("rigs", &LoadedAsset::rigs, "Tuple of Rig, one for each mesh node.")
      .def_readonly("clips", &LoadedAsset::clips, "Tuple of Clip, in file order.")
      .def_property_readonly(
          "path", [](const LoadedAsset& a) { return path_string(a.files->asset.path); },
          "As it was given to load.")
      .def_property_readonly(
          "issues", [](const LoadedAsset& a) { return to_list(a.files->asset.issues); },
          "Findings about the file: a list of dictionaries with a code, a severity and a message.")
      .def("__repr__", [](const LoadedAsset& a) {
        const Asset& asset = a.files->asset;
        return text_string("<skinbake.Asset '" + asset.path +
                           "': " + std::to_string(asset.rigs.size()) + " rigs, " +
                           std::to_string(asset.clips.size()) + " clips>");
      });
  py::class_<LoadedRig>(module, "Rig", "A mesh, its skeleton and its skin weights, at rest.")
      .def_property_readonly(
          "id", [](const LoadedRig& r) { return r.rig->id; }, "Unique in the file.")
      .def_property_readonly(
          "vertex_count", [](const LoadedRig& r) { return r.rig->mesh->vertex_count(); }, "")
      .def_property_readonly(
          "joints",
          [](const LoadedRig& r) {
            std::vector<std::string> names;
            for (const Joint& joint : r.rig->joints) {
              names.push_back(r.rig->skeleton->nodes[static_cast<std::size_t>(joint.node)].name);
            }
            return names;
          },
          "The names of the joints.")
      .def_property_readonly(
          "positions",
          [](const py::object& self) {
            const std::vector<float>& positions = self.cast<LoadedRig&>().rig->mesh->positions;
            return view_of(positions.data(), positions.size() / 3, 3, self);
          },
          "float32 (vertices, 3), metres: the mesh as it was modelled. Read-only, not a copy.")
      .def_property_readonly(
          "triangles",
          [](const py::object& self) {
            const auto& triangles = self.cast<LoadedRig&>().rig->mesh->triangles;
            const VertexIndex* const first = triangles.empty() ? nullptr : triangles[0].data();
            return view_of(first, triangles.size(), 3, self);
          },
          "uint32 (triangles, 3): vertices. Read-only, not a copy.")
      .def("__repr__", [](const LoadedRig& r) {
        return "<skinbake.Rig '" + r.rig->id + "': " + std::to_string(r.rig->mesh->vertex_count()) +
               " vertices, " + std::to_string(r.rig->joints.size()) + " joints>";
      });
  py::class_<LoadedClip>(module, "Clip", "Keyframed motion.")
      .def_property_readonly(
          "id", [](const LoadedClip& c) { return c.clip->id; }, "Unique in the file.")
      .def_property_readonly(
          "duration_s", [](const LoadedClip& c) { return c.clip->duration_s; },
          "The time of the last key, in seconds.")
      .def_property_readonly(
          "issues",
          [](const LoadedClip& c) { return to_list(c.other ? c.other->issues : Issues()); },
          "Findings about the match by load_clip, as Asset.issues; of other clips an empty list.")
      .def(
          "frame_count",
          [](const LoadedClip& c, double fps) { return frames_of(*c.clip, fps).frame_count; },
          "fps"_a = 30.0, "How many frames the clip has at a rate.")
      .def("__repr__", [](const LoadedClip& c) {
        return "<skinbake.Clip '" + c.clip->id + "': " + std::to_string(c.clip->duration_s) + " s>";
      });
}

void define_functions(py::module_& module) {
  const auto no_frames = py::none();
  module.def("load", &load, "path"_a, py::kw_only(), "scene"_a = "", "materials"_a = false,
             "Reads a .gltf, .glb or .vrm file.\n\n"
             "path: a str or a pathlib.Path\n"
             "scene: name or number of the scene, \"1\"; empty: the file's default\n"
             "materials: also reads what a GLB cache needs: materials, images, texture "
             "coordinates");
  module.def("load_clip", &load_clip, "path"_a, "asset"_a, "clip"_a = py::none(),
             "Reads a clip of another file and matches it with the nodes of an asset, as the "
             "program's bake --clip FILE.\n\n"
             "Nodes match by name. Another unit is converted, another rest pose or human body is "
             "retargeted; the clip's issues report it.\n"
             "clip: its id; None: the file's only clip");
  module.def("bake", &bake, "rig"_a, "clip"_a = py::none(), "method"_a = "dqs", "fps"_a = 30.0,
             py::kw_only(), "frames"_a = no_frames, "space"_a = "scene", "threads"_a = 0,
             "Returns the positions of every frame: float32 (frames, vertices, 3), metres, y up.\n"
             "\n"
             "clip: of the rig's file, or of load_clip; None bakes the rest pose\n"
             "method: an id of methods(), with parameters: \"dqs:sign=temporal\"\n"
             "frames: a range of frame numbers; frame i is at i / fps seconds; None: the clip\n"
             "space: \"scene\", or \"mesh\" for positions relative to the mesh's node\n"
             "threads: 0 uses every processor; the result is the same\n"
             "Other Python threads run meanwhile. Ctrl-C ends the bake with KeyboardInterrupt.");
  module.def("bake_to_file", &bake_to_path, "rig"_a, "clip"_a, "path"_a, "method"_a = "dqs",
             "fps"_a = 30.0, py::kw_only(), "frames"_a = no_frames, "space"_a = "scene",
             "threads"_a = 0, "options"_a = std::map<std::string, std::string>(),
             "Writes a vertex cache and its sidecar, whose format the extension of the path "
             "chooses.\n\n"
             "The file appears when it is complete. Returns a dictionary: path, sidecar_path, "
             "bytes, xxh128, bound_m, issues\n"
             "options: of the format: {\"precision\": \"half\"}\n"
             "The other arguments mean the same as in bake.");
  module.def("measure", &measure_run, "rig"_a, "clip"_a = py::none(), "method"_a = "dqs",
             "reference"_a = "lbs", "metrics"_a = std::vector<std::string>{"error", "volume"},
             "fps"_a = 30.0, py::kw_only(), "frames"_a = no_frames, "space"_a = "scene",
             "threads"_a = 0,
             "Bakes and measures; returns a dictionary with one entry for each metric, and "
             "bbox_diagonal_m and issues.\n\n"
             "reference: a method, \"exact\" (the same method in double precision), or None\n"
             "metrics: ids of metrics(); metrics of triangles are left out if the mesh has none\n"
             "The keys are as in the JSON report. The other arguments mean the same as in bake.");
  module.def("methods", &method_list, "The skinning methods: a list of dictionaries.");
  module.def("metrics", &metric_list, "The metrics: a list of dictionaries.");
}

}  // namespace

PYBIND11_MODULE(skinbake, module) {
  module.doc() = "Bakes glTF clips into vertex positions, and measures them.";
  py::module_::import("numpy");  // fails here and not after a bake
  module.attr("__version__") = py::str(version());
  define_error(module);
  define_types(module);
  define_functions(module);
}

}  // namespace skinbake::python
