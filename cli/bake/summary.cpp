#include "bake/summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "json/text.h"
#include "skinbake/in_between.h"
#include "terminal/format.h"
#include "terminal/table.h"

namespace skinbake::cli {

namespace {

// Bytes of the cache and its auxiliary files, without the sidecar.
std::uint64_t bytes_of_all(const CacheWriter& cache) {
  return cache.bytes() + cache.auxiliary_bytes();
}

std::vector<std::string> row_of(const Rig& rig, const RunRecord& run, const Job& job) {
  std::vector<std::string> row{printable(rig.id),
                               run.clip.empty() ? "(rest)" : printable(run.clip),
                               fmt::format("{}", run.frames.frame_count),
                               "-",
                               "-",
                               "-",
                               "-"};
  if (run.error) {
    row[3] = fmt::format("{:.3g}", run.error->rms);
    row[4] = fmt::format("{:.3g}", run.error->max);
  }
  if (run.volume && run.volume->total) {
    row[5] = percent_text(run.volume->total->max_loss);
  }
  std::uint64_t bytes = 0;
  for (const JobCache& cache : job.caches) bytes += bytes_of_all(*cache.writer);
  if (!job.caches.empty() && job.seconds > 0) {
    row[6] = fmt::format("{:.0f}", static_cast<double>(bytes) / 1e6 / job.seconds);
  }
  return row;
}

std::vector<std::string> row_of(const BodyRecord& body, const BodyRun& run) {
  std::vector<std::string> row{"body " + printable(body.id),
                               run.clip.empty() ? "(rest)" : printable(run.clip),
                               printable(run.method),
                               "-",
                               "-",
                               "-",
                               "-",
                               "-",
                               "-",
                               "-"};
  if (run.error) {
    row[3] = fmt::format("{:.3g}", run.error->rms);
    row[4] = fmt::format("{:.3g}", run.error->max);
    row[5] = printable(run.error->max_at.mesh);
  }
  if (!run.volume) return row;
  const auto frame = [&](const Place& at) {
    return at.frame < 0 ? "-" : std::to_string(run.frames.frame(at.frame));
  };
  row[6] = percent_text(run.volume->total.max_loss);
  row[7] = frame(run.volume->total.max_loss_at);
  const auto worst = std::max_element(run.volume->joints.begin(), run.volume->joints.end(),
                                      [](const BodyVolume::Joint& a, const BodyVolume::Joint& b) {
                                        return a.extremes.max_loss < b.extremes.max_loss;
                                      });
  if (worst == run.volume->joints.end()) return row;
  row[8] = printable(worst->joint) + " " + percent_text(worst->extremes.max_loss);
  row[9] = frame(worst->extremes.max_loss_at);
  return row;
}

double position_count(const CacheHeader& header) {
  return static_cast<double>(header.vertex_count()) *
         static_cast<double>(header.frames.frame_count);
}

std::string size_line(const CacheWriter& cache, double positions) {
  const std::uint64_t bytes = bytes_of_all(cache);
  const bool has_auxiliary_files = cache.auxiliary_bytes() > 0;
  std::string text = fmt::format("{}{}: {} bytes", printable(cache.path()),
                                 has_auxiliary_files ? " with its auxiliary files" : "", bytes);
  if (positions > 0) {
    text += fmt::format(", {:.4g} per vertex and frame", static_cast<double>(bytes) / positions);
  }
  return text + "\n";
}

// A line for each file. A file may contain several meshes.
std::string sizes_text(const std::deque<MeshJobs>& meshes) {
  struct File {
    const CacheWriter* writer;
    double positions;
  };
  std::vector<File> files;
  for (const MeshJobs& mesh : meshes) {
    for (const Job& job : mesh.jobs) {
      for (const JobCache& cache : job.caches) {
        const double positions = position_count(cache.header);
        const auto same = std::find_if(files.begin(), files.end(), [&](const File& file) {
          return file.writer->path() == cache.writer->path();
        });
        if (same == files.end()) {
          files.push_back({cache.writer.get(), positions});
        } else {
          same->positions += positions;
        }
      }
    }
  }
  std::string text;
  for (const File& file : files) text += size_line(*file.writer, file.positions);
  return text;
}

}  // namespace

namespace {

// "Body rom:arms: worst error: arm twist at +90°, frame 431"; empty if the poses have no names.
std::string worst_poses_of(const Rig& rig, const RunRecord& run) {
  std::string text;
  const auto add = [&](const char* what, double value, const Place& at) {
    if (at.frame < 0 || value == 0) return;
    const std::int64_t number = run.frames.frame(at.frame);
    const std::string pose = run.frames.pose_name(number);
    if (pose.empty()) return;
    text += fmt::format("{} worst {}: {}, frame {}", text.empty() ? ":" : ";", what,
                        printable(pose), number);
  };
  if (run.error) add("error", run.error->max, run.error->max_at);
  if (run.volume && run.volume->total) {
    const VolumeExtremes& total = *run.volume->total;
    add("volume loss", total.max_loss, total.max_loss_at);
  }
  if (text.empty()) return "";
  return fmt::format("{} {}{}\n", printable(rig.id), printable(run.clip), text);
}

}  // namespace

std::string bodies_text(const Report& report) {
  if (report.bodies.empty()) return "";
  std::vector<std::vector<std::string>> rows{{"body", "clip", "method", "rms error m",
                                              "max error m", "in mesh", "volume loss", "frame",
                                              "worst joint", "frame"}};
  for (const BodyRecord& body : report.bodies) {
    for (const BodyRun& run : body.runs) rows.push_back(row_of(body, run));
  }
  return table_text(rows, "lllrrlrrlr") + "\n";
}

std::string summary_text(const Report& report, const std::deque<MeshJobs>& meshes) {
  std::vector<std::vector<std::string>> rows{
      {"mesh", "clip", "frames", "rms error m", "max error m", "volume loss", "MB/s"}};
  for (const bool props : {false, true}) {  // props last
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      if (report.meshes[m].follows_joint.empty() == props) continue;
      for (std::size_t j = 0; j < meshes[m].jobs.size(); ++j) {
        rows.push_back(row_of(*report.meshes[m].rig, report.meshes[m].runs[j], meshes[m].jobs[j]));
      }
    }
  }
  std::string worst;
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) worst += worst_poses_of(*mesh.rig, run);
  }
  return bodies_text(report) + table_text(rows, "llrrrrr") + worst;
}

