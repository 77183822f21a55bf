#include "jobs/summary.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "json/text.h"
#include "skinbake/bake.h"
#include "skinbake/report.h"
#include "terminal/format.h"
#include "terminal/table.h"

namespace skinbake::cli {

namespace {

// Bytes of the cache and its auxiliary files, without the sidecar.
std::uint64_t bytes_of_all(const CacheWriter& cache) {
  return cache.bytes() + cache.auxiliary_bytes();
}

std::vector<std::string> row_of(const Rig& rig, const RunRecord& run, const Job& job) {
  std::vector<std::string> row(7, "-");
  row[0] = printable(rig.id);
  row[1] = run.clip.empty() ? "(rest)" : printable(run.clip);
  row[2] = fmt::format("{}", run.frames.frame_count);
  const bool has_end =
      !job.caches.empty() && job.caches.front().header.frames.frame_count > run.frames.frame_count;
  if (has_end) row[2] += " + end";
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
  std::vector<std::string> row(10, "-");
  row[0] = "body " + printable(body.id);
  row[1] = run.clip.empty() ? "(rest)" : printable(run.clip);
  row[2] = printable(run.method);
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

// ", arms up, frame 3, vertex 7, joint 'elbow'"; empty without a frame.
std::string place_text(const NamedFrames& frames, const Place& place) {
  if (place.frame < 0) return "";
  const std::int64_t number = frames.frame(place.frame);
  const std::string pose = frames.pose_name(number);
  std::string text =
      fmt::format("{}{}, frame {}", pose.empty() ? "" : ", ", printable(pose), number);
  if (place.vertex >= 0) text += fmt::format(", vertex {}", place.vertex);
  if (place.triangle >= 0) text += fmt::format(", triangle {}", place.triangle);
  if (place.edge[0] >= 0) text += fmt::format(", edge {}-{}", place.edge[0], place.edge[1]);
  if (!place.joint.empty()) text += fmt::format(", joint '{}'", printable(place.joint));
  return text;
}

// "max 0.25 of the distance from the bone, frame 3, vertex 7; max_collapse …".
std::string numbers_text(const NamedFrames& frames, const MetricInfo& metric,
                         const MetricResult& section) {
  std::string text;
  for (const MetricField& field : metric.fields) {
    const double value = number_at(section, field.key).value_or(std::nan(""));
    const std::string unit(field.of.empty() ? to_string(field.unit) : field.of);
    text += text.empty() ? "" : "; ";
    text += std::isnan(value)
                ? fmt::format("{} not measured", field.key)
                : fmt::format("{} {:.4g}{}{}", field.key, value, unit.empty() ? "" : " ", unit);
    text += place_text(frames, place_of(section, field.key).value_or(Place{}));
  }
  return text;
}

}  // namespace

std::string metrics_text(const Report& report) {
  const std::vector<MetricInfo> all = metrics();
  std::string text;
  for (const MeshRecord& mesh : report.meshes) {
    for (const RunRecord& run : mesh.runs) {
      for (const MetricResult& result : run.metrics) {
        const auto metric = std::ranges::find(all, result.id, &MetricInfo::id);
        if (metric == all.end()) continue;
        text += fmt::format("{}{} {}: {}: {}\n", printable(mesh.rig->id),
                            run.clip.empty() ? "" : " " + printable(run.clip), run.name(),
                            result.id, numbers_text(run.frames, *metric, result));
      }
    }
  }
  return text;
}

}  // namespace skinbake::cli
