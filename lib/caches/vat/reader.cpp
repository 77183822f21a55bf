#include "caches/vat/reader.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/aligned_array.h"
#include "base/random_access_file.h"
#include "caches/glb/checked_json.h"
#include "caches/temporary_frames.h"
#include "caches/vat/image.h"
#include "frames/transpose.h"
#include "json/json_text.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

constexpr std::size_t kVatAxes = 3;

[[noreturn]] void refuse_vat(const std::string& path, const std::string& what) {
  throw Error("CACHE_INVALID", what, {path, ""});
}

// The members of the sidecar that a shader needs.
struct VatSidecar {
  std::int64_t frames = 0;
  TextureSize size;
  std::int64_t rows_per_frame = 0;
  std::array<float, kVatAxes> min{}, max{};
};

VatSidecar read_vat_sidecar(const std::string& path) {
  const RandomAccessFile file(path);
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read_at(text.data(), text.size(), 0);
  nlohmann::json sidecar;
  const JsonProblem problem = parse_text(text, sidecar);
  if (problem) refuse_vat(path, "the sidecar " + problem.text);
  try {
    const nlohmann::json& vat = sidecar.at("vat");
    return {sidecar.at("frame_count"),
            {vat.at("width"), vat.at("height")},
            vat.at("rows_per_frame"),
            vat.at("min"),
            vat.at("max")};
  } catch (const nlohmann::json::exception& error) {
    refuse_vat(path, std::string("the sidecar: ") + error.what());
  }
}

// The decoded rows of a texture, in a temporary file.
class DecodedTexels {
 public:
  DecodedTexels(const VatImages& images, const TextureSize& size, bool is_png)
      : row_size_(static_cast<std::size_t>(size.width) * kVatAxes),
        temporary_(make_temporary_frames(size.width, size.height)) {
    const auto state = temporary_->new_state();
    std::vector<float> rows(row_size_ * kFramesPerBlock);
    AlignedArray<float> lanes(rows.size());
    const auto take = [&](std::int64_t y, const float* texels) {
      const auto lane = static_cast<std::size_t>(y % kFramesPerBlock);
      std::copy_n(texels, row_size_, rows.data() + lane * row_size_);
      const bool is_last = y + 1 == size.height;
      if (lane + 1 < kFramesPerBlock && !is_last) return;
      FrameBlock block;
      block.index = y / kFramesPerBlock;
      block.first_frame = y - static_cast<std::int64_t>(lane);
      block.frame_count = static_cast<int>(lane) + 1;
      block.vertices = {0, static_cast<VertexIndex>(size.width)};
      block.positions = lanes.data();
      transpose_from_rows(rows.data(), row_size_, row_size_, block.frame_count, lanes.data());
      temporary_->consume(block, *state);
      temporary_->finish(block, *state);
      temporary_->merge(block, *state);
    };
    if (!images.low.empty()) {
      read_split_png_texels(images.texture, images.low, size, take);
    } else {
      (is_png ? read_png_texels : read_exr_texels)(images.texture, size, take);
    }
  }

  std::size_t row_size() const { return row_size_; }
  void read(std::int64_t y, float* row) const { temporary_->read(y, 1, row); }

 private:
  std::size_t row_size_;
  std::unique_ptr<TemporaryFrames> temporary_;
};

// The static mesh, and the texel of each vertex.
struct StaticMesh {
  struct Texel {
    std::int64_t x = 0, y = 0;  // in frame 0
  };
  std::vector<float> positions;  // [vertex][axis]
  std::vector<Texel> texels;     // [vertex]
};

// The nearest texel, as a shader samples it.
std::vector<StaticMesh::Texel> texels_of(const std::vector<float>& texcoords,
                                         const VatSidecar& sidecar, const std::string& path) {
  std::vector<StaticMesh::Texel> texels;
  const std::int64_t last = (sidecar.frames - 1) * sidecar.rows_per_frame;
  for (std::size_t i = 0; i < texcoords.size(); i += 2) {
    const double x = std::floor(double{texcoords[i]} * static_cast<double>(sidecar.size.width));
    const double y =
        std::floor(double{texcoords[i + 1]} * static_cast<double>(sidecar.size.height));
    if (!(x >= 0 && y >= 0 && x < static_cast<double>(sidecar.size.width) &&
          y < static_cast<double>(sidecar.size.height - last))) {
      refuse_vat(path, "vertex " + std::to_string(i / 2) + ": its texel is outside the texture");
    }
    texels.push_back({static_cast<std::int64_t>(x), static_cast<std::int64_t>(y)});
  }
  return texels;
}

