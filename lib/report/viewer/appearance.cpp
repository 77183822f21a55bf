// Which base colours and textures of a model the page shows.
//
// The images are chosen first, the smallest first, until the page does not have room for the next
// one. A primitive whose image was left out shows the factor of its material.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "report/report_text.h"
#include "report/viewer/base_colour.h"
#include "report/viewer/image_header.h"

namespace skinbake {

namespace {

constexpr std::size_t kUv = 2, kRgba = 4;

// A file may have transforms whose results float32 cannot represent.
float bounded(double value) {
  constexpr double kMost = 1e6;
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

const VertexAttribute* attribute_of(const PrimitiveMaterials& primitive, const std::string& name) {
  const auto found =
      std::find_if(primitive.attributes.begin(), primitive.attributes.end(),
                   [&](const VertexAttribute& attribute) { return attribute.name == name; });
  return found == primitive.attributes.end() ? nullptr : &*found;
}

// A primitive's vertices with its materials. Null: the file's default material.
struct Painted {
  Primitive vertices;
  const PrimitiveMaterials* source = nullptr;
  const BaseColour* colour = nullptr;
  const VertexAttribute* coordinates = nullptr;  // null: the primitive does not have a texture
  const VertexAttribute* colours = nullptr;
};

class Appearance {
 public:
  Appearance(const AssetMaterials& materials, const ViewAppearanceLimits& limits)
      : materials_(materials), limits_(limits) {}

  void add(const Rig& rig) {
    rigs_.push_back(&rig);
    const auto found = materials_.meshes.find(rig.node);
    const MeshMaterials* source = found == materials_.meshes.end() ? nullptr : found->second.get();
    std::vector<Painted>& painted = painted_.emplace_back();
    const std::vector<Primitive>& primitives = rig.mesh->primitives;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      const bool has_source = source != nullptr && p < source->primitives.size();
      painted.push_back(painted_of(primitives[p], has_source ? &source->primitives[p] : nullptr));
    }
  }

  ViewAppearance take() {
    used_bytes_ = bytes_of_vertices();
    if (used_bytes_ > limits_.bytes) {
      return {
          {}, {}, {}, "base colours are left out, because the page does not have room for them"};
    }
    choose_images();
    for (std::size_t m = 0; m < rigs_.size(); ++m) paint(m);
    result_.note = note();
    if (!is_worth_showing()) return {{}, {}, {}, std::move(result_.note)};
    return std::move(result_);
  }

 private:
  Painted painted_of(const Primitive& vertices, const PrimitiveMaterials* source) {
    const int number = source == nullptr ? -1 : source->material;
    const auto [place, is_new] = colours_.try_emplace(number);
    if (is_new) place->second = base_colour_of(materials_, number);
    const BaseColour& colour = place->second;
    if (is_new && colour.has_other_image) ++other_images_;
    Painted painted{vertices, source, &colour, nullptr, nullptr};
    if (source == nullptr || vertices.vertex_count == 0) return painted;
    const auto with_size = [&](const std::string& name) {
      const VertexAttribute* found = attribute_of(*source, name);
      const bool fits = found != nullptr && found->width >= 2 &&
                        found->values.size() == std::size_t{vertices.vertex_count} *
                                                    static_cast<std::size_t>(found->width);
      return fits ? found : nullptr;
    };
    painted.colours = with_size("COLOR_0");
    if (colour.material.image >= 0) {
      painted.coordinates = with_size("TEXCOORD_" + std::to_string(colour.set));
      if (painted.coordinates != nullptr) wanted_.insert(colour.material.image);
    }
    return painted;
  }

  // The bytes of the coordinates and colours of all meshes.
  std::uint64_t bytes_of_vertices() const {
    std::uint64_t bytes = 0;
    for (std::size_t m = 0; m < rigs_.size(); ++m) {
      const std::uint64_t vertices = rigs_[m]->mesh->vertex_count();
      if (has_any(m, &Painted::coordinates)) bytes += vertices * kUv * sizeof(float);
      if (has_any(m, &Painted::colours)) bytes += vertices * kRgba;
    }
    return bytes;
  }

  bool has_any(std::size_t mesh, const VertexAttribute* Painted::*attribute) const {
    return std::any_of(painted_[mesh].begin(), painted_[mesh].end(),
                       [&](const Painted& painted) { return painted.*attribute != nullptr; });
  }

  void choose_images() {
    std::vector<std::pair<std::size_t, int>> by_size;
    for (const int image : wanted_) {
      const auto& bytes = materials_.images[static_cast<std::size_t>(image)].bytes;
      by_size.emplace_back(bytes ? bytes->size() : 0, image);
    }
    std::sort(by_size.begin(), by_size.end());
    for (const auto& [size, image] : by_size) choose(image);
  }

  void choose(int number) {
    const ImageFile& image = materials_.images[static_cast<std::size_t>(number)];
    if (!image.bytes) return;  // the file's reader has reported it
    const std::optional<ImageHeader> header = image_header(*image.bytes);
    if (!header) {
      ++other_images_;
      return;
    }
    const std::uint64_t pixels = std::uint64_t{header->width} * header->height;
    if (image.bytes->size() > limits_.bytes - used_bytes_ ||
        pixels > limits_.pixels - used_pixels_) {
      ++images_without_room_;
      return;
    }
    used_bytes_ += image.bytes->size();
    used_pixels_ += pixels;
    chosen_[number] = static_cast<int>(result_.images.size());
    result_.images.push_back({header->mime_type, image.bytes});
  }

  void paint(std::size_t m) {
    const Mesh& mesh = *rigs_[m]->mesh;
    ViewPaint& paint = result_.meshes.emplace_back();
    for (const Painted& painted : painted_[m]) {
      if (has_image(painted)) paint.coordinates.resize(mesh.vertex_count() * kUv);
      if (painted.colours != nullptr) paint.colours.resize(mesh.vertex_count() * kRgba, 255);
    }
    std::size_t triangle = 0;
    const auto add_part = [&](const Painted& painted, VertexIndex end) {
      const std::size_t first = triangle;
      while (triangle < mesh.triangles.size() && mesh.triangles[triangle][0] < end) ++triangle;
      if (triangle > first) append({first, triangle - first, number_of(painted)}, paint.parts);
    };
    for (const Painted& painted : painted_[m]) {
      const Primitive& vertices = painted.vertices;
      if (has_image(painted)) fill_coordinates(painted, paint);
      if (painted.colours != nullptr) fill_colours(painted, paint);
      add_part(painted, vertices.first_vertex + vertices.vertex_count);
    }
    add_part({}, mesh.vertex_count());  // of a mesh that does not list its primitives
  }

  // Neighbours with one material become one part.
  static void append(const ViewPaint::Part& part, std::vector<ViewPaint::Part>& parts) {
    if (!parts.empty() && parts.back().material == part.material) {
      parts.back().triangle_count += part.triangle_count;
    } else {
      parts.push_back(part);
    }
  }

  bool has_image(const Painted& painted) const {
    return painted.coordinates != nullptr && chosen_.contains(painted.colour->material.image);
  }

  static void fill_coordinates(const Painted& painted, ViewPaint& paint) {
    const VertexAttribute& source = *painted.coordinates;
    const auto& t = painted.colour->transform;
    const auto width = static_cast<std::size_t>(source.width);
    for (std::size_t v = 0; v < painted.vertices.vertex_count; ++v) {
      const double x = source.values[v * width], y = source.values[v * width + 1];
      float* out = paint.coordinates.data() + (painted.vertices.first_vertex + v) * kUv;
      out[0] = bounded(t[0] * x + t[1] * y + t[2]);
      out[1] = bounded(t[3] * x + t[4] * y + t[5]);
    }
  }

  static void fill_colours(const Painted& painted, ViewPaint& paint) {
    const VertexAttribute& source = *painted.colours;
    const auto width = static_cast<std::size_t>(source.width);
    for (std::size_t v = 0; v < painted.vertices.vertex_count; ++v) {
      std::uint8_t* out = paint.colours.data() + (painted.vertices.first_vertex + v) * kRgba;
      for (std::size_t i = 0; i < std::min(width, kRgba); ++i) {
        const float part = std::clamp(source.values[v * width + i], 0.0f, 1.0f);
        out[i] = static_cast<std::uint8_t>(part * 255 + 0.5f);
      }
    }
  }

  // The index of the primitive's material among those of the page.
  std::size_t number_of(const Painted& painted) {
    ViewMaterial material = painted.colour == nullptr ? ViewMaterial{} : painted.colour->material;
    if (has_image(painted)) {
      material.image = chosen_.at(material.image);
    } else {
      material.image = -1;
      material.wrap = ViewMaterial{}.wrap;
      material.is_nearest = false;
    }
    std::vector<ViewMaterial>& all = result_.materials;
    const auto known = std::find(all.begin(), all.end(), material);
    const auto number = static_cast<std::size_t>(known - all.begin());
    if (known == all.end()) all.push_back(material);
    return number;
  }

  bool is_worth_showing() const {
    if (!result_.images.empty()) return true;
    if (std::any_of(result_.meshes.begin(), result_.meshes.end(),
                    [](const ViewPaint& paint) { return !paint.colours.empty(); })) {
      return true;
    }
    return std::any_of(result_.materials.begin(), result_.materials.end(),
                       [&](const ViewMaterial& material) {
                         return material.colour != result_.materials.front().colour;
                       });
  }

  std::string note() const {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    if (images_without_room_ > 0) {
      add(counted(images_without_room_, "texture is", "textures are") +
          " left out, because a page has room for " + std::to_string(limits_.bytes >> 20) +
          " MiB and " + std::to_string(limits_.pixels / 1'000'000) + " million pixels of them");
    }
    if (other_images_ > 0) {
      add(counted(other_images_, "texture is", "textures are") +
          " left out, because the page shows only PNG and JPEG images");
    }
    return text;
  }

  const AssetMaterials& materials_;
  const ViewAppearanceLimits& limits_;
  std::vector<const Rig*> rigs_;
  std::vector<std::vector<Painted>> painted_;  // [mesh][primitive]
  std::map<int, BaseColour> colours_;          // by the number of the material
  std::set<int> wanted_;                       // numbers of images
  std::map<int, int> chosen_;                  // from the number of an image to that on the page
  std::uint64_t used_bytes_ = 0, used_pixels_ = 0;
  std::size_t images_without_room_ = 0, other_images_ = 0;
  ViewAppearance result_;
};

}  // namespace

ViewAppearance view_appearance(const AssetMaterials& materials, std::span<const Rig* const> rigs,
                               const ViewAppearanceLimits& limits) {
  Appearance appearance(materials, limits);
  for (const Rig* rig : rigs) appearance.add(*rig);
  return appearance.take();
}

}  // namespace skinbake
