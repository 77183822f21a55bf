// Binds meshes to the joints of a skin with its inverse bind matrices, or to a node.

#include <algorithm>
#include <cmath>

#include "gltf/read/accessor.h"
#include "gltf/read/loaders.h"
#include "math/scalar.h"

namespace skinbake::gltf {

namespace {

// Exporters invert matrices in float, so the last row contains rounding errors.
constexpr double kLastRowTolerance = 1e-4;
// The determinant of a singular matrix that was rounded to float is at most this part of the
// product of its columns' lengths.
constexpr double kFlatness = 1e-6;

Element skin_element(const Document& document, int skin) {
  const auto index = static_cast<std::size_t>(skin);
  return {describe("skin", index, document.model.skins[index].name),
          "/skins/" + std::to_string(skin)};
}

// Returns the matrices, shape [joint][16], column-major; empty if the skin does not have them.
AlignedArray<double> inverse_bind_matrices(Document& document, int skin, std::size_t joints) {
  const int accessor = document.model.skins[static_cast<std::size_t>(skin)].inverse_bind_matrices;
  Element where = skin_element(document, skin);
  if (accessor < 0) {
    document.note("INVERSE_BIND_MISSING", where.pointer,
                  where.name + " does not have inverse bind matrices; the identity is used");
    return {};
  }
  where = {where.name + ", inverseBindMatrices", where.pointer + "/inverseBindMatrices"};
  check_format(document, accessor, kMatrixFormat, where);
  if (accessor_at(document, accessor).count < joints) {
    document.fail("ACCESSOR_COUNT", where,
                  "has " + std::to_string(accessor_at(document, accessor).count) +
                      " matrices for " + std::to_string(joints) + " joints");
  }
  return decode_all<double>(document, accessor, where);
}

bool is_affine(const double* m) {
  return all_finite(m, 16) && std::abs(m[3]) <= kLastRowTolerance &&
         std::abs(m[7]) <= kLastRowTolerance && std::abs(m[11]) <= kLastRowTolerance &&
         std::abs(m[15] - 1) <= kLastRowTolerance;
}

// Whether the linear part is singular, relative to the lengths of its columns: files use any unit.
bool is_singular(const Affine<double>& m) {
  return !(std::abs(determinant(m)) > kFlatness * norm(m.x) * norm(m.y) * norm(m.z));
}

// Returns, for each joint of the skin, whether an influence uses it.
std::vector<bool> used_joints(const Rig& rig, std::size_t joints) {
  std::vector<bool> used(joints);
  for (const Influence& influence : rig.influences) {
    if (influence.joint < joints) used[influence.joint] = true;
  }
  return used;
}

// A finding about several joints of a skin: their number and the first of them.
struct JointFinding {
  std::int64_t count = 0;
  std::size_t first = 0;

  void add(std::size_t joint) {
    if (count++ == 0) first = joint;
  }
};

// "3 inverse bind matrices (the first of joint 4)".
std::string matrices_text(const JointFinding& finding) {
  if (finding.count == 1)
    return "the inverse bind matrix of joint " + std::to_string(finding.first);
  return std::to_string(finding.count) + " inverse bind matrices (the first of joint " +
         std::to_string(finding.first) + ")";
}

class JointsLoader {
 public:
  JointsLoader(Document& document, int skin, Rig& rig)
      : document_(document),
        element_(skin_element(document, skin)),
        nodes_(document.model.skins[static_cast<std::size_t>(skin)].joints),
        matrices_(inverse_bind_matrices(document, skin, nodes_.size())),
        rig_(rig) {}

  void load() {
    rig_.joints.reserve(nodes_.size() + 1);
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      rig_.joints.push_back({nodes_[j], matrices_.size() == 0 ? kIdentity : matrix(j)});
    }
    note_findings();
    note_repeated();
  }

