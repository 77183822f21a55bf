// Verification of written caches, and the conversion of one cache into another.

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "skinbake/error.h"
#include "skinbake/frames.h"
#include "support/bytes.h"
#include "support/caches/two_by_two.h"
#include "support/gltf/parsed_glb.h"
#include "support/temporary_folder.h"

namespace skinbake {
namespace {

using test::bytes_of;
using test::open_writer;
using test::plan_of;
using test::read_file;
using test::TemporaryFolder;
using test::write_file;

constexpr std::int64_t kFrames = 37;  // two blocks and a part of one

// A tube of several tiles that turns.
struct Tube {
  Rig rig = test::tube_of_many_tiles();
  Clip clip = test::turning_clip(rig, {0, 0, 1}, 2);
  CacheHeader header;

  explicit Tube(const CacheAxes& axes = {}) {
    header.rig = &rig;
    header.frames = {30, 0, 1, kFrames};
    header.axes = axes;
  }
  void bake_into(FrameSink& sink) const {
    BakePlan plan = plan_of(rig, &clip, kFrames);
    plan.threads = 2;
    plan.runs = {{parse_method("lbs"), {&sink}}};
    bake(plan);
  }
  std::unique_ptr<CacheWriter> written(const std::string& path) const {
    auto writer = open_writer(path, header);
    bake_into(*writer);
    return writer;
  }
  CacheDifference verified(const CacheWriter& writer) const {
    const auto verifier = verify_cache(writer, header);
    bake_into(*verifier);
    return verifier->result();
  }
};

// Changes bytes of a cache before it is committed.
void damage(const CacheWriter& writer, std::uint64_t offset, const std::string& bytes) {
  test::damage_file(writer.readable_path(), offset, bytes);
}

void stream_into(FrameSink& sink, const std::string& path) {
  const auto cache = open_cache(path);
  const auto check = finite_check(*cache);
  StreamPlan plan;
  plan.frames = cache.get();
  plan.sinks = {check.get(), &sink};
  plan.threads = 2;
  stream_frames(plan);
}

void check_verification_fails(const CacheWriter& writer, const Tube& tube) {
  try {
    tube.verified(writer);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kOutput);
    CHECK(error.code() == "VERIFICATION_FAILED");
    CHECK(error.location().file == writer.path());
  }
}

}  // namespace

TEST_CASE(
    "verify: in every format the stored positions are within the bound of the computed ones") {
  const Tube tube;
  // Metres, for a tube two metres long.
  const std::map<std::string, double> bounds{{".pc2", 0},    {".mdd", 0},  {".npy", 0},
                                             {".glb", 1e-6}, {".usda", 0}, {".exr", 4e-6},
                                             {".png", 1e-4}};
  std::size_t count = 0;
  for (const CacheFormat& format : cache_formats()) {
    for (const std::string_view extension : {format.extension, format.other_extension}) {
      if (extension.empty()) continue;
      CAPTURE(extension);
      const TemporaryFolder folder;
      const auto writer = tube.written(folder / ("a" + std::string(extension)));
      const double worst = tube.verified(*writer).max_m;
      CHECK(worst <= writer->bound_m());
      CHECK(worst >= writer->bound_m() / 30);
      CHECK(writer->bound_m() <= bounds.at(std::string(extension)));
      ++count;
    }
  }
  CHECK(count == bounds.size());
}

TEST_CASE("verify: the rounding of a scale is within the bound") {
  for (const CacheAxes::Up up : {CacheAxes::Up::kY, CacheAxes::Up::kZ}) {
    for (const double scale : {100.0, 39.37007874015748, 0.01, 4.0}) {
      const Tube tube({up, scale});
      const TemporaryFolder folder;
      const auto writer = tube.written(folder / "a.mdd");
      const double difference = tube.verified(*writer).max_m;
      CHECK(difference <= writer->bound_m());
      CHECK(writer->bound_m() < 1e-6);
      if (scale == 4) {
        CHECK(difference < 1e-40);
      } else {
        CHECK(difference > writer->bound_m() / 1000);  // the bound is of the right magnitude
      }
    }
  }
}

