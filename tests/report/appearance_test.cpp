#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "base/bytes/base64.h"
#include "report/viewer/base_colour.h"
#include "report/viewer/data.h"
#include "report/viewer/image_header.h"
#include "report/viewer/view_appearance.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using nlohmann::json;
using Bytes = std::vector<std::uint8_t>;
using Array = JsonTemplate::Array;

// A PNG image without pixels: its first bytes, and zeros up to `size`.
Bytes png(std::uint32_t width, std::uint32_t height, std::size_t size = 64) {
  Bytes bytes{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13, 'I', 'H', 'D', 'R'};
  for (const std::uint32_t number : {width, height}) {
    for (const int shift : {24, 16, 8, 0}) {
      bytes.push_back(static_cast<std::uint8_t>(number >> shift));
    }
  }
  bytes.resize(size);
  return bytes;
}

// A JPEG image of 300 by 200 pixels up to its frame header, with another segment and a fill byte.
Bytes jpeg() {
  return {0xff, 0xd8, 0xff, 0xe0, 0, 4,  1, 2, 0xff, 0xff, 0xc4, 0,
          3,    9,    0xff, 0xc2, 0, 17, 8, 0, 200,  1,    44,   3};
}

ImageFile image(Bytes bytes, const char* mime_type = "image/png") {
  return {"", mime_type, std::make_shared<const Bytes>(std::move(bytes))};
}

// A template of `text`, in which each % stands for a reference.
JsonTemplate element(const std::string& text, std::vector<JsonTemplate::Reference> references) {
  JsonTemplate made{{""}, std::move(references), {}};
  for (const char c : text) {
    if (c == '%') {
      made.texts.emplace_back();
    } else {
      made.texts.back() += c;
    }
  }
  return made;
}

JsonTemplate textured(std::size_t texture, const std::string& more = "") {
  return element(R"({"pbrMetallicRoughness": {"baseColorTexture": {"index": %)" + more + "}}}",
                 {{Array::kTexture, texture}});
}

JsonTemplate coloured(const std::string& factor) {
  return element(R"({"pbrMetallicRoughness": {"baseColorFactor": )" + factor + "}}", {});
}

// A tube of two primitives, whose second one begins at half of the rings, and its materials.
struct Model {
  Rig rig = test::tube({.rings = 8, .segments = 6});
  AssetMaterials materials;

  Model() {
    Mesh mesh = *rig.mesh;
    const VertexIndex half = mesh.vertex_count() / 2;
    mesh.primitives = {{0, half}, {half, mesh.vertex_count() - half}};
    std::erase_if(mesh.triangles, [&](const auto& corners) {
      return (corners[0] < half) != (corners[1] < half) ||
             (corners[0] < half) != (corners[2] < half);
    });
    std::stable_partition(mesh.triangles.begin(), mesh.triangles.end(),
                          [&](const auto& corners) { return corners[0] < half; });
    rig.mesh = std::make_shared<const Mesh>(std::move(mesh));
    materials.textures = {
        element(R"({"source": %})", {{Array::kImage, 0}}),
        element(R"({"source": %, "sampler": %})", {{Array::kImage, 1}, {Array::kSampler, 0}})};
    materials.samplers = {R"({"magFilter": 9728, "wrapS": 33071, "wrapT": 33648})"};
    materials.images = {image(png(4, 4, 100)), image(jpeg())};
    materials.materials = {textured(0), textured(1)};
    use({0, 1});
  }

  // Gives each primitive a material, and coordinates of which each number is another one.
  void use(std::vector<int> numbers, const std::string& attribute = "TEXCOORD_0", int width = 2) {
    auto mesh = std::make_shared<MeshMaterials>();
    for (std::size_t p = 0; p < numbers.size(); ++p) {
      PrimitiveMaterials& primitive = mesh->primitives.emplace_back();
      primitive.material = numbers[p];
      VertexAttribute values{attribute, width, {}};
      const std::size_t count =
          rig.mesh->primitives[p].vertex_count * static_cast<std::size_t>(width);
      for (std::size_t i = 0; i < count; ++i) {
        values.values.push_back(static_cast<float>(i % 101) / 100);
      }
      primitive.attributes = {values};
    }
    materials.meshes[rig.node] = mesh;
  }

