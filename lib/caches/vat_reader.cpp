#include "caches/vat_reader.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/aligned_array.h"
#include "base/random_access_file.h"
#include "caches/glb_attribute.h"
#include "caches/glb_chunks.h"
#include "caches/vat_texels.h"
#include "frames/transpose.h"
#include "json/json_text.h"
#include "skinbake/error.h"
#include "skinbake/spool.h"

namespace skinbake {

namespace {

using nlohmann::json;

constexpr std::size_t kAxes = 3;
constexpr std::uint64_t kMostSidecarMemory = std::uint64_t{256} << 20;

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorKind::kInput, "CACHE_INVALID", what + "; bake it anew", {path, ""});
}

// What the sidecar says.
struct VatBox {
  std::int64_t frames = 0;
  TexelCounts counts;
  std::int64_t step = 0;  // rows from a frame to the next
  std::array<float, kAxes> min{}, max{};
};

VatBox read_box(const std::string& path) {
  const RandomAccessFile file(path);
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(text.data(), text.size(), 0);
  json sidecar;
  const JsonProblem problem = parse_text(text, kMostSidecarMemory, sidecar);
  if (problem) refuse(path, "the sidecar " + problem.text);
  try {
    const json& vat = sidecar.at("vat");
    return {sidecar.at("frame_count"),
            {vat.at("width"), vat.at("height")},
            vat.at("rows_per_frame"),
            vat.at("min"),
            vat.at("max")};
  } catch (const json::exception& error) {
    refuse(path, std::string("the sidecar: ") + error.what());
  }
}

// The rows of a texture, decoded and kept.
class KeptTexels {
 public:
  KeptTexels(const std::string& path, const TexelCounts& counts, bool is_png)
      : row_size_(static_cast<std::size_t>(counts.width) * kAxes),
        spool_(make_spool(counts.width, counts.height)) {
    const auto state = spool_->new_state();
    std::vector<float> rows(row_size_ * kFramesPerBlock);
    AlignedArray<float> lanes(rows.size());
    const auto take = [&](std::int64_t y, const float* texels) {
      const auto lane = static_cast<std::size_t>(y % kFramesPerBlock);
      std::copy_n(texels, row_size_, rows.data() + lane * row_size_);
      const bool is_last = y + 1 == counts.height;
      if (lane + 1 < kFramesPerBlock && !is_last) return;
      FrameBlock block;
      block.index = y / kFramesPerBlock;
      block.first_frame = y - static_cast<std::int64_t>(lane);
      block.frame_count = static_cast<int>(lane) + 1;
      block.vertices = {0, static_cast<VertexIndex>(counts.width)};
      block.positions = lanes.data();
      transpose_from_rows(rows.data(), row_size_, row_size_, block.frame_count, lanes.data());
      spool_->consume(block, *state);
      spool_->finish(block, *state);
      spool_->merge(block, *state);
    };
    (is_png ? read_png_texels : read_exr_texels)(path, counts, take);
  }

  std::size_t row_size() const { return row_size_; }
  void read(std::int64_t y, float* row) const { spool_->read(y, 1, row); }

 private:
  std::size_t row_size_;
  std::unique_ptr<Spool> spool_;
};

// The mesh that rests, and where each of its vertices is looked up.
struct RestingMesh {
  struct Place {
    std::int64_t x = 0, y = 0;  // in frame 0
  };
  std::vector<float> positions;  // [vertex][axis]
  std::vector<Place> places;     // [vertex]
};

// Nearest texels, as a shader takes them.
std::vector<RestingMesh::Place> places_of(const std::vector<float>& texcoords, const VatBox& box,
                                          const std::string& path) {
  std::vector<RestingMesh::Place> places;
  const std::int64_t last = (box.frames - 1) * box.step;
  for (std::size_t i = 0; i < texcoords.size(); i += 2) {
    const double x = std::floor(double{texcoords[i]} * static_cast<double>(box.counts.width));
    const double y = std::floor(double{texcoords[i + 1]} * static_cast<double>(box.counts.height));
    if (!(x >= 0 && y >= 0 && x < static_cast<double>(box.counts.width) &&
          y < static_cast<double>(box.counts.height - last))) {
      refuse(path, "vertex " + std::to_string(i / 2) + " is looked up beside the texture");
    }
    places.push_back({static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)});
  }
  return places;
}

