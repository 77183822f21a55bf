#include "support/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/scalar.h"
#include "support/rigs.h"

namespace skinbake::test {

namespace {

Local random_local(Random& random, double spread) {
  const auto scale = [&] { return random.between(1 - spread, 1 + spread); };
  return {random.vector(1), random.rotation(), {scale(), scale(), scale()}};
}

std::vector<Influence> random_influences(Random& random, const RandomShape& shape) {
  std::vector<JointIndex> joints;
  for (int j = 0; j < shape.joints; ++j) joints.push_back(static_cast<JointIndex>(j));
  const int count = 1 + random.below(std::min(shape.influences, shape.joints));
  std::vector<Influence> all;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    std::swap(joints[i], joints[i + random.below(shape.joints - i)]);
    all.push_back({joints[i], random.between(0.05, 1)});
    sum += all.back().weight;
  }
  for (Influence& i : all) i.weight /= sum;
  std::sort(all.begin(), all.end(), [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  return all;
}

}  // namespace

Quat<double> Random::rotation() {
  for (;;) {
    const Quat<double> q{between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
    const double length = norm(q);
    if (length > 0.1 && length < 1) return (1 / length) * q;
  }
}

Affine<double> Random::stretch(double low, double high) {
  const Affine<double> r = to_affine(rotation(), {0, 0, 0});
  const double s[] = {between(low, high), between(low, high), between(low, high)};
  const auto column = [&](double x, double y, double z) {
    return s[0] * x * r.x + (s[1] * y * r.y + s[2] * z * r.z);
  };
  return {column(r.x.x, r.y.x, r.z.x),
          column(r.x.y, r.y.y, r.z.y),
          column(r.x.z, r.y.z, r.z.z),
          {0, 0, 0}};
}

Affine<double> to_matrix(const Local& local) {
  const Affine<double> turned = to_affine(local.rotation, local.translation);
  return {local.scale.x * turned.x, local.scale.y * turned.y, local.scale.z * turned.z,
          local.translation};
}

// A point of a torus with random dents, rounded to multiples of 2^-10. The order of the points is
// the one that close_surface() expects.
Vec3<double> random_point(Random& random, int v, int count) {
  const double around = 2 * std::numbers::pi * v / 6, along = 2 * std::numbers::pi * v / count;
  const double from_axis = 0.6 + 0.3 * std::cos(around);
  const Vec3<double> dent = random.vector(0.08);
  const auto on_grid = [](double x) { return std::ldexp(std::round(std::ldexp(x, 10)), -10); };
  return {on_grid(from_axis * std::cos(along) + dent.x), on_grid(0.3 * std::sin(around) + dent.y),
          on_grid(from_axis * std::sin(along) + dent.z)};
}

Rig random_rig(const RandomShape& shape) {
  Random random(shape.seed);
  std::vector<Node> nodes(static_cast<std::size_t>(shape.joints));
  for (int j = 0; j < shape.joints; ++j) {
    const Local local = random_local(random, shape.scale_spread);
    nodes[j].name = "joint" + std::to_string(j);
    nodes[j].parent = j == 0 ? -1 : random.below(j);
    nodes[j].translation = local.translation;
    nodes[j].rotation = local.rotation;
    nodes[j].scale = local.scale;
  }
  std::vector<Vec3<double>> points;
  std::vector<std::vector<Influence>> influences;
  for (int v = 0; v < shape.points; ++v) {
    points.push_back(random_point(random, v, shape.points));
    influences.push_back(random_influences(random, shape));
  }
  Rig rig = loose(points, nodes, influences);
  auto mesh = std::make_shared<Mesh>(*rig.mesh);
  close_surface(*mesh);
  rig.mesh = mesh;
  return rig;
}

Clip random_clip(const Rig& rig, const RandomShape& shape, int frames, double fps) {
  Random random(shape.seed + 1000);
  std::vector<std::vector<Local>> locals(static_cast<std::size_t>(frames));
  for (std::vector<Local>& of_frame : locals) {
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      of_frame.push_back(random_local(random, shape.scale_spread));
    }
  }
  return clip_of(locals, fps);
}

Clip clip_of(const std::vector<std::vector<Local>>& locals, double fps) {
  Clip clip;
  clip.id = clip.name = "clip";
  clip.duration_s = static_cast<double>(locals.size() - 1) / fps;
  std::vector<double> times;
  for (std::size_t f = 0; f < locals.size(); ++f) times.push_back(static_cast<double>(f) / fps);
  for (std::size_t n = 0; n < locals[0].size(); ++n) {
    std::vector<double> moves, turns, scales;
    for (const std::vector<Local>& of_frame : locals) {
      const auto& [t, r, s] = of_frame[n];
      moves.insert(moves.end(), {t.x, t.y, t.z});
      turns.insert(turns.end(), {r.x, r.y, r.z, r.w});
      scales.insert(scales.end(), {s.x, s.y, s.z});
    }
    const auto node = static_cast<NodeIndex>(n);
    constexpr auto kLinear = Interpolation::kLinear;
    clip.channels.push_back(channel(node, ChannelPath::kTranslation, kLinear, times, moves, 3));
    clip.channels.push_back(channel(node, ChannelPath::kRotation, kLinear, times, turns, 4));
    clip.channels.push_back(channel(node, ChannelPath::kScale, kLinear, times, scales, 3));
  }
  return clip;
}

}  // namespace skinbake::test