  ViewAppearance shown(const ViewAppearanceLimits& limits = {}) const {
    const Rig* const rigs[] = {&rig};
    return view_appearance(materials, rigs, limits);
  }
};

TEST_CASE("appearance: the header of a PNG or JPEG image has its size") {
  const auto of_png = image_header(png(70000, 3));
  REQUIRE(of_png);
  CHECK(of_png->mime_type == "image/png");
  CHECK(of_png->width == 70000);
  CHECK(of_png->height == 3);
  const auto of_jpeg = image_header(jpeg());
  REQUIRE(of_jpeg);
  CHECK(of_jpeg->mime_type == "image/jpeg");
  CHECK(of_jpeg->width == 300);
  CHECK(of_jpeg->height == 200);
}

TEST_CASE("appearance: other bytes, and beginnings of images, do not have a header") {
  const std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>";
  CHECK_FALSE(image_header(Bytes(svg.begin(), svg.end())));
  CHECK_FALSE(image_header(png(0, 5)));
  CHECK_FALSE(image_header({}));
  const Bytes whole = jpeg();
  for (std::size_t size = 0; size < whole.size() - 1; ++size) {
    CAPTURE(size);
    CHECK_FALSE(image_header(std::span(whole).first(size)));
  }
  const Bytes small = png(4, 4);
  for (std::size_t size = 0; size < 24; ++size) {
    CHECK_FALSE(image_header(std::span(small).first(size)));
  }
  // A segment that claims to be shorter than its own length, and one beyond the end.
  CHECK_FALSE(image_header(Bytes{0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xe0, 0xff, 0xff, 1, 2, 3}));
}

TEST_CASE("appearance: a textured mesh has its images, coordinates and a part for each material") {
  const Model model;
  const ViewAppearance shown = model.shown();
  REQUIRE(shown.images.size() == 2);
  CHECK(shown.images[0].mime_type == "image/jpeg");  // the smaller one first
  CHECK(*shown.images[0].bytes == jpeg());
  CHECK(shown.images[1].mime_type == "image/png");
  CHECK(shown.note == "");
  REQUIRE(shown.materials.size() == 2);
  CHECK(shown.materials[0] == ViewMaterial{.image = 1});
  CHECK(shown.materials[1] == ViewMaterial{.image = 0, .wrap = {33071, 33648}, .is_nearest = true});
  REQUIRE(shown.meshes.size() == 1);
  const ViewPaint& paint = shown.meshes.front();
  const Mesh& mesh = *model.rig.mesh;
  REQUIRE(paint.coordinates.size() == mesh.vertex_count() * 2);
  const std::size_t second = mesh.primitives[1].first_vertex;
  CHECK(paint.coordinates[5] == 0.05f);
  CHECK(paint.coordinates[2 * second + 5] == 0.05f);  // each primitive has its own
  CHECK(paint.colours.empty());
  REQUIRE(paint.parts.size() == 2);
  CHECK(paint.parts[0].first_triangle == 0);
  CHECK(paint.parts[1].first_triangle == paint.parts[0].triangle_count);
  CHECK(paint.parts[1].first_triangle + paint.parts[1].triangle_count == mesh.triangles.size());
  CHECK(mesh.triangles[paint.parts[1].first_triangle][0] >= second);
  CHECK(mesh.triangles[paint.parts[1].first_triangle - 1][0] < second);
}

TEST_CASE("appearance: a model of one colour without textures is not worth showing") {
  Model model;
  model.materials.materials = {coloured("[0.8, 0.1, 0.1, 1]"), coloured("[0.8, 0.1, 0.1, 1]")};
  CHECK(model.shown().meshes.empty());
  CHECK(model.shown().note == "");
  model.materials.meshes.clear();
  CHECK(model.shown().meshes.empty());
  model.use({-1, -1});
  CHECK(model.shown().meshes.empty());
}