std::string size_text(const CacheWriter& cache, const CacheHeader& header) {
  return size_line(cache, position_count(header));
}

std::string verification_text(const VerificationRecord& record, const std::string& mesh) {
  const auto place = [](const std::optional<std::int64_t>& frame, VertexIndex vertex) {
    return frame ? fmt::format(" (frame {}, vertex {})", *frame, vertex) : "";
  };
  std::string text = fmt::format("{}: {}read back, largest difference {:.3g} m{}, bound {:.3g} m",
                                 printable(record.path), mesh, record.max_m,
                                 place(record.frame, record.vertex), record.bound_m);
  const auto add = [&](const char* what,
                       const std::optional<VerificationRecord::Directions>& directions) {
    if (!directions) return;
    text += fmt::format("; of unit {} {:.3g}{}, bound {:.3g}", what, directions->max,
                        place(directions->frame, directions->vertex), directions->bound);
  };
  add("normals", record.normals);
  add("tangents", record.tangents);
  return text + "\n";
}

namespace {

// "mesh 'arm' clip 'walk' ": names what distinguishes the record from others of the same file.
std::string part_of_file(const Report& report, const VerificationRecord& record) {
  bool has_meshes = false, has_clips = false;
  for (const VerificationRecord& other : report.verification) {
    if (other.path != record.path) continue;
    has_meshes |= other.mesh != record.mesh;
    has_clips |= other.clip != record.clip;
  }
  return (has_meshes ? "mesh '" + printable(record.mesh) + "' " : "") +
         (has_clips ? "clip '" + printable(record.clip) + "' " : "");
}

}  // namespace

