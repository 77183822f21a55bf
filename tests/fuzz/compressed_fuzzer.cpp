// Fuzzes the decoders of compressed vertices. The encoders of Draco and meshoptimizer compress a
// small mesh, the input changes bytes of the streams, and the loader reads the file.

#include <fuzzer/FuzzedDataProvider.h>

#include <cstdlib>
#include <exception>
#include <new>

#include "gltf/share.h"
#include "skinbake/error.h"
#include "skinbake/gltf.h"
#include "support/gltf/packed.h"
#include "support/memory_file.h"

using namespace skinbake;
using test::GltfFile;
using test::Packed;

namespace {

fuzz::Share share("loaded");

// A wavy sheet with an own buffer view for each attribute. Missing triangles leave holes.
struct Sheet {
  GltfFile file;
  std::vector<std::uint32_t> indices;
};

Sheet make_sheet(FuzzedDataProvider& input) {
  const int side = input.ConsumeIntegralInRange(2, 6);
  std::vector<float> positions, normals, texcoords, weights;
  std::vector<std::uint8_t> joints;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const auto x = static_cast<float>(column), y = static_cast<float>(row);
      const float z = 0.125f * static_cast<float>((3 * row + 5 * column) % 7);
      positions.insert(positions.end(), {x, y, z});
      normals.insert(normals.end(), {0, row % 2 == 0 ? 0.6f : -0.6f, 0.8f});
      texcoords.insert(texcoords.end(), {x / 8, y / 8});
      joints.insert(joints.end(), {0, 1, 0, 0});
      weights.insert(weights.end(), {0.75f, 0.25f, 0, 0});
    }
  }
  Sheet sheet;
  for (int row = 0; row + 1 < side; ++row) {
    for (int column = 0; column + 1 < side; ++column) {
      const auto a = static_cast<std::uint32_t>(row * side + column);
      const std::uint32_t b = a + 1, c = a + static_cast<std::uint32_t>(side), d = c + 1;
      const int kept = input.ConsumeIntegralInRange(0, 7);
      if (kept != 0) sheet.indices.insert(sheet.indices.end(), {a, b, d});
      if (kept != 1) sheet.indices.insert(sheet.indices.end(), {a, d, c});
    }
  }
  GltfFile& file = sheet.file;
  file.json["meshes"] = {{{"primitives",
                           {{{"attributes",
                              {{"POSITION", file.add<float>("VEC3", positions)},
                               {"NORMAL", file.add<float>("VEC3", normals)},
                               {"TEXCOORD_0", file.add<float>("VEC2", texcoords)},
                               {"JOINTS_0", file.add<std::uint8_t>("VEC4", joints)},
                               {"WEIGHTS_0", file.add<float>("VEC4", weights)}}}}}}}};
  file.json["nodes"] = {
      {{"mesh", 0}, {"skin", 0}}, {{"children", {2}}}, {{"translation", {0, 1, 0}}}};
  file.json["skins"] = {{{"joints", {1, 2}}}};
  return sheet;
}

std::vector<Packed> pack_by_draco(FuzzedDataProvider& input, Sheet& sheet) {
  if (sheet.indices.empty()) sheet.indices = {0, 1, 2};
  const bool edgebreaker = input.ConsumeBool();
  const int bits = input.PickValueInArray({0, 2, 8, 14});
  return {test::pack_primitive(sheet.file, 0, sheet.indices, edgebreaker, bits)};
}

// Compresses each view, or leaves it. A filter decodes any bytes.
std::vector<Packed> pack_by_meshopt(FuzzedDataProvider& input, Sheet& sheet) {
  GltfFile& file = sheet.file;
  std::vector<Packed> packed;
  const auto pack = [&](int view, const test::Packing& packing) {
    if (!input.ConsumeBool()) return;
    packed.push_back(test::pack_view(file, view, packing));
    if (packing.mode != "ATTRIBUTES") return;
    auto& extension =
        file.json["bufferViews"][static_cast<std::size_t>(view)]["extensions"][packing.extension];
    extension["filter"] =
        input.PickValueInArray({"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"});
  };
  auto& primitive = file.json["meshes"][0]["primitives"][0];
  if (!sheet.indices.empty()) {
    primitive["indices"] = file.add<std::uint32_t>("SCALAR", sheet.indices);
  }
  for (const auto& [view, stride] : {std::pair{0, 12}, {1, 12}, {2, 8}, {3, 4}, {4, 16}}) {
    pack(view, {"ATTRIBUTES", static_cast<std::size_t>(stride)});
  }
  if (!sheet.indices.empty()) pack(5, {input.ConsumeBool() ? "TRIANGLES" : "INDICES", 4});
  test::finish_packing(file);
  return packed;
}

void change(FuzzedDataProvider& input, std::string& bytes, const std::vector<Packed>& streams) {
  while (input.remaining_bytes() > 0 && !streams.empty()) {
    const Packed& stream =
        streams[input.ConsumeIntegralInRange<std::size_t>(0, streams.size() - 1)];
    if (stream.size == 0) continue;
    const auto at = input.ConsumeIntegralInRange<std::size_t>(0, stream.size - 1);
    bytes[stream.offset + at] = input.ConsumeIntegral<char>();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  FuzzedDataProvider input(data, size);
  const bool is_draco = input.ConsumeBool();
  Sheet sheet = make_sheet(input);
  const std::vector<Packed> streams =
      is_draco ? pack_by_draco(input, sheet) : pack_by_meshopt(input, sheet);
  change(input, sheet.file.bytes, streams);
  file.write(sheet.file.glb());
  const fuzz::Share::Input counted(share);
  try {
    const Asset asset = load_asset(file.path(), {.materials = true, .tangents = true});
    for (const Rig& rig : asset.rigs) require_read(rig);
    share.reach();
  } catch (const std::bad_alloc&) {  // bounded_blocks.cpp
  } catch (const Error& error) {
    share.refuse(error.code());
    if (error.kind() != ErrorKind::kInput) std::terminate();
  }
  return 0;
}