TEST_CASE("appearance: two base colours, or colours of vertices, are worth showing") {
  Model model;
  model.materials.materials = {coloured("[0.8, 0.1, 0.1, 1]"), coloured("[0, 2, -1, 0.5]")};
  ViewAppearance shown = model.shown();
  REQUIRE(shown.materials.size() == 2);
  CHECK(shown.materials[1].colour == std::array{0.0, 1.0, 0.0, 0.5});  // clamped
  CHECK(shown.meshes.front().coordinates.empty());

  model.use({0, 0}, "COLOR_0", 3);
  shown = model.shown();
  REQUIRE(shown.materials.size() == 1);
  REQUIRE(shown.meshes.front().colours.size() == model.rig.mesh->vertex_count() * 4);
  CHECK(shown.meshes.front().colours[4] == 8);  // 0.03 of 255
  CHECK(shown.meshes.front().colours[7] == 255);
}

TEST_CASE(
    "appearance: images beyond the limit are left out, the largest first, and a note says so") {
  const Model model;
  const std::uint64_t coordinates = model.rig.mesh->vertex_count() * 8;
  ViewAppearance shown = model.shown({.bytes = coordinates + jpeg().size() + 99});
  REQUIRE(shown.images.size() == 1);
  CHECK(shown.images[0].mime_type == "image/jpeg");
  CHECK(shown.materials[0].image == -1);
  CHECK(shown.materials[1].image == 0);
  CHECK(shown.note ==
        "1 texture is left out, because a page has room for 0 MiB and 64 million pixels of them");
  CHECK(model.shown({.bytes = coordinates + jpeg().size() + 100}).images.size() == 2);
  // Without any image, white remains.
  shown = model.shown({.bytes = coordinates});
  CHECK(shown.meshes.empty());
  CHECK(shown.note.starts_with("2 textures are left out"));
  shown = model.shown({.bytes = coordinates - 1});
  CHECK(shown.meshes.empty());
  CHECK(shown.note.find("does not have room") != std::string::npos);
}

TEST_CASE("appearance: an image of few bytes and many pixels is left out") {
  Model model;
  model.materials.images[0] = image(png(0xffffffff, 0xffffffff));
  CHECK(model.shown().images.size() == 1);
  CHECK(model.shown().note.find("million pixels") != std::string::npos);
  model.materials.images[0] = image(png(8000, 7000));
  CHECK(model.shown().images.size() == 2);
  model.materials.images[0] = image(png(8000, 8000));  // beside the other image
  CHECK(model.shown().images.size() == 1);
}

TEST_CASE("appearance: bytes that are neither PNG nor JPEG are left out, whatever their type") {
  Model model;
  const std::string svg = "<svg onload='alert(1)'/>";
  model.materials.images[0] = image(Bytes(svg.begin(), svg.end()), "image/png");
  ViewAppearance shown = model.shown();
  REQUIRE(shown.images.size() == 1);
  CHECK(shown.materials[0].image == -1);
  CHECK(shown.note == "1 texture is left out, because the page shows only PNG and JPEG images");
  model.materials.images[1].bytes = nullptr;  // could not be read
  CHECK(model.shown().meshes.empty());
  // An image of an extension, such as KHR_texture_basisu.
  model.materials.textures[0] =
      element(R"({"extensions": {"KHR_texture_basisu": {"source": %}}})", {{Array::kImage, 0}});
  CHECK(model.shown().note.starts_with("1 texture is left out"));
}

