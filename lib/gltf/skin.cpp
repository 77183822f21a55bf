// Skin weights of a mesh, and the joints that a skin gives them.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "gltf/accessor.h"
#include "gltf/parts.h"

namespace skinbake::gltf {

namespace {

// Matrices are inverted in float: their last row may be off by a few roundings.
constexpr double kLastRowTolerance = 1e-4;

std::string short_number(double value) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), end.ptr};
}

// One set of four influences a vertex.
struct InfluenceSet {
  std::string number;                  // "0" of JOINTS_0
  AlignedArray<std::uint32_t> joints;  // [vertex][4]
  AlignedArray<double> weights;        // [vertex][4]; empty: the file has none
};

class WeightsLoader {
 public:
  WeightsLoader(Document& document, int mesh, const Mesh& geometry)
      : document_(document), mesh_(mesh), geometry_(geometry) {}

  SkinWeights load() {
    const auto& primitives = document_.model.meshes[static_cast<std::size_t>(mesh_)].primitives;
    for (std::size_t p = 0; p < primitives.size(); ++p) {
      if (geometry_.primitives[p].vertex_count != 0) load_primitive(p, primitives[p].attributes);
    }
    return std::move(result_);
  }

 private:
  using Attributes = std::map<std::string, int>;

  void load_primitive(std::size_t p, const Attributes& attributes) {
    const std::vector<InfluenceSet> sets = load_sets(p, attributes);
    const std::size_t count = geometry_.primitives[p].vertex_count;
    const std::size_t width = std::max<std::size_t>(4 * sets.size(), 1);
    document_.reserve(count, width * sizeof(Influence) + sizeof(std::uint32_t) + sizeof(double),
                      attribute_element(document_, mesh_, p, "WEIGHTS_0"));
    Influences& out = result_.influences;
    reserve_huge(out.first_influence, out.first_influence.size() + count);
    reserve_huge(out.influences, out.influences.size() + count * width);
    WeightFindings findings;
    if (sets.empty()) {
      result_.follows_node = true;
      for (std::size_t v = 0; v < count; ++v) {
        Influence own{kOwnNode, 1};
        append_vertex({&own, 1}, out, findings);
      }
      return;
    }
    result_.has_joints = true;
    append_vertices(sets, count, findings);
    note_findings(p, findings);
    note_bound(p, sets, count);
  }

