// How long loading takes, against the least that it could: reading the file and copying each
// accessor once. The model is made here: a million vertices with normals and four influences, 50
// MB.
//
//   load_benchmark [LIMIT]      exit status 1 if the ratio is above LIMIT

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/aligned_array.h"
#include "support/gltf_file.h"

namespace {

using namespace skinbake;
using namespace skinbake::test;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kSide = 1000;  // a square of so many vertices each way
constexpr std::size_t kJoints = 64;
constexpr std::size_t kTriangles = 500000;  // a quarter of the square's: 50 MB in all
constexpr int kRuns = 7;

GltfFile square() {
  GltfFile file;
  std::vector<float> positions, normals, weights;
  std::vector<std::uint8_t> joints;
  for (std::size_t v = 0; v < kSide * kSide; ++v) {
    const std::size_t x = v % kSide, y = v / kSide;
    const std::size_t joint = y * (kJoints - 3) / kSide;
    const float share = static_cast<float>(x % 64) / 256;
    positions.insert(positions.end(), {static_cast<float>(x), static_cast<float>(y), 0});
    normals.insert(normals.end(), {0, 0, 1});
    weights.insert(weights.end(), {0.5f - share, 0.25f + share, 0.125f, 0.125f});
    for (std::size_t i = 0; i < 4; ++i) joints.push_back(static_cast<std::uint8_t>(joint + i));
  }
  std::vector<std::uint32_t> indices;
  for (std::size_t t = 0; t < kTriangles; ++t) {
    const std::size_t corner = t / 2 / (kSide - 1) * kSide + t / 2 % (kSide - 1);
    const std::size_t other = t % 2 == 0 ? corner + 1 : corner + kSide;
    const std::size_t last = t % 2 == 0 ? corner + kSide : corner + kSide + 1;
    for (const std::size_t v : {corner, other, last}) {
      indices.push_back(static_cast<std::uint32_t>(v));
    }
  }
  file.json["meshes"] = {{{"primitives",
                           {{{"attributes",
                              {{"POSITION", file.add("VEC3", positions)},
                               {"NORMAL", file.add("VEC3", normals)},
                               {"JOINTS_0", file.add("VEC4", joints)},
                               {"WEIGHTS_0", file.add("VEC4", weights)}}},
                             {"indices", file.add("SCALAR", indices)}}}}}};
  file.json["nodes"] = {{{"mesh", 0}, {"skin", 0}}};
  for (std::size_t j = 0; j < kJoints; ++j) {
    file.json["nodes"].push_back({{"translation", {0, j, 0}}});
    file.json["skins"][0]["joints"].push_back(j + 1);
  }
  return file;
}

template <class Work>
double least_ms(const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    const auto start = Clock::now();
    work();
    least =
        std::min(least, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  return least;
}

// The file into memory, and from there each buffer view into an array of its own.
void read_and_copy(const std::string& path, const nlohmann::json& views, std::size_t size) {
  AlignedArray<char> bytes(size);
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr || std::fread(bytes.data(), 1, size, file) != size) std::abort();
  std::fclose(file);
  const std::size_t data = size - (views.back()["byteOffset"].get<std::size_t>() +
                                   views.back()["byteLength"].get<std::size_t>());
  std::vector<AlignedArray<char>> copies;
  for (const nlohmann::json& view : views) {
    const auto length = view["byteLength"].get<std::size_t>();
    copies.emplace_back(length);
    std::memcpy(copies.back().data(), bytes.data() + data + view["byteOffset"].get<std::size_t>(),
                length);
  }
}

}  // namespace

int main(int count, char** words) {
  const double limit = count > 1 ? std::atof(words[1]) : std::numeric_limits<double>::infinity();
  const GltfFile model = square();
  const std::string glb = model.glb();
  const TemporaryFile file("load_benchmark.glb", glb);
  const double least =
      least_ms([&] { read_and_copy(file.path(), model.json["bufferViews"], glb.size()); });
  const double load = least_ms([&] { load_asset(file.path()); });
  std::printf(
      "loading %.1f MB, %zu vertices: %.1f ms; reading the file and copying its accessors "
      "once: %.1f ms; %.2f times that\n",
      static_cast<double>(glb.size()) * 1e-6, kSide * kSide, load, least, load / least);
  return load / least <= limit ? 0 : 1;
}
