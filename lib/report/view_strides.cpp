// How many frames of each clip a page has room for.

#include <algorithm>
#include <set>

#include "skinbake/error.h"
#include "skinbake/view.h"

namespace skinbake {
namespace {

// In double: no product of counts is too large for it.
double vertices_of(const Rig& rig) {
  return rig.mesh->vertex_count();
}

// What a mesh takes once: its triangles, and where its vertices rest.
double bytes_of_mesh(const Rig& rig) {
  return static_cast<double>(rig.mesh->triangles.size()) * 3 * sizeof(VertexIndex) +
         vertices_of(rig) * 3 * sizeof(std::uint16_t) + 6 * sizeof(float);
}

// What a run takes once: the largest error of each vertex.
double bytes_of_run(const Rig& rig) {
  return vertices_of(rig) * sizeof(float);
}

// A position and an error of each vertex; a box, and the largest error.
double bytes_of_frame(const Rig& rig) {
  return vertices_of(rig) * (3 * sizeof(std::uint16_t) + 1) + 7 * sizeof(float);
}

double bytes_without_frames(std::span<const ViewDemand> clips) {
  double bytes = 0;
  std::set<const Rig*> meshes;
  for (const ViewDemand& clip : clips) {
    for (const Rig* rig : clip.rigs) {
      if (meshes.insert(rig).second) bytes += bytes_of_mesh(*rig);
      bytes += bytes_of_run(*rig);
    }
  }
  return bytes;
}

// The least that keeps no more than `most` frames.
std::int64_t stride_of(std::int64_t frame_count, std::int64_t most) {
  return (frame_count - 1) / most + 1;
}

double bytes_of_frames(std::span<const ViewDemand> clips, std::int64_t most_of_each) {
  double bytes = 0;
  for (const ViewDemand& clip : clips) {
    const std::int64_t stride = stride_of(clip.frame_count, most_of_each);
    const auto kept = static_cast<double>((clip.frame_count - 1) / stride + 1);
    for (const Rig* rig : clip.rigs) bytes += kept * bytes_of_frame(*rig);
  }
  return bytes;
}

[[noreturn]] void fail_too_large(std::span<const ViewDemand> clips, std::uint64_t most) {
  std::size_t runs = 0;
  for (const ViewDemand& clip : clips) runs += clip.rigs.size();
  throw Error(ErrorKind::kUsage, "VIEW_TOO_LARGE",
              "the mesh in space: one frame of each of " + std::to_string(runs) +
                  " runs takes more than the " + std::to_string(most) +
                  " bytes that a page may hold; take fewer methods, clips or meshes at a time");
}

}  // namespace

std::vector<std::int64_t> view_strides(std::span<const ViewDemand> clips, std::uint64_t most) {
  const double room = static_cast<double>(most) - bytes_without_frames(clips);
  if (bytes_of_frames(clips, 1) > room) fail_too_large(clips, most);
  std::int64_t longest = 1;
  for (const ViewDemand& clip : clips) longest = std::max(longest, clip.frame_count);
  std::int64_t kept = 1;  // of each clip at most: the greatest number that there is room for
  for (std::int64_t high = longest; kept < high;) {
    const std::int64_t middle = high - (high - kept) / 2;
    if (bytes_of_frames(clips, middle) <= room) {
      kept = middle;
    } else {
      high = middle - 1;
    }
  }
  std::vector<std::int64_t> strides;
  for (const ViewDemand& clip : clips) strides.push_back(stride_of(clip.frame_count, kept));
  return strides;
}

}  // namespace skinbake
