// The base colours and textures of a model for the 3D view of the HTML page.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "skinbake/materials.h"
#include "skinbake/rig.h"

namespace skinbake {

// The encoded bytes of an image.
struct ViewImage {
  std::string mime_type;  // image/png or image/jpeg, by the signature of the bytes
  std::shared_ptr<const std::vector<std::uint8_t>> bytes;
};

// The base colour of a material: the product of `colour`, the image, and the vertex's colour.
struct ViewMaterial {
  std::array<double, 4> colour{1, 1, 1, 1};  // red, green, blue, alpha; linear, 0 … 1
  int image = -1;                            // index in ViewAppearance::images; -1: none
  std::array<int, 2> wrap{10497, 10497};     // glTF's sampler.wrapS and wrapT; 10497 repeats
  bool is_nearest = false;                   // a magnified texel has hard edges
  std::string alpha_mode = "OPAQUE";         // glTF's material.alphaMode
  double alpha_cutoff = 0.5;
  bool is_unlit = false;

  bool operator==(const ViewMaterial&) const = default;
};

// The materials of one mesh.
struct ViewPaint {
  struct Part {
    std::size_t first_triangle = 0, triangle_count = 0;
    std::size_t material = 0;  // index in ViewAppearance::materials
  };
  std::vector<Part> parts;            // cover the triangles in order
  std::vector<float> coordinates;     // [vertex][u v], transformed; empty: without an image
  std::vector<std::uint8_t> colours;  // [vertex][r g b a], linear, 255ths; empty: all are white
};

struct ViewAppearance {
  std::vector<ViewImage> images;
  std::vector<ViewMaterial> materials;
  std::vector<ViewPaint> meshes;  // parallel to the rigs; empty: nothing is worth showing
  std::string note;               // what is left out, and why; may be empty
};

// What the appearance may take on a page.
struct ViewAppearanceLimits {
  // 12 MiB of images, coordinates and colours, which base64 turns into 16 MiB.
  std::uint64_t bytes = std::uint64_t{12} << 20;
  // Of all images together. A browser decodes a pixel to four bytes, however few bytes encode it.
  std::uint64_t pixels = 64'000'000;
};

// The base colours of the rigs' materials, with as many images as fit, the smallest first. Only PNG
// and JPEG images are kept. An appearance without an image, without vertex colours and with one
// colour is not worth showing.
ViewAppearance view_appearance(const AssetMaterials& materials, std::span<const Rig* const> rigs,
                               const ViewAppearanceLimits& limits = {});

}  // namespace skinbake