std::string outputs_text(const Report& report, const std::deque<MeshJobs>& meshes) {
  std::string text = sizes_text(meshes);
  for (const VerificationRecord& record : report.verification) {
    text += verification_text(record, part_of_file(report, record));
  }
  return text;
}

std::string numbers_text(const Report& report) {
  std::string text;
  for (const MeshRecord& mesh : report.meshes) {
    std::set<std::string> named;  // several clips have the same method
    for (const RunRecord& run : mesh.runs) {
      const bool has_given_number = run.method.find(':') != std::string::npos;
      if (run.method_on_mesh.empty() || !has_given_number || !named.insert(run.name()).second) {
        continue;
      }
      text +=
          fmt::format("{}: {} is {}\n", printable(mesh.rig->id), run.name(), run.method_on_mesh);
    }
  }
  return text;
}

namespace {

std::string fit_text(const InfluenceFitErrors& fit) {
  const auto line = [](std::string_view name, const FitComparison& c) {
    return fmt::format("  {}: rms {:.2e} m, max {:.2e} m; {:.2e} and {:.2e} m by largest weights\n",
                       name, c.fit.rms_m, c.fit.max_m, c.largest.rms_m, c.largest.max_m);
  };
  return fmt::format("  {} vertices fitted to {} frames; distance from all influences:\n",
                     fit.vertices_fitted, fit.frames) +
         line("trained", fit.trained) + (fit.left_out ? line("left out", *fit.left_out) : "");
}

}  // namespace

std::string modifiers_text(const Report& report) {
  std::string text;
  for (const MeshRecord& mesh : report.meshes) {
    for (const ModifierRecord& change : mesh.modifiers) {
      text += fmt::format("{}: {}: {} of {} vertices touched", printable(mesh.rig->id),
                          printable(change.modifier), change.vertices_touched,
                          mesh.rig->mesh->vertex_count());
      if (change.vertex) {
        text += fmt::format(", largest weight moved {:.3g} (vertex {})",
                            change.largest_weight_moved, *change.vertex);
      }
      if (!change.joints_added.empty()) {
        text += fmt::format(", {} joints added", change.joints_added.size());
      }
      text += "\n";
      if (change.fit) text += fit_text(*change.fit);
    }
  }
  return text;
}