TEST_CASE("verify: a scale that makes floats subnormal exceeds the bound") {
  for (const double scale : {1e-41, 1e-46}) {  // floats keep a few digits; floats are 0
    const Tube tube({CacheAxes::Up::kY, scale});
    const TemporaryFolder folder;
    const auto writer = tube.written(folder / "a.mdd");
    CHECK(writer->bound_m() < 1e-6);
    CHECK(tube.verified(*writer).max_m > writer->bound_m());
  }
  const Tube tube({CacheAxes::Up::kY, 1e-30});
  const TemporaryFolder folder;
  const auto writer = tube.written(folder / "a.mdd");
  CHECK(tube.verified(*writer).max_m <= writer->bound_m());
}

TEST_CASE("verify: the result names the frame and the vertex of the largest difference") {
  const Tube tube;
  const TemporaryFolder folder;
  const auto writer = tube.written(folder / "a.pc2");
  const std::uint64_t row = std::uint64_t{tube.rig.mesh->vertex_count()} * 12;
  float x = 0;
  {
    const std::string bytes = read_file(writer->readable_path());
    std::memcpy(&x, bytes.data() + 32 + 20 * row + 300 * 12, sizeof x);
  }
  damage(*writer, 32 + 20 * row + 300 * 12, bytes_of(x + 0.25F));
  damage(*writer, 32 + 30 * row + 7 * 12, bytes_of(x));  // a smaller difference
  CacheDifference worst = tube.verified(*writer);
  CHECK(worst.max_m > writer->bound_m());
  damage(*writer, 32 + 36 * row + 500 * 12 + 8, bytes_of(1000.F));
  worst = tube.verified(*writer);
  CHECK(worst.frame == 36);
  CHECK(worst.vertex == 500);
  CHECK(worst.max_m > 900);
  damage(*writer, 32 + 20 * row + 300 * 12, bytes_of(NAN));
  worst = tube.verified(*writer);
  CHECK(std::isinf(worst.max_m));
  CHECK(worst.frame == 20);
  CHECK(worst.vertex == 300);
}

TEST_CASE("verify: normals are compared too") {
  Tube tube;
  auto mesh = std::make_shared<Mesh>(*tube.rig.mesh);
  mesh->normals.clear();
  for (VertexIndex v = 0; v < mesh->vertex_count(); ++v) {
    for (const float n : {0.6F, 0.0F, 0.8F}) mesh->normals.push_back(v == 3 ? 0 : n);
  }
  tube.rig.mesh = mesh;
  tube.header.normals = NormalKind::kSkinned;
  const TemporaryFolder folder;
  for (const char* quantise : {"0", "1"}) {
    tube.header.options = {{"normals", "1"}, {"quantize", quantise}};
    const auto writer = tube.written(folder / "a.glb");
    const auto verifier = verify_cache(*writer, tube.header);
    tube.bake_into(*verifier);
    REQUIRE(verifier->normals());
    CHECK(verifier->normals()->max <= *writer->normal_bound());
    CHECK(verifier->normals()->max > *writer->normal_bound() / 10);
    CHECK(verifier->result().max_m <= writer->bound_m());
  }
  tube.header.options = {{"normals", "1"}};
  const auto writer = tube.written(folder / "a.glb");
  const test::Glb glb(read_file(writer->readable_path()));
  const auto& gltf = glb.parsed;
  const auto& attributes = gltf["meshes"][0]["primitives"][0]["attributes"];
  const auto& base = gltf["accessors"][attributes["NORMAL"].get<std::size_t>()];
  const auto& view = gltf["bufferViews"][base["bufferView"].get<std::size_t>()];
  const std::uint64_t offset = glb.bytes.size() - glb.bin.size() +
                               view["byteOffset"].get<std::uint64_t>() + 12 * std::uint64_t{500};
  damage(*writer, offset, bytes_of(0.5F));  // vertex 500, all frames
  const auto verifier = verify_cache(*writer, tube.header);
  tube.bake_into(*verifier);
  CHECK(verifier->normals()->max == doctest::Approx(0.1));
  CHECK(verifier->normals()->vertex == 500);
  CHECK(verifier->result().max_m <= writer->bound_m());
  const auto bare = Tube().written(folder / "b.glb");
  const auto of_bare = verify_cache(*bare, Tube().header);
  CHECK_FALSE(of_bare->normals());
}

