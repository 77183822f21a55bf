// The sets and the pairs of joints that move vertices together.

#include <algorithm>
#include <map>
#include <numeric>

#include "methods/bind/joint_groups.h"

namespace skinbake {

namespace {

// Joints and parts; the numbers of the parts are not set yet.
BindData find_joint_sets(const Rig& rig) {
  BindData bind_data;
  bind_data.first_part_joint = {0};
  bind_data.first_entry = {0};
  std::map<std::vector<std::uint32_t>, std::uint32_t> parts;
  std::vector<std::uint32_t> joints;
  for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
    joints.clear();
    for (const Influence& i : rig.influences_of(v)) joints.push_back(i.joint);
    if (joints.size() > 1) {
      std::sort(joints.begin(), joints.end());
      const auto [known, is_new] =
          parts.try_emplace(joints, static_cast<std::uint32_t>(bind_data.part_count()));
      if (is_new) {
        bind_data.part_joints.insert(bind_data.part_joints.end(), joints.begin(), joints.end());
        bind_data.first_part_joint.push_back(
            static_cast<std::uint32_t>(bind_data.part_joints.size()));
      }
      bind_data.indices.push_back(known->second);
    }
    bind_data.first_entry.push_back(static_cast<std::uint32_t>(bind_data.indices.size()));
  }
  return bind_data;
}

}  // namespace

BindData bind_joint_sets(const BindInput& input) {
  BindData bind_data = find_joint_sets(input.rig);
  bind_data.numbers_per_part = 3;
  const std::vector<int>& depths = input.tree.depths;
  for (std::size_t set = 0; set < bind_data.part_count(); ++set) {
    JointIndex deepest = bind_data.part_joints[bind_data.first_part_joint[set]];
    for (std::uint32_t i = bind_data.first_part_joint[set]; i < bind_data.first_part_joint[set + 1];
         ++i) {
      const JointIndex joint = bind_data.part_joints[i];
      if (depths[joint] > depths[deepest]) deepest = joint;
    }
    const Vec3<double>& head = input.tree.heads[deepest];
    bind_data.part_numbers.insert(bind_data.part_numbers.end(), {head.x, head.y, head.z});
  }
  return bind_data;
}

Classes classes_of(const Rig& rig) {
  const auto compare = [&](VertexIndex a, VertexIndex b) {
    const auto ia = rig.influences_of(a), ib = rig.influences_of(b);
    return std::lexicographical_compare_three_way(
        ia.begin(), ia.end(), ib.begin(), ib.end(), [](const Influence& x, const Influence& y) {
          const auto by_joint = std::strong_order(x.joint, y.joint);
          return by_joint != 0 ? by_joint : std::strong_order(x.weight, y.weight);
        });
  };
  std::vector<VertexIndex> sorted(rig.mesh->vertex_count());
  std::iota(sorted.begin(), sorted.end(), VertexIndex{0});
  std::sort(sorted.begin(), sorted.end(), [&](VertexIndex a, VertexIndex b) {
    const auto order = compare(a, b);
    return order != 0 ? order < 0 : a < b;
  });
  Classes classes;
  classes.of_vertex.resize(sorted.size());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || compare(sorted[i - 1], sorted[i]) != 0) classes.first_vertex.push_back(sorted[i]);
    classes.of_vertex[sorted[i]] = static_cast<std::uint32_t>(classes.first_vertex.size() - 1);
  }
  return classes;
}

JointLists::JointLists(const Rig& rig, const Classes& all_classes,
                       std::span<const std::uint32_t> chosen, std::span<const CutTriangle> all)
    : vertices(rig.joints.size()), classes(rig.joints.size()), triangles(rig.joints.size()) {
  vertices.fill([&](const auto& visit) {
    for (VertexIndex v = 0; v < rig.mesh->vertex_count(); ++v) {
      for (const Influence& i : rig.influences_of(v)) visit(i.joint, VertexWeight{v, i.weight});
    }
  });
  classes.fill([&](const auto& visit) {
    for (const std::uint32_t c : chosen) {
      for (const Influence& i : rig.influences_of(all_classes.first_vertex[c])) visit(i.joint, c);
    }
  });
  std::vector<JointIndex> joints;
  triangles.fill([&](const auto& visit) {
    for (std::uint32_t t = 0; t < all.size(); ++t) {
      joints.clear();
      for (const VertexIndex v : rig.mesh->triangles[all[t].triangle]) {
        for (const Influence& i : rig.influences_of(v)) joints.push_back(i.joint);
      }
      std::sort(joints.begin(), joints.end());
      joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
      for (const JointIndex joint : joints) visit(joint, t);
    }
  });
}

std::vector<PairOfJoints> pairs_of(const Rig& rig, const Classes& classes, const JointLists& lists,
                                   const ParallelFor& in_parallel, double until) {
  std::vector<std::vector<JointIndex>> partners(rig.joints.size());  // the greater joints
  in_parallel(
      partners.size(),
      [&](std::size_t first, std::size_t last) {
        std::vector<std::uint8_t> is_partner(rig.joints.size(), 0);
        for (std::size_t j = first; j < last; ++j) {
          for (const std::uint32_t c : lists.classes[j]) {
            for (const Influence& i : rig.influences_of(classes.first_vertex[c])) {
              if (i.joint <= j || is_partner[i.joint] != 0) continue;
              is_partner[i.joint] = 1;
              partners[j].push_back(i.joint);
            }
          }
          std::sort(partners[j].begin(), partners[j].end());
          for (const JointIndex k : partners[j]) is_partner[k] = 0;
        }
      },
      until);
  std::vector<PairOfJoints> pairs;
  for (JointIndex j = 0; j < partners.size(); ++j) {
    for (const JointIndex k : partners[j]) pairs.push_back({j, k});
  }
  return pairs;
}

PairWeights::PairWeights(const Rig& rig, const JointLists& lists)
    : lists_(lists), j_(rig.mesh->vertex_count(), 0), k_(j_) {}

void PairWeights::set(const PairOfJoints& pair) {
  if (is_set_) write(pair_.k, true, k_);
  if (!is_set_ || pair_.j != pair.j) {
    if (is_set_) write(pair_.j, true, j_);
    write(pair.j, false, j_);
  }
  write(pair.k, false, k_);
  pair_ = pair, is_set_ = true;
}

void PairWeights::write(JointIndex joint, bool clear, std::vector<double>& weights) const {
  for (const auto& [vertex, weight] : lists_.vertices[joint]) weights[vertex] = clear ? 0 : weight;
}

}  // namespace skinbake