 private:
  Affine<double> matrix(std::size_t j) {
    const double* m = &matrices_[16 * j];
    if (!is_affine(m)) {
      if (is_used(j)) {
        document_.fail("MATRIX_NOT_AFFINE",
                       {element_.name + ", inverse bind matrix " + std::to_string(j),
                        element_.pointer + "/inverseBindMatrices"},
                       "is not finite, or its last row is not 0 0 0 1");
      }
      unusable_.add(j);
      return kIdentity;
    }
    const Affine<double> joint_from_model{
        {m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
    if (is_singular(joint_from_model)) (is_used(j) ? flat_ : flat_unused_).add(j);
    return joint_from_model;
  }

  // Computed only if a matrix is damaged.
  bool is_used(std::size_t j) {
    if (used_.empty()) used_ = used_joints(rig_, nodes_.size());
    return used_[j];
  }

  void note_findings() {
    const std::string pointer = element_.pointer + "/inverseBindMatrices";
    const auto note = [&](std::string_view code, const JointFinding& finding, const char* what) {
      if (finding.count == 0) return;
      document_.note(code, pointer, element_.name + ", " + matrices_text(finding) + ": " + what,
                     finding.count);
    };
    note("INVERSE_BIND_UNUSABLE", unusable_, "not affine; no vertex uses the joint");
    note("INVERSE_BIND_SINGULAR", flat_, "singular; the vertices of the joint are flattened");
    note("INVERSE_BIND_SINGULAR_UNUSED", flat_unused_, "singular; no vertex uses the joint");
  }

  void note_repeated() {
    std::vector<int> sorted = nodes_;
    std::sort(sorted.begin(), sorted.end());
    const auto repeated = std::adjacent_find(sorted.begin(), sorted.end());
    if (repeated == sorted.end()) return;
    const auto different = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
    document_.note("JOINTS_REPEATED", element_.pointer + "/joints",
                   element_.name + " lists nodes more than once, node " +
                       std::to_string(*repeated) + " first; each entry becomes a separate joint",
                   static_cast<std::int64_t>(nodes_.size()) - different);
  }

  Document& document_;
  Element element_;
  const std::vector<int>& nodes_;
  AlignedArray<double> matrices_;  // [joint][16]
  Rig& rig_;
  std::vector<bool> used_;
  JointFinding unusable_, flat_, flat_unused_;
};

}  // namespace

void bind_skin(Document& document, int skin, SkinWeights weights, Rig& rig) {
  const auto joints =
      static_cast<JointIndex>(document.model.skins[static_cast<std::size_t>(skin)].joints.size());
  if (joints == 0)
    document.fail("SKIN_EMPTY", skin_element(document, skin), "does not have joints");
  for (const SkinWeights::GreatestJoint& greatest : weights.greatest_joints) {
    if (greatest.joint < joints) continue;
    document.fail("JOINT_OUT_OF_RANGE", greatest.element,
                  "gives weight to joint " + std::to_string(greatest.joint) + ", but " +
                      skin_element(document, skin).name + " has " + std::to_string(joints));
  }
  rig.skinned = true;
  rig.first_influence = std::move(weights.influences.first_influence);
  rig.influences = std::move(weights.influences.influences);
  rig.first_listed = std::move(weights.influences.first_listed);
  JointsLoader(document, skin, rig).load();
  if (!weights.follows_node) return;
  for (Influence& influence : rig.influences) {
    if (influence.joint == kOwnNode) influence.joint = joints;
  }
  rig.joints.push_back({rig.node, kIdentity});
}

void bind_to_node(Rig& rig) {
  const std::size_t count = rig.mesh->vertex_count();
  rig.joints = {{rig.node, kIdentity}};
  rig.influences.assign(count, {0, 1.0});
  rig.first_influence.resize(count + 1);
  for (std::size_t v = 0; v <= count; ++v) rig.first_influence[v] = static_cast<std::uint32_t>(v);
}

}  // namespace skinbake::gltf