StaticMesh read_mesh(const std::string& path, const VatSidecar& sidecar) {
  const RandomAccessFile file(path);
  const GlbErrorThrower refusal = [&](const std::string& element, const std::string& cause) {
    refuse_vat(path, element + ": " + cause);
  };
  const GlbDocument document = read_glb_document(file, refusal);
  StaticMesh mesh;
  std::vector<float> texcoords;
  for (const nlohmann::json& item : document.array(document.root(), "meshes", "the file")) {
    const nlohmann::json& primitives = document.array(item, "primitives", "the mesh");
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const std::string where = "primitive " + std::to_string(p);
      const nlohmann::json& attributes = document.member(primitives[p], "attributes", where);
      const auto number = [&](const char* name) {
        return document.integer(attributes, name, file.size(), where);
      };
      const auto at = document.positions(number("POSITION"), where);
      const auto uv = document.texcoords(number("TEXCOORD_1"), where);
      if (at.sparse_count + uv.sparse_count > 0 || at.count != uv.count) {
        refuse_vat(path, where + ": the counts of positions and texels differ");
      }
      const std::size_t first = texcoords.size() / 2;
      mesh.positions.resize((first + at.count) * kVatAxes);
      read_glb_vectors(file, at, refusal, mesh.positions.data() + first * kVatAxes);
      texcoords.resize((first + uv.count) * 2);
      file.read_at(texcoords.data() + first * 2, uv.count * 2 * sizeof(float), uv.values_offset);
    }
  }
  mesh.texels = texels_of(texcoords, sidecar, path);
  return mesh;
}

class VatReader final : public StoredFrames {
 public:
  explicit VatReader(const VatFiles& files)
      : sidecar_(read_vat_sidecar(files.sidecar)),
        mesh_(read_mesh(files.mesh, sidecar_)),
        displacements_(files.positions, sidecar_.size, files.are_png) {
    if (!files.normals.texture.empty())
      normals_.emplace(files.normals, sidecar_.size, files.are_png);
  }

  std::int64_t frame_count() const override { return sidecar_.frames; }
  std::int64_t vertex_count() const override {
    return static_cast<std::int64_t>(mesh_.texels.size());
  }

  // Computed in double, and rounded once.
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    look_up(displacements_, first_frame, count, rows, [this](std::size_t i, float texel) {
      const std::size_t axis = i % kVatAxes;
      const double size = double{sidecar_.max[axis]} - double{sidecar_.min[axis]};
      return mesh_.positions[i] + (sidecar_.min[axis] + texel * size);
    });
  }

  bool has_normals() const override { return normals_.has_value(); }
  void read_normals(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    look_up(*normals_, first_frame, count, rows,
            [](std::size_t, float texel) { return 2.0 * texel - 1; });
  }

 private:
  // Fills rows with number(3 * vertex + axis, texel).
  template <class Number>
  void look_up(const DecodedTexels& texels, std::int64_t first_frame, std::int64_t count,
               float* rows, const Number& number) const {
    std::vector<float> row(texels.row_size());
    for (std::int64_t f = first_frame; f < first_frame + count; ++f) {
      std::int64_t row_read = -1;  // neighbouring vertices usually share a row
      for (std::size_t v = 0; v < mesh_.texels.size(); ++v) {
        const std::int64_t y = mesh_.texels[v].y + f * sidecar_.rows_per_frame;
        if (y != row_read) texels.read(row_read = y, row.data());
        const float* texel = row.data() + static_cast<std::size_t>(mesh_.texels[v].x) * kVatAxes;
        for (std::size_t axis = 0; axis < kVatAxes; ++axis) {
          *rows++ = static_cast<float>(number(v * kVatAxes + axis, texel[axis]));
        }
      }
    }
  }

  VatSidecar sidecar_;
  StaticMesh mesh_;
  DecodedTexels displacements_;
  std::optional<DecodedTexels> normals_;
};

}  // namespace

std::unique_ptr<StoredFrames> read_vat(const VatFiles& files) {
  return std::make_unique<VatReader>(files);
}

}  // namespace skinbake
