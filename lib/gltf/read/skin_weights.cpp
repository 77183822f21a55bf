// Loads the skin weights of a mesh: reads and repairs its sets of influences.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "gltf/read/accessor.h"
#include "gltf/read/loaders.h"

namespace skinbake::gltf {

namespace {

std::string short_number(double value) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), end.ptr};
}

// A sum of weights as text; a sum that rounds to 1 is shown with its difference: "1 - 3e-06".
std::string sum_text(double sum) {
  const std::string text = short_number(sum);
  return text != "1" ? text : text + (sum < 1 ? " - " : " + ") + short_number(std::abs(sum - 1));
}

// The weight 1 in units that represent both u8 and u16 weights as integers: 65535 = 257 x 255.
constexpr double kOneInIntegers = 65535;

double in_integers(double weight) {
  return static_cast<double>(static_cast<std::uint32_t>(weight * kOneInIntegers + 0.5));
}

// A set of four influences for each vertex.
struct InfluenceSet {
  std::string number;                  // "0" of JOINTS_0
  AlignedArray<std::uint32_t> joints;  // [vertex][4]
  AlignedArray<double> weights;        // [vertex][4], or empty
  bool is_integer = true;              // the file stores the weights as integers
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
    Influences& out = result_.influences;
    reserve_huge(out.first_influence, out.first_influence.size() + count);
    reserve_huge(out.influences, out.influences.size() + count * width);
    WeightFindings findings;
    if (sets.empty()) {
      note_without_joints(p);
      result_.follows_node = true;
      for (std::size_t v = 0; v < count; ++v) {
        Influence own{kOwnNode, 1};
        append_vertex({&own, 1}, out, findings);
      }
      return;
    }
    result_.has_joints = true;
    append_vertices(sets, count, findings);
    note_findings(weights_element(p, sets).pointer, findings);
    note_greatest_joint(p, sets, count);
  }

  void note_without_joints(std::size_t p) {
    const Element where = attribute_element(document_, mesh_, p, "");
    document_.note(
        "SKIN_WITHOUT_JOINTS", where.pointer,
        where.name +
            " does not have joints and weights for the skin of its node; it follows the node");
  }

  // Returns the numbers of the sets of joints in ascending order: 0, 1, 2 … 10.
  std::vector<std::string> set_numbers(std::size_t p, const Attributes& attributes) {
    std::vector<std::string> numbers;
    for (const auto& [name, accessor] : attributes) {
      if (name.starts_with("JOINTS_")) numbers.push_back(name.substr(7));
      if (name.starts_with("WEIGHTS_") && !attributes.contains("JOINTS_" + name.substr(8))) {
        const Element where = attribute_element(document_, mesh_, p, name);
        document_.note("JOINTS_MISSING", where.pointer,
                       where.name + " does not have joints; ignored");
      }
    }
    std::sort(numbers.begin(), numbers.end(), [](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    if (!numbers.empty() && numbers.back() != std::to_string(numbers.size() - 1)) {
      const Element where = attribute_element(document_, mesh_, p, "JOINTS_" + numbers.back());
      document_.note("INFLUENCE_SET_SKIPPED", where.pointer,
                     where.name + " is the last of " + std::to_string(numbers.size()) +
                         " sets, so a number is missing; all are read, in ascending order");
    }
    return numbers;
  }

  std::vector<InfluenceSet> load_sets(std::size_t p, const Attributes& attributes) {
    std::vector<InfluenceSet> sets;
    for (const std::string& number : set_numbers(p, attributes)) {
      InfluenceSet set{number, {}, {}, true};
      set.joints = read<std::uint32_t>(p, "JOINTS_" + number, attributes, kJointsFormat);
      note_wide_joints(p, "JOINTS_" + number, attributes);
      if (attributes.contains("WEIGHTS_" + number)) {
        note_plain_integers(p, "WEIGHTS_" + number, attributes);
        set.weights = read<double>(p, "WEIGHTS_" + number, attributes, kWeightsFormat);
        check_finite(p, set);
        set.is_integer =
            accessor_at(document_, attributes.at("WEIGHTS_" + number)).component_type !=
            ComponentType::kFloat;
      } else {
        const Element where = attribute_element(document_, mesh_, p, "JOINTS_" + number);
        document_.note("WEIGHTS_MISSING", where.pointer,
                       where.name + " does not have weights; they count as zero");
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
                         " elements for " + std::to_string(expected) + " vertices");
    }
    return decode_all<T>(document_, accessor, where);
  }

  void note_wide_joints(std::size_t p, const std::string& name, const Attributes& attributes) {
    const ComponentType type = accessor_at(document_, attributes.at(name)).component_type;
    if (type != ComponentType::kUnsignedInt) return;
    const Element where = attribute_element(document_, mesh_, p, name);
    document_.note("JOINTS_TOO_WIDE", where.pointer,
                   where.name + " has joints of 32 bits; read correctly");
  }

  void note_plain_integers(std::size_t p, const std::string& name, const Attributes& attributes) {
    const Model::Accessor& accessor = accessor_at(document_, attributes.at(name));
    if (accessor.normalized || accessor.component_type == ComponentType::kFloat) return;
    const Element where = attribute_element(document_, mesh_, p, name);
    document_.note(
        "INTEGERS_NOT_NORMALISED", where.pointer,
        where.name + " has integers that are not marked as normalised; read as fractions");
  }

  void check_finite(std::size_t p, const InfluenceSet& set) const {
    if (all_finite(set.weights.data(), set.weights.size())) return;
    document_.fail("VALUE_NOT_FINITE",
                   attribute_element(document_, mesh_, p, "WEIGHTS_" + set.number),
                   "has a NaN or an infinity");
  }

  void append_vertices(const std::vector<InfluenceSet>& sets, std::size_t count,
                       WeightFindings& findings) {
    const bool integers = std::ranges::all_of(sets, &InfluenceSet::is_integer);
    std::vector<Influence> listed(4 * sets.size());
    for (std::size_t v = 0; v < count; ++v) {
      Influence* next = listed.data();
      for (const InfluenceSet& set : sets) {
        const std::uint32_t* joints = &set.joints[4 * v];
        const double* weights = set.weights.size() == 0 ? kNoWeights.data() : &set.weights[4 * v];
        for (int i = 0; i < 4; ++i) {
          // Integers have the same sum in any order; fractions are rounded.
          *next++ = {joints[i], integers ? in_integers(weights[i]) : weights[i]};
        }
      }
      append_vertex(listed, result_.influences, findings, integers ? kOneInIntegers : 1);
    }
  }

  // The first weights of the primitive, or its attributes if it does not have weights.
  Element weights_element(std::size_t p, const std::vector<InfluenceSet>& sets) const {
    const auto first = std::find_if(
        sets.begin(), sets.end(), [](const InfluenceSet& set) { return set.weights.size() != 0; });
    if (first != sets.end()) {
      return attribute_element(document_, mesh_, p, "WEIGHTS_" + first->number);
    }
    Element element = attribute_element(document_, mesh_, p, "");
    element.pointer += "/attributes";
    return element;
  }

  void note_findings(const std::string& pointer, const WeightFindings& findings) {
    if (findings.renormalised > 0) {
      const bool too_small = findings.least_sum < 1;
      document_.note("WEIGHTS_RENORMALISED", pointer,
                     std::to_string(findings.renormalised) + " vertices: weights sum to " +
                         sum_text(too_small ? findings.least_sum : findings.greatest_sum) +
                         (too_small ? " at the least; normalised" : " at the most; normalised"),
                     findings.renormalised);
    }
    if (findings.negative > 0) {
      document_.note("WEIGHTS_NEGATIVE", pointer,
                     std::to_string(findings.negative) + " weights are negative; clamped to zero",
                     findings.negative);
    }
    if (findings.zero > 0) {
      document_.note(
          "WEIGHTS_ZERO", pointer,
          std::to_string(findings.zero) +
              " vertices do not have a positive weight; the first listed joint moves them",
          findings.zero);
    }
  }

  // Joints without weight may have any index, so only the remaining influences count.
  void note_greatest_joint(std::size_t p, const std::vector<InfluenceSet>& sets,
                           std::size_t count) {
    const std::size_t first = geometry_.primitives[p].first_vertex;
    const Influences& all = result_.influences;
    SkinWeights::GreatestJoint greatest;
    for (std::size_t i = all.first_influence[first]; i < all.first_influence[first + count]; ++i) {
      greatest.joint = std::max(greatest.joint, all.influences[i].joint);
    }
    const auto names_it = [&](const InfluenceSet& set) {
      const std::uint32_t* end = set.joints.data() + set.joints.size();
      return std::find(set.joints.data(), end, greatest.joint) != end;
    };
    const auto set = std::find_if(sets.begin(), sets.end(), names_it);
    greatest.element = attribute_element(document_, mesh_, p, "JOINTS_" + set->number);
    result_.greatest_joints.push_back(std::move(greatest));
  }

  static constexpr std::array<double, 4> kNoWeights{};

  Document& document_;
  int mesh_;
  const Mesh& geometry_;
  SkinWeights result_;
};

}  // namespace

SkinWeights load_skin_weights(Document& document, int mesh, const Mesh& geometry) {
  return WeightsLoader(document, mesh, geometry).load();
}

}  // namespace skinbake::gltf
