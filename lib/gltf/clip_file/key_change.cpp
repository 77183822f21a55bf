#include "gltf/clip_file/key_change.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace skinbake::gltf {

namespace {

bool are_equal(const Vec3<double>& a, const Vec3<double>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

bool is_identity(const Quat<double>& q) {
  return q.w == 1 && q.x == 0 && q.y == 0 && q.z == 0;
}

bool changes(const KeyChange& change, ChannelPath path) {
  const Affine<double>& m = change.place;
  switch (path) {
    case ChannelPath::kTranslation:
      return !are_equal(m.x, kIdentity.x) || !are_equal(m.y, kIdentity.y) ||
             !are_equal(m.z, kIdentity.z) || !are_equal(m.translation, kIdentity.translation);
    case ChannelPath::kRotation:
      return !is_identity(change.before) || !is_identity(change.after);
    case ChannelPath::kScale:
      return !are_equal(change.stretch, {1, 1, 1});
    case ChannelPath::kWeights:
      break;
  }
  return false;
}

// Changes a value of three or four numbers. A tangent is a difference of values.
void change_value(const KeyChange& change, ChannelPath path, bool is_tangent, double* v) {
  if (path == ChannelPath::kRotation) {
    const Quat<double> q = change.before * Quat<double>{v[3], v[0], v[1], v[2]} * change.after;
    const std::array<double, 4> numbers{q.x, q.y, q.z, q.w};
    std::copy(numbers.begin(), numbers.end(), v);
    return;
  }
  const Vec3<double> old{v[0], v[1], v[2]}, &s = change.stretch;
  const Vec3<double> made = path == ChannelPath::kScale
                                ? Vec3<double>{s.x * old.x, s.y * old.y, s.z * old.z}
                                : (is_tangent ? rotate(change.place, old) : change.place * old);
  const std::array<double, 3> numbers{made.x, made.y, made.z};
  std::copy(numbers.begin(), numbers.end(), v);
}

}  // namespace

Channel changed(const Channel& channel, const KeyChange& change) {
  Channel made = channel;
  if (!changes(change, channel.path)) return made;
  const bool is_cubic = channel.interpolation == Interpolation::kCubicSpline;
  const auto width = static_cast<std::size_t>(channel.width);
  std::vector<double> values = *channel.values;
  for (std::size_t i = 0; i + width <= values.size(); i += width) {
    change_value(change, channel.path, is_cubic && i / width % 3 != 1, &values[i]);
  }
  made.values = std::make_shared<const std::vector<double>>(std::move(values));
  return made;
}

}  // namespace skinbake::gltf