TEST_CASE("appearance: a texture is placed by its set of coordinates and its transform") {
  Model model;
  const auto transformed = [](const BaseColour& colour, double u, double v) {
    const auto& t = colour.transform;
    return std::pair(t[0] * u + t[1] * v + t[2], t[3] * u + t[4] * v + t[5]);
  };
  // The extension's example: the lower left quarter of the image, turned by 90 degrees.
  model.materials.materials[0] =
      textured(0, R"(, "texCoord": 1, "extensions": {"KHR_texture_transform": {"offset": [0, 1],)"
                  R"( "rotation": 1.57079632679, "scale": [0.5, 0.5]}})");
  const BaseColour quarter = base_colour_of(model.materials, 0);
  CHECK(quarter.set == 1);
  const auto [u, v] = transformed(quarter, 1, 0);
  CHECK(u == doctest::Approx(0).epsilon(1e-9));
  CHECK(v == doctest::Approx(0.5));
  CHECK(transformed(quarter, 0, 1).first == doctest::Approx(0.5));
  CHECK(transformed(quarter, 0, 1).second == doctest::Approx(1));
  // The coordinates are those of the set that the material names.
  CHECK(model.shown().materials[0].image == -1);  // there is no TEXCOORD_1
  model.use({0, 0}, "TEXCOORD_1");
  const ViewAppearance shown = model.shown();
  REQUIRE(shown.materials[0].image == 0);
  CHECK(shown.meshes.front().coordinates[2] == doctest::Approx(0.5 * 0.03));
  CHECK(shown.meshes.front().coordinates[3] == doctest::Approx(1 - 0.5 * 0.02));
  // The transform may name another set. Scale comes before rotation.
  model.materials.materials[0] =
      textured(0, R"(, "extensions": {"KHR_texture_transform": {"texCoord": 2, "scale": [3, 1],)"
                  R"( "rotation": )" +
                      std::to_string(std::numbers::pi / 2) + "}}");
  const BaseColour wide = base_colour_of(model.materials, 0);
  CHECK(wide.set == 2);
  CHECK(transformed(wide, 1, 0).second == doctest::Approx(-3).epsilon(1e-5));
}

TEST_CASE("appearance: alpha and light are those of the material; wrong types have defaults") {
  AssetMaterials materials;
  materials.materials = {
      element(R"({"alphaMode": "MASK", "alphaCutoff": 0.25, )"
              R"("extensions": {"KHR_materials_unlit": {}}})",
              {}),
      element(R"({"alphaMode": "BLEND"})", {}),
      element(R"({"alphaMode": 7, "alphaCutoff": "x", "pbrMetallicRoughness": )"
              R"({"baseColorFactor": [1, "a", 1e999], "baseColorTexture": {"index": 3}}})",
              {}),
      element(R"({"pbrMetallicRoughness": [], "extensions": 3})", {}),
      element("nothing", {}),
      JsonTemplate{}};
  const ViewMaterial mask = base_colour_of(materials, 0).material;
  CHECK(mask == ViewMaterial{.alpha_mode = "MASK", .alpha_cutoff = 0.25, .is_unlit = true});
  CHECK(base_colour_of(materials, 1).material.alpha_mode == "BLEND");
  for (const int number : {2, 3, 4, 5, 6, -1}) {
    CAPTURE(number);
    CHECK(base_colour_of(materials, number).material == ViewMaterial{});
  }
}

TEST_CASE("appearance: the page's data contain the images as base64, or null") {
  const Model model;
  View view;
  view.meshes = {&model.rig};
  CHECK(json::parse(view_data(view))["appearance"].is_null());
  view.appearance = model.shown();
  view.appearance.note = "<b>";
  view.clips.push_back({"", {30, 0, 1, 1}, {30, 0, 1, 1}, {}});
  const std::string text = view_data(view);
  CHECK(text.find('<') == std::string::npos);
  const json data = json::parse(text);
  const json& shown = data["appearance"];
  const auto shown_jpeg = model.materials.images[1].bytes;
  CHECK(shown["images"][0]["type"] == "image/jpeg");
  CHECK(shown["images"][0]["bytes"] == base64_encoded(std::as_bytes(std::span(*shown_jpeg))));
  CHECK(shown["materials"][0]["colour"] == json{1.0, 1.0, 1.0, 1.0});
  CHECK(shown["materials"][1]["wrap"] == json{33071, 33648});
  CHECK(shown["materials"][1]["is_nearest"] == true);
  const json& parts = shown["meshes"][0]["parts"];
  CHECK(parts[0][2] == 0);
  CHECK(parts[1] ==
        json{parts[0][1], model.rig.mesh->triangles.size() - parts[0][1].get<std::size_t>(), 1});
  CHECK(data["clips"][0]["note"].get<std::string>().ends_with("; <b>"));
}

}  // namespace
}  // namespace skinbake