namespace {

// ", arms up, frame 3".
std::string text_of(const NamedFrames& frames, std::int64_t number) {
  const std::string pose = frames.pose_name(number);
  return fmt::format("{}{}, frame {}", pose.empty() ? "" : ", ", printable(pose), number);
}

// ", arms up, frame 3, vertex 7"; empty without a frame.
std::string text_of(const NamedFrames& frames, const Place& place) {
  if (place.frame < 0) return "";
  std::string text = text_of(frames, frames.frame(place.frame));
  if (place.vertex >= 0) text += fmt::format(", vertex {}", place.vertex);
  if (place.triangle >= 0) text += fmt::format(", triangle {}", place.triangle);
  if (place.edge[0] >= 0) text += fmt::format(", edge {}-{}", place.edge[0], place.edge[1]);
  return text;
}

const MetricField* find(const std::vector<MetricField>& fields, std::string_view key) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const MetricField& field) { return field.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

// The same text for a location that a metric's section describes by fields.
std::string text_of(const NamedFrames& frames, const MetricField& place) {
  if (const auto* of_vertex = std::get_if<Place>(&place.value)) return text_of(frames, *of_vertex);
  const auto& fields = std::get<std::vector<MetricField>>(place.value);
  return text_of(frames, std::get<std::int64_t>(find(fields, "frame")->value));
}

// The unit of a metric's worst value: the unit in its section, or the quantity that it is a ratio
// or a count of.
std::string unit_of(const MetricResult& result) {
  if (const MetricField* unit = find(result.fields, "unit")) {
    return " " + std::get<std::string>(unit->value);
  }
  for (const auto& [id, unit] : {std::pair("edge_stretch", " times the length"),
                                 std::pair("bulge", " of the distance from the bone"),
                                 std::pair("candy_wrapper", " of the cross-section lost"),
                                 std::pair("triangle_distortion", " (undistorted: 4)"),
                                 std::pair("inversions", " triangles"),
                                 std::pair("self_intersection", " new pairs of triangles")}) {
    if (result.id == id) return unit;
  }
  return "";
}

// ", shoulder to elbow": the worst joint segment of the candy-wrapper metric.
std::string bone_text(const MetricResult& result) {
  const MetricField *bones = find(result.fields, "bones"), *worst = find(result.fields, "worst");
  if (bones == nullptr || worst == nullptr) return "";
  for (const auto& bone : std::get<std::vector<std::vector<MetricField>>>(bones->value)) {
    if (std::get<double>(find(bone, "index")->value) != std::get<double>(worst->value)) continue;
    const auto name = [&](const char* key) {
      return printable(std::get<std::string>(find(bone, key)->value));
    };
    return ", " + name("joint") + " to " + name("child");
  }
  return "";
}

// The frame rate for --in-between-limit; empty without that option.
std::string fps_text(const MetricResult& result) {
  const MetricField* const found = find(result.fields, "sufficient_fps");
  if (found == nullptr) return "";
  const auto& fields = std::get<std::vector<MetricField>>(found->value);
  const double limit_m = std::get<double>(find(fields, "limit")->value);
  const double fps = std::get<double>(find(fields, "fps")->value);
  if (std::isnan(fps)) {
    return fmt::format("; no usual rate, up to {} fps, stays within {:.4g} m between frames",
                       usual_rates_hz().back(), limit_m);
  }
  return fmt::format("; {} fps is the lowest usual rate that stays within {:.4g} m between frames",
                     fps, limit_m);
}

std::string text_of(const NamedFrames& frames, const MetricResult& result) {
  const std::string unit = unit_of(result);
  std::string text;
  for (const MetricField& field : result.fields) {
    const bool is_worst = field.key == "worst" || field.key == "max" || field.key == "max_collapse";
    const char* const before = text.empty() ? " " : "; ";
    if (const auto* number = std::get_if<double>(&field.value); number && is_worst) {
      text += before + (std::isnan(*number) ? std::string("not measured")
                                            : fmt::format("{} {:.4g}{}", field.key, *number, unit));
    }
    if (const auto* count = std::get_if<std::int64_t>(&field.value); count && is_worst) {
      text += fmt::format("{}{} {}{}", before, field.key, *count, unit);
    }
    if (field.key == "max_m" || field.key == "max_collapse_m") {  // beside the ratio
      const double metres = std::get<double>(field.value);
      if (!std::isnan(metres)) text += fmt::format(" ({:.4g} m)", metres);
    }
    if (field.key == "worst_at" || field.key == "max_at" || field.key == "max_collapse_at") {
      text += text_of(frames, field);
    }
  }
  return std::string(result.id) + ":" + text + bone_text(result) + fps_text(result);
}

}  // namespace

std::string metrics_text(const Report& report) {
  std::string text;
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) {
      for (const MetricResult& result : run.metrics) {
        text += fmt::format("{}{} {}: {}\n", printable(mesh.rig->id),
                            run.clip.empty() ? "" : " " + printable(run.clip), run.name(),
                            text_of(run.frames, result));
      }
    }
  }
  return text;
}

void print_result(const std::string& text, bool to_stderr) {
  if (to_stderr) {
    std::fputs(text.c_str(), stderr);
  } else {
    print(text);
  }
}

}  // namespace skinbake::cli