RestingMesh read_mesh(const std::string& path, const VatBox& box) {
  const RandomAccessFile file(path);
  const GlbRefusal refusal = [&](const std::string& element, const std::string& cause) {
    refuse(path, element + ": " + cause);
  };
  const GlbDocument document = read_glb_document(file, refusal);
  RestingMesh mesh;
  std::vector<float> texcoords;
  for (const json& item : document.array(document.root(), "meshes", "the file")) {
    const json& primitives = document.array(item, "primitives", "the mesh");
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const std::string where = "primitive " + std::to_string(p);
      const json& attributes = document.member(primitives[p], "attributes", where);
      const auto number = [&](const char* name) {
        return document.number(attributes, name, file.size(), where);
      };
      const auto at = document.positions(number("POSITION"), where);
      const auto uv = document.texcoords(number("TEXCOORD_1"), where);
      if (at.sparse + uv.sparse > 0 || at.count != uv.count) {
        refuse(path, where + ": it has not one look-up for each vertex");
      }
      mesh.positions.resize(mesh.positions.size() + at.count * kAxes);
      read_glb_vectors(file, at, refusal, &*mesh.positions.end() - at.count * kAxes);
      texcoords.resize(texcoords.size() + uv.count * 2);
      file.read_at(&*texcoords.end() - uv.count * 2, uv.count * 2 * sizeof(float), uv.values);
    }
  }
  mesh.places = places_of(texcoords, box, path);
  return mesh;
}

class VatReader final : public StoredFrames {
 public:
  explicit VatReader(const VatFiles& files)
      : box_(read_box(files.sidecar)),
        mesh_(read_mesh(files.mesh, box_)),
        ways_(files.texture, box_.counts, files.are_png) {
    if (!files.normals.empty()) normals_.emplace(files.normals, box_.counts, files.are_png);
  }

  std::int64_t frame_count() const override { return box_.frames; }
  std::int64_t vertex_count() const override {
    return static_cast<std::int64_t>(mesh_.places.size());
  }

  // Put together exactly, and rounded once.
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    look_up(ways_, first_frame, count, rows, [this](std::size_t i, float texel) {
      const std::size_t axis = i % kAxes;
      const double size = double{box_.max[axis]} - double{box_.min[axis]};
      return mesh_.positions[i] + (box_.min[axis] + texel * size);
    });
  }

  bool has_normals() const override { return normals_.has_value(); }
  void read_normals(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    look_up(*normals_, first_frame, count, rows,
            [](std::size_t, float texel) { return 2.0 * texel - 1; });
  }

 private:
  // number(3 * vertex + axis, its texel)
  template <class Number>
  void look_up(const KeptTexels& texels, std::int64_t first_frame, std::int64_t count, float* rows,
               const Number& number) const {
    std::vector<float> row(texels.row_size());
    for (std::int64_t f = first_frame; f < first_frame + count; ++f) {
      std::int64_t row_read = -1;  // vertices that follow one another are in one row, as a rule
      for (std::size_t v = 0; v < mesh_.places.size(); ++v) {
        const std::int64_t y = mesh_.places[v].y + f * box_.step;
        if (y != row_read) texels.read(row_read = y, row.data());
        const float* texel = row.data() + static_cast<std::size_t>(mesh_.places[v].x) * kAxes;
        for (std::size_t axis = 0; axis < kAxes; ++axis) {
          *rows++ = static_cast<float>(number(v * kAxes + axis, texel[axis]));
        }
      }
    }
  }

  VatBox box_;
  RestingMesh mesh_;
  KeptTexels ways_;
  std::optional<KeptTexels> normals_;
};

}  // namespace

std::unique_ptr<StoredFrames> read_vat(const VatFiles& files) {
  return std::make_unique<VatReader>(files);
}

}  // namespace skinbake