  // Sets in the order of their numbers: 0, 1, 2 … 10.
  std::vector<InfluenceSet> load_sets(std::size_t p, const Attributes& attributes) {
    std::vector<std::string> numbers;
    for (const auto& [name, accessor] : attributes) {
      if (name.starts_with("JOINTS_")) numbers.push_back(name.substr(7));
      if (name.starts_with("WEIGHTS_") && !attributes.contains("JOINTS_" + name.substr(8))) {
        const Element where = attribute_element(document_, mesh_, p, name);
        document_.note(IssueCode::WEIGHTS_MISSING, where.pointer,
                       where.name + " has no joints; ignored");
      }
    }
    std::sort(numbers.begin(), numbers.end(), [](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    std::vector<InfluenceSet> sets;
    for (const std::string& number : numbers) {
      InfluenceSet set{number, {}, {}};
      set.joints = read<std::uint32_t>(p, "JOINTS_" + number, attributes, kJointsFormat);
      if (attributes.contains("WEIGHTS_" + number)) {
        set.weights = read<double>(p, "WEIGHTS_" + number, attributes, kWeightsFormat);
        check_finite(p, set);
      } else {
        const Element where = attribute_element(document_, mesh_, p, "JOINTS_" + number);
        document_.note(IssueCode::WEIGHTS_MISSING, where.pointer,
                       where.name + " has no weights; they count as zero");
      }
      sets.push_back(std::move(set));
    }
    return sets;
  }

  template <class T>
  AlignedArray<T> read(std::size_t p, const std::string& name, const Attributes& attributes,
                       const Format& format) {
    const Element where = attribute_element(document_, mesh_, p, name);
    const int accessor = attributes.at(name);
    check_format(document_, accessor, format, where);
    const std::size_t expected = geometry_.primitives[p].vertex_count;
    if (accessor_at(document_, accessor).count != expected) {
      document_.fail("ACCESSOR_COUNT", where,
                     "has " + std::to_string(accessor_at(document_, accessor).count) +
                         " elements for " + std::to_string(expected) +
                         " vertices; re-export the mesh");
    }
    return decode_all<T>(document_, accessor, where);
  }

  void check_finite(std::size_t p, const InfluenceSet& set) const {
    if (all_finite(set.weights.data(), set.weights.size())) return;
    document_.fail("VALUE_NOT_FINITE",
                   attribute_element(document_, mesh_, p, "WEIGHTS_" + set.number),
                   "has a NaN or an infinity; re-export the mesh");
  }

  void append_vertices(const std::vector<InfluenceSet>& sets, std::size_t count,
                       WeightFindings& findings) {
    std::vector<Influence> listed(4 * sets.size());
    for (std::size_t v = 0; v < count; ++v) {
      Influence* next = listed.data();
      for (const InfluenceSet& set : sets) {
        const std::uint32_t* joints = &set.joints[4 * v];
        const double* weights = set.weights.size() == 0 ? kNoWeights.data() : &set.weights[4 * v];
        for (int i = 0; i < 4; ++i) *next++ = {joints[i], weights[i]};
      }
      append_vertex(listed, result_.influences, findings);
    }
  }

  void note_findings(std::size_t p, const WeightFindings& findings) {
    const std::string pointer = attribute_element(document_, mesh_, p, "WEIGHTS_0").pointer;
    if (findings.renormalised > 0) {
      const bool too_small = findings.least_sum < 1;
      document_.note(IssueCode::WEIGHTS_RENORMALISED, pointer,
                     std::to_string(findings.renormalised) + " vertices: weights sum to " +
                         short_number(too_small ? findings.least_sum : findings.greatest_sum) +
                         (too_small ? " at the least; normalised" : " at the most; normalised"),
                     findings.renormalised);
    }
    if (findings.negative > 0) {
      document_.note(IssueCode::WEIGHTS_NEGATIVE, pointer,
                     std::to_string(findings.negative) + " weights are negative; clamped to zero",
                     findings.negative);
    }
    if (findings.zero > 0) {
      document_.note(IssueCode::WEIGHTS_ZERO, pointer,
                     std::to_string(findings.zero) +
                         " vertices have no weight; the first listed joint takes them",
                     findings.zero);
    }
  }

  // Joints without weight may be any number, so only those that are left count.
  void note_bound(std::size_t p, const std::vector<InfluenceSet>& sets, std::size_t count) {
    const std::size_t first = geometry_.primitives[p].first_vertex;
    const Influences& all = result_.influences;
    SkinWeights::Bound bound;
    for (std::size_t i = all.first_influence[first]; i < all.first_influence[first + count]; ++i) {
      bound.greatest = std::max(bound.greatest, all.influences[i].joint);
    }
    const auto names_it = [&](const InfluenceSet& set) {
      const std::uint32_t* end = set.joints.data() + set.joints.size();
      return std::find(set.joints.data(), end, bound.greatest) != end;
    };
    const auto set = std::find_if(sets.begin(), sets.end(), names_it);
    bound.element = attribute_element(document_, mesh_, p, "JOINTS_" + set->number);
    result_.bounds.push_back(std::move(bound));
  }

  static constexpr std::array<double, 4> kNoWeights{};

  Document& document_;
  int mesh_;
  const Mesh& geometry_;
  SkinWeights result_;
};

Element skin_element(const Document& document, int skin) {
  const auto index = static_cast<std::size_t>(skin);
  return {describe("skin", index, document.model.skins[index].name),
          "/skins/" + std::to_string(skin)};
}

// Shape [joint][16], column by column; empty: the file has none.
AlignedArray<double> inverse_bind_matrices(Document& document, int skin, std::size_t joints) {
  const int accessor = document.model.skins[static_cast<std::size_t>(skin)].inverseBindMatrices;
  Element where = skin_element(document, skin);
  if (accessor < 0) {
    document.note(IssueCode::INVERSE_BIND_MISSING, where.pointer,
                  where.name + " has no inverse bind matrices; identity is used");
    return {};
  }
  where = {where.name + ", inverseBindMatrices", where.pointer + "/inverseBindMatrices"};
  check_format(document, accessor, kMatrixFormat, where);
  if (accessor_at(document, accessor).count < joints) {
    document.fail("ACCESSOR_COUNT", where,
                  "has " + std::to_string(accessor_at(document, accessor).count) +
                      " matrices for " + std::to_string(joints) + " joints; re-export the skin");
  }
  return decode_all<double>(document, accessor, where);
}

bool is_affine(const double* m) {
  return all_finite(m, 16) && std::abs(m[3]) <= kLastRowTolerance &&
         std::abs(m[7]) <= kLastRowTolerance && std::abs(m[11]) <= kLastRowTolerance &&
         std::abs(m[15] - 1) <= kLastRowTolerance;
}

// Which joints of the skin have weight.
std::vector<bool> used_joints(const Rig& rig, std::size_t joints) {
  std::vector<bool> used(joints);
  for (const Influence& influence : rig.influences) {
    if (influence.joint < joints) used[influence.joint] = true;
  }
  return used;
}

void load_joints(Document& document, int skin, Rig& rig) {
  const std::vector<int>& nodes = document.model.skins[static_cast<std::size_t>(skin)].joints;
  const AlignedArray<double> matrices = inverse_bind_matrices(document, skin, nodes.size());
  document.reserve(nodes.size(), sizeof(Joint), skin_element(document, skin));
  rig.joints.reserve(nodes.size() + 1);
  std::vector<bool> used;  // only looked for if a matrix is broken
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    rig.joints.push_back({nodes[j], kIdentity});
    if (matrices.size() == 0) continue;
    const double* m = &matrices[16 * j];
    if (is_affine(m)) {
      rig.joints.back().joint_from_model = {
          {m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
      continue;
    }
    Element where = skin_element(document, skin);
    where = {where.name + ", inverse bind matrix " + std::to_string(j),
             where.pointer + "/inverseBindMatrices"};
    if (used.empty()) used = used_joints(rig, nodes.size());
    if (used[j]) {
      document.fail("MATRIX_NOT_AFFINE", where,
                    "is not finite, or its last row is not 0 0 0 1; re-export the skin");
    }
    document.note(IssueCode::INVERSE_BIND_UNUSABLE, where.pointer,
                  where.name + " is not an affine matrix; no vertex uses the joint");
  }
}

}  // namespace

SkinWeights load_skin_weights(Document& document, int mesh, const Mesh& geometry) {
  return WeightsLoader(document, mesh, geometry).load();
}

void bind_skin(Document& document, int skin, SkinWeights weights, Rig& rig) {
  const auto joints =
      static_cast<JointIndex>(document.model.skins[static_cast<std::size_t>(skin)].joints.size());
  if (joints == 0) document.fail("SKIN_EMPTY", skin_element(document, skin), "has no joints");
  for (const SkinWeights::Bound& bound : weights.bounds) {
    if (bound.greatest < joints) continue;
    document.fail("JOINT_OUT_OF_RANGE", bound.element,
                  "gives weight to joint " + std::to_string(bound.greatest) + ", but " +
                      skin_element(document, skin).name + " has " + std::to_string(joints) +
                      "; re-export the mesh");
  }
  rig.skinned = true;
  rig.first_influence = std::move(weights.influences.first_influence);
  rig.influences = std::move(weights.influences.influences);
  rig.first_listed = std::move(weights.influences.first_listed);
  rig.weight_sums = std::move(weights.influences.weight_sums);
  load_joints(document, skin, rig);
  if (!weights.follows_node) return;
  for (Influence& influence : rig.influences) {
    if (influence.joint == kOwnNode) influence.joint = joints;
  }
  rig.joints.push_back({rig.node, kIdentity});
}

void bind_to_node(Document& document, Rig& rig) {
  const std::size_t count = rig.mesh->vertex_count();
  document.reserve(count, sizeof(Influence) + sizeof(std::uint32_t),
                   {"mesh node '" + rig.id + "'", "/nodes/" + std::to_string(rig.node)});
  rig.joints = {{rig.node, kIdentity}};
  rig.influences.assign(count, {0, 1.0});
  rig.first_influence.resize(count + 1);
  for (std::size_t v = 0; v <= count; ++v) rig.first_influence[v] = static_cast<std::uint32_t>(v);
}

}  // namespace skinbake::gltf