TEST_CASE("verify: only a primitive without normals may be stored without them") {
  constexpr VertexIndex kFirst = 100;  // of the primitive with normals
  Tube tube;
  auto mesh = std::make_shared<Mesh>(*tube.rig.mesh);
  mesh->primitives = {{0, kFirst}, {kFirst, mesh->vertex_count() - kFirst}};
  mesh->normals.clear();
  for (VertexIndex v = 0; v < mesh->vertex_count(); ++v) {
    for (const float n : {0.6F, 0.0F, 0.8F}) mesh->normals.push_back(v < kFirst ? 0 : n);
  }
  tube.rig.mesh = mesh;
  tube.header.normals = NormalKind::kSkinned;
  const TemporaryFolder folder;
  const auto worst = [&](const CacheWriter& writer) {
    const auto verifier = verify_cache(writer, tube.header);
    tube.bake_into(*verifier);
    return verifier->normals().value();
  };
  for (const char* quantise : {"0", "1"}) {
    tube.header.options = {{"normals", "1"}, {"quantize", quantise}};
    const auto writer = tube.written(folder / "a.glb");
    CHECK(worst(*writer).max <= *writer->normal_bound());
    auto other = std::make_shared<Mesh>(*mesh);
    for (VertexIndex v = 0; v < kFirst; ++v) other->normals[3 * v] = 1;
    tube.rig.mesh = other;
    CHECK(worst(*writer).max == doctest::Approx(1));
    CHECK(worst(*writer).vertex < kFirst);
    tube.rig.mesh = mesh;
  }
  for (const char* name : {"a.usda", "a.exr"}) {
    tube.header.options = {{"normals", "1"}};
    const auto writer = tube.written(folder / name);
    CHECK(worst(*writer).max <= *writer->normal_bound());
  }
}

TEST_CASE("verify: a cache with a damaged header cannot be read back") {
  const Tube tube;
  const TemporaryFolder folder;
  const auto pc2 = tube.written(folder / "a.pc2");
  damage(*pc2, 0, "QOINT");
  check_verification_fails(*pc2, tube);
  const auto mdd = tube.written(folder / "a.mdd");
  CHECK(::truncate(mdd->readable_path().c_str(), 100) == 0);
  check_verification_fails(*mdd, tube);
  CHECK(folder.entry_count() == 0);
}

TEST_CASE("verify: a device cannot be read back") {
  const Tube tube;
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/null", folder / "a.pc2");
  const auto writer = tube.written(folder / "a.pc2");
  check_verification_fails(*writer, tube);
}

TEST_CASE("convert: positions pass from any format to any other unchanged") {
  const Tube tube;
  const TemporaryFolder folder;
  for (const char* name : {"a.pc2", "a.mdd", "a.npy"}) tube.written(folder / name)->commit();
  for (const char* from : {"a.pc2", "a.mdd", "a.npy"}) {
    for (const char* to : {"b.pc2", "b.mdd", "b.npy"}) {
      CacheHeader header;
      header.mesh.vertex_count = tube.rig.mesh->vertex_count();
      header.frames = tube.header.frames;
      const auto writer = open_writer(folder / to, header);
      stream_into(*writer, folder / from);
      const auto verifier = verify_cache(*writer, header);
      stream_into(*verifier, folder / from);
      CHECK(verifier->result().max_m == 0);
      writer->commit();
      std::string same = to;
      same[0] = 'a';
      CHECK(read_file(folder / to) == read_file(folder / same));
    }
  }
}

TEST_CASE(
    "convert: a position that is not finite is an error that names the frame and the vertex") {
  const TemporaryFolder folder;
  test::write_two_by_two(folder / "a.pc2");
  std::string bytes = read_file(folder / "a.pc2");
  bytes.replace(32 + 24 + 12 + 4, 4, bytes_of(-INFINITY));
  write_file(folder / "a.pc2", bytes);
  CacheHeader header;
  header.mesh.vertex_count = 2;
  header.frames.frame_count = 2;
  const auto writer = open_writer(folder / "b.pc2", header);
  try {
    stream_into(*writer, folder / "a.pc2");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == "NON_FINITE_POSITION");
    CHECK(error.location().file == folder / "a.pc2");
    CHECK(std::string(error.what()).find("frame 1, vertex 1") != std::string::npos);
  }
}

}  // namespace skinbake
