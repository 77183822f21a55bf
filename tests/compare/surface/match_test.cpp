#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "compare/surface/changed_rigs.h"
#include "compare/surface/closest_partner.h"
#include "compare/surface/matched_pair.h"
#include "compare/surface/surfaces.h"
#include "skinbake/bake.h"
#include "skinbake/compare.h"
#include "skinbake/error.h"
#include "support/frames.h"
#include "support/near.h"
#include "support/rigs.h"

namespace skinbake {
namespace {

using test::bend;
using test::bent_tube;
using test::message_of;
using test::Pair;
using test::surfaces_of;

}  // namespace

TEST_CASE("surfaces: a copy in another order is equal, at rest and in motion") {
  const Rig rig = bent_tube();
  for (const Match match : {Match::kOrder, Match::kSurface}) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const Pair pair(rig, test::permuted(rig, seed), match);
      CHECK(pair.at_rest() < 1e-15);
      CHECK(pair.in_motion(bend(rig)) == 0);
    }
  }
}

TEST_CASE("surfaces: split and welded copies are equal, at rest and in motion") {
  const Rig rig = bent_tube(), split = test::split(rig);
  CHECK(Pair(rig, split, Match::kSurface).at_rest() == 0);
  CHECK(Pair(rig, split, Match::kSurface).in_motion(bend(rig)) == 0);
  CHECK(Pair(split, rig, Match::kSurface).in_motion(bend(rig)) == 0);
  CHECK(Pair(split, test::permuted(split, 4), Match::kOrder).in_motion(bend(rig)) == 0);
}

TEST_CASE("surfaces: triangles of one place that each point looks at have a limit") {
  const BindSurfaces surfaces = surfaces_of(bent_tube(), bent_tube());
  const auto code = [&](std::uint64_t most) -> std::string {
    try {
      match_surfaces(surfaces, {.match = Match::kSurface, .most_distances = most});
    } catch (const Error& error) {
      return std::string(error.code());
    }
    return "";
  };
  CHECK(code(1000) == "SURFACES_TOO_DENSE");
  CHECK(code(2'000'000'000) == "");
}

TEST_CASE("surfaces: a lost joint shows in motion and not at rest") {
  const Rig rig = bent_tube();
  Rig stiff = test::permuted(rig, 1);
  stiff.influences.clear();
  for (VertexIndex v = 0; v < stiff.mesh->vertex_count(); ++v) {
    stiff.influences.push_back({0, 1});
    stiff.first_influence[v + 1] = v + 1;
  }
  const Pair pair(rig, stiff, Match::kSurface);
  CHECK(pair.at_rest() < 1e-15);
  CHECK(pair.in_motion(bend(rig)) > 0.5);
}

TEST_CASE("surfaces: auto takes index, else order, else surface, and says why") {
  const Rig rig = bent_tube();
  const auto match = [&](const Rig& other) {
    const MatchedSurfaces matched = match_surfaces(surfaces_of(rig, other), {});
    CHECK_FALSE(matched.reason.empty());
    CHECK(matched.index_distance_m.has_value() ==
          (other.mesh->vertex_count() == rig.mesh->vertex_count()));
    return matched.match;
  };
  CHECK(match(rig) == Match::kIndex);
  CHECK(match(test::permuted(rig, 1)) == Match::kOrder);
  CHECK(match(test::split(rig)) == Match::kSurface);
  CHECK(match(test::tube({.rings = 12, .segments = 16, .joints = 3})) == Match::kSurface);
}

TEST_CASE("surfaces: order pairs vertices that rounding has moved") {
  const Rig rig = bent_tube();
  Rig moved = test::permuted(rig, 1);
  auto mesh = std::make_shared<Mesh>(*moved.mesh);
  for (std::size_t i = 0; i < mesh->positions.size(); ++i) mesh->positions[i] += i % 2 ? 1e-6f : 0;
  moved.mesh = mesh;
  const Pair pair(rig, moved, Match::kOrder);
  CHECK(pair.at_rest() > 0);
  CHECK(pair.at_rest() < 2e-6);
}

TEST_CASE("surfaces: order refuses other vertices, and names surface") {
  const Rig rig = bent_tube();
  Rig moved = rig;
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  mesh->positions[7] += 0.01f;
  moved.mesh = mesh;
  CHECK(message_of(surfaces_of(rig, moved), Match::kOrder).find("compare the surfaces") !=
        std::string::npos);
  CHECK(
      message_of(surfaces_of(rig, test::split(rig)), Match::kIndex).find("compare the surfaces") !=
      std::string::npos);
}

TEST_CASE("surfaces: spheres of radius r and r + d are d apart within the bound of the sampling") {
  for (const int segments : {24, 64}) {
    for (const double d : {0.02, 0.1}) {
      const test::Sphere small = test::sphere(1, segments),
                         large = test::sphere(1 + d, segments + 6);
      const Pair pair(test::rigid(small.surface), test::rigid(large.surface), Match::kSurface);
      CHECK(pair.at_rest() <= d + small.sagitta);
      CHECK(pair.at_rest() >= d - large.sagitta);
    }
  }
}

TEST_CASE("surfaces: of vertices at one place, those pair that morph targets move alike") {
  // Closed lips: two triangles at one place, which a morph target moves apart.
  test::Surface lips;
  for (const int lip : {0, 1}) {
    const auto v = static_cast<VertexIndex>(3 * lip);
    lips.points.insert(lips.points.end(), {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    lips.triangles.push_back({v, v + 1, v + 2});
  }
  Rig rig = test::rigid(lips);
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  std::vector<float> apart;
  for (const float y : {0.3f, 0.3f, 0.3f, -0.3f, -0.3f, -0.3f}) {
    apart.insert(apart.end(), {0, y, 0});
  }
  mesh->morph_targets = {{apart, {}, {}}};
  rig.mesh = mesh;
  Rig other = test::with_vertices(rig, {5, 2, 4, 1, 3, 0}, {{4, 2, 0}, {5, 3, 1}});
  const auto check = [&] {
    const Pair pair(rig, other, Match::kOrder);
    for (VertexIndex v = 0; v < 6; ++v) {
      const VertexIndex w = pair.matched.a_to_b.partners[v].corners[0];
      CHECK(other.mesh->positions[3 * w] == doctest::Approx(rig.mesh->positions[3 * v]));
      CHECK(other.mesh->morph_targets[0].positions[3 * w + 1] == apart[3 * v + 1]);
    }
  };
  check();
  // Positions that are rounded pair by similarity.
  auto rounded = std::make_shared<Mesh>(*other.mesh);
  for (float& x : rounded->positions) x += 1e-6f;
  other.mesh = rounded;
  check();
}

TEST_CASE("surfaces: a rigid motion keeps the error of the bind pose in every frame") {
  const test::Sphere small = test::sphere(1, 24), large = test::sphere(1.05, 32);
  const Rig a =
      test::chained(small.surface, 2, test::Weights(small.surface.points.size(), {{1, 1.0}}));
  const Rig b =
      test::chained(large.surface, 2, test::Weights(large.surface.points.size(), {{1, 1.0}}));
  const Pair pair(a, b, Match::kSurface);
  CHECK(pair.in_motion(test::turning_clip(a, {0.6, 0, 0.8}, 2)) ==
        doctest::Approx(pair.at_rest()).epsilon(1e-5));
}

TEST_CASE("surfaces: fingers that touch pair with themselves") {
  // Two cubes that share a face, each moved by a joint of its own; B has more vertices.
  const auto fingers = [](bool refined) {
    const auto finger = [&](double x) {
      return refined ? test::split(test::rigid(test::cube({x, 0, 0})))
                     : test::rigid(test::cube({x, 0, 0}));
    };
    const Rig left = finger(0), right = finger(1);
    test::Surface both;
    test::Weights weights;
    for (const Rig* rig : {&left, &right}) {
      const auto first = static_cast<VertexIndex>(both.points.size());
      for (std::size_t i = 0; i < rig->mesh->positions.size(); i += 3) {
        const float* p = rig->mesh->positions.data() + i;
        both.points.push_back({p[0], p[1], p[2]});
        weights.push_back({{rig == &left ? 1u : 2u, 1.0}});
      }
      for (auto t : rig->mesh->triangles) {
        for (VertexIndex& v : t) v += first;
        both.triangles.push_back(t);
      }
    }
    return test::chained(both, 3, weights);
  };
  const Pair pair(fingers(false), fingers(true), Match::kSurface);
  CHECK(pair.at_rest() == 0);
  CHECK(pair.matched.a_to_b.facing_away == 0);
  CHECK(pair.in_motion(test::turning_clip(pair.a, {0, 0, 1}, 1)) == 0);
}

TEST_CASE("surfaces: of two sheets at one place, a point takes that with its weights") {
  // A square of skin below a square of cloth, which has the same direction.
  const auto sheets = [](double gap) {
    test::Surface s;
    test::Weights weights;
    for (const int sheet : {0, 1}) {
      for (const auto& [x, y] : {std::pair{0., 0.}, {1., 0.}, {1., 1.}, {0., 1.}}) {
        s.points.push_back({x, y, gap * sheet});
        weights.push_back({{static_cast<JointIndex>(sheet), 1.0}});
      }
      const auto v = static_cast<VertexIndex>(4 * sheet);
      s.triangles.push_back({v, v + 1, v + 2});
      s.triangles.push_back({v, v + 2, v + 3});
    }
    return test::chained(s, 2, weights);
  };
  for (const double gap : {0.0, 2e-4}) {
    // B's sheets are swapped: the cloth is exactly where A's skin is.
    const Pair pair(sheets(gap), sheets(-gap), Match::kSurface);
    CHECK(pair.at_rest() <= 2 * gap + 1e-7);
    CHECK(pair.in_motion(test::turning_clip(pair.a, {1, 0, 0}, 1)) <= 2 * gap + 1e-6);
  }
}

TEST_CASE("surfaces: a hole in a level of detail is as deep as its distance to the rim") {
  const Rig rig = test::rigid(test::sphere(1, 48).surface);
  Rig open = rig;
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  const auto height = [&](const auto& t) { return mesh->positions[3 * t[0] + 1]; };
  std::erase_if(mesh->triangles, [&](const auto& t) { return height(t) > 0.9f; });
  open.mesh = mesh;
  const Pair pair(rig, open, Match::kSurface);
  // The pole is sqrt(0.1^2 + 1 - 0.9^2) from a rim at height 0.9.
  CHECK(bind_distance(pair.matched.a_to_b, pair.surfaces.a, pair.surfaces.b).max ==
        doctest::Approx(std::sqrt(0.01 + 0.19)).epsilon(0.15));
  CHECK(bind_distance(*pair.matched.b_to_a, pair.surfaces.b, pair.surfaces.a).max < 1e-7);
}

TEST_CASE("surfaces: bind matrices that undo a scale of the positions change nothing") {
  const Rig rig = bent_tube();
  for (const double scale : {100.0, 0.01}) {
    const Pair pair(rig, test::scaled_at_bind(rig, scale), Match::kAuto);
    CHECK(pair.matched.match == Match::kIndex);
    CHECK(pair.in_motion(bend(rig)) < 1e-6);
  }
}

TEST_CASE("surfaces: joints pair by name in any order, and without names by their place") {
  const Rig rig = bent_tube();
  Rig other = test::permuted(rig, 2);
  auto skeleton = std::make_shared<Skeleton>(*rig.skeleton);
  for (Node& node : skeleton->nodes) node.name.clear();
  other.skeleton = skeleton;
  std::swap(other.joints[0], other.joints[2]);
  for (Influence& i : other.influences) i.joint = i.joint == 1 ? 1 : 2 - i.joint;
  const Pair pair(rig, other, Match::kOrder);
  CHECK(pair.surfaces.a.joint_ids == pair.surfaces.b.joint_ids);
  CHECK(pair.in_motion(bend(rig)) < 1e-6);  // the sum over joints has another order
}

TEST_CASE("surfaces: of joints at one place, those pair whose vertices are at one place") {
  // Two cubes on two joints at the origin; B has no names, and the joints in the other order.
  const auto cubes = [](JointIndex left, JointIndex right) {
    const test::Surface both = test::joined(test::cube({-3, 0, 0}), test::cube({3, 0, 0}));
    test::Weights weights(8, {{left, 1.0}});
    weights.resize(16, {{right, 1.0}});
    return test::chained(both, 3, weights);
  };
  const BindSurfaces surfaces = surfaces_of(cubes(1, 2), cubes(2, 1));
  const auto id = [](const BindSurface& surface, VertexIndex v) {
    return surface.joint_ids[surface.influences_of(v).front().joint];
  };
  CHECK(id(surfaces.a, 0) == id(surfaces.b, 0));
  CHECK(id(surfaces.a, 8) == id(surfaces.b, 8));
  CHECK(id(surfaces.a, 0) != id(surfaces.a, 8));
}

TEST_CASE("surfaces: joints that move vertices pair among many that move none at their place") {
  const test::Surface both = test::joined(test::cube({-3, 0, 0}), test::cube({3, 0, 0}));
  const auto cubes = [&](JointIndex left, JointIndex right) {
    test::Weights weights(8, {{left, 1.0}});
    weights.resize(16, {{right, 1.0}});
    return test::chained(both, 1100, weights);
  };
  const BindSurfaces surfaces = surfaces_of(cubes(0, 7), cubes(1000, 3));
  const auto id = [](const BindSurface& surface, VertexIndex v) {
    return surface.joint_ids[surface.influences_of(v).front().joint];
  };
  CHECK(id(surfaces.a, 0) == id(surfaces.b, 0));
  CHECK(id(surfaces.a, 8) == id(surfaces.b, 8));
}

TEST_CASE("surfaces: files of other units are refused before their points are made") {
  const Rig rig = bent_tube();
  for (const double scale : {0.001, 0.01, 100.0, 1000.0}) {
    Rig other = test::split(rig);
    auto mesh = std::make_shared<Mesh>(*other.mesh);
    for (float& x : mesh->positions) x = static_cast<float>(x * scale);
    other.mesh = mesh;
    const std::string message = message_of(surfaces_of(rig, other), Match::kAuto);
    CHECK(message.find(scale > 1 ? "B is 1" : "A is 1") != std::string::npos);
    CHECK(message.find("units") != std::string::npos);
  }
}

TEST_CASE("surfaces: what is left of a surface is not called one of another unit") {
  const test::Sphere sphere = test::sphere(1, 24);
  const auto message_of_rest = [&](std::size_t kept) {
    test::Surface rest = sphere.surface;
    rest.triangles.resize(kept);
    return message_of(surfaces_of(test::rigid(sphere.surface), test::rigid(rest)), Match::kAuto);
  };
  for (const std::size_t kept : {1, 2, 12, 40}) {
    const std::string message = message_of_rest(kept);
    CHECK(message.find("unit") == std::string::npos);
    CHECK(message.find("of the area and") != std::string::npos);
    CHECK(message.find("; B has " + std::to_string(kept) + " triangle") != std::string::npos);
  }
}

TEST_CASE("surfaces: vertices of one frame in another order are found, and moved ones are not") {
  const Rig rig = bent_tube(), permuted = test::permuted(rig, 5);
  const auto in = [](const Rig& of, bool with_triangles) {
    FrameVertices frame{of.mesh->positions, {}};
    if (with_triangles) frame.triangles = of.mesh->triangles;
    return frame;
  };
  Rig moved = rig, far = rig;
  auto mesh = std::make_shared<Mesh>(*rig.mesh), infinite = std::make_shared<Mesh>(*permuted.mesh);
  for (std::size_t i = 0; i < mesh->positions.size(); i += 3) mesh->positions[i] *= 2;
  infinite->positions[4] = INFINITY;
  moved.mesh = mesh;
  far.mesh = infinite;
  for (const bool a : {false, true}) {
    for (const bool b : {false, true}) {
      CHECK(have_another_order(in(rig, a), in(permuted, b)));
      CHECK_FALSE(have_another_order(in(rig, a), in(rig, b)));
      CHECK_FALSE(have_another_order(in(rig, a), in(moved, b)));
      CHECK_FALSE(have_another_order(in(rig, a), in(far, b)));
    }
  }
}

TEST_CASE(
    "surfaces: a vertex has the largest distance of the points of its faces, frame by frame") {
  // Two triangles, of which the second has a point inside, whose partner leaves it in the frames.
  const std::vector<float> flat{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 2, 0};
  std::vector<float> vertices, others;
  for (const float height : {0.0f, 0.5f, -2.0f}) {
    vertices.insert(vertices.end(), flat.begin(), flat.end());
    others.insert(others.end(), {0.5f, 0.5f, height, 0, 0, 0.25f});
  }
  const test::MemoryFrames of{5, vertices}, other{2, others};
  const PointPairs pairs{{{{0, 0, 0}, {1, 0, 0}}, {{1, 2, 3}, {0.5f, 0.5f, 0}}},
                         {{{1, 1, 1}, {1, 0, 0}}, {{0, 0, 0}, {1, 0, 0}}}};
  const std::vector<float> around = test::positions_of(*frames_of_worst_around(of, other, pairs));
  for (std::size_t f = 0; f < 3; ++f) {
    const float height = others[6 * f + 2];
    const std::array<float, 5> expected{0.25f, height, height, 0, 0};
    for (std::size_t v = 0; v < 5; ++v) {
      const float* p = around.data() + 15 * f + 3 * v;
      CHECK(p[0] == flat[3 * v]);
      CHECK(p[1] == flat[3 * v + 1]);
      CHECK(p[2] == expected[v]);
    }
  }
}

TEST_CASE("surfaces: no place is farther than the spacing from a point of the sampling") {
  const Rig rig = bent_tube();
  const BindSurfaces surfaces = surfaces_of(rig, rig);
  const double spacing = 0.05;
  const auto points = sample_surface(surfaces.a, spacing);
  CHECK(points.size() > rig.mesh->vertex_count());
  test::Random random(3);
  for (int i = 0; i < 300; ++i) {
    const auto& t = rig.mesh->triangles[static_cast<std::size_t>(
        random.below(static_cast<int>(rig.mesh->triangles.size())))];
    const float u = static_cast<float>(random.between(0, 1)),
                v = static_cast<float>(random.between(0, 1)) * (1 - u);
    const Vec3<double> p = surfaces.a.position({t, {u, v, 1 - u - v}});
    double nearest = 1;
    for (const SurfacePoint& point : points) {
      nearest = std::min(nearest, test::distance(p, surfaces.a.position(point)));
    }
    CHECK(nearest <= spacing);
  }
}

TEST_CASE("surfaces: a sampling that no memory holds is refused before it is made") {
  const Rig rig = bent_tube(), split = test::split(rig);
  const BindSurfaces surfaces = surfaces_of(rig, split);
  for (const double sampling : {1e-9, 1e-300}) {
    CHECK_THROWS_AS(match_surfaces(surfaces, {.match = Match::kSurface, .sampling = sampling}),
                    std::bad_alloc);
  }
}

TEST_CASE("surfaces: the pairs do not depend on the number of threads") {
  const Rig a = test::tube({.rings = 30, .segments = 20}),
            b = test::tube({.rings = 17, .segments = 23});
  const Pair one(a, b, Match::kSurface, {.threads = 1});
  for (const int threads : {2, 7}) {
    const Pair other(a, b, Match::kSurface, {.threads = threads});
    REQUIRE(one.matched.a_to_b.partners.size() == other.matched.a_to_b.partners.size());
    for (std::size_t i = 0; i < one.matched.a_to_b.partners.size(); ++i) {
      CHECK(one.matched.a_to_b.partners[i].corners == other.matched.a_to_b.partners[i].corners);
      CHECK(one.matched.a_to_b.partners[i].weights == other.matched.a_to_b.partners[i].weights);
    }
  }
}

}  // namespace skinbake
