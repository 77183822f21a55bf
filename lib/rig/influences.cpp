#include "rig/influences.h"

#include <algorithm>
#include <cmath>

namespace skinbake {

namespace {

// Tolerance of the Khronos glTF validator for the sum of float weights, per non-zero weight.
constexpr double kSumTolerance = 2e-7;
// Vertices with more influences are sorted instead of searched: quadratic loops would let a crafted
// file take very long.
constexpr std::size_t kFewInfluences = 32;

// Moves the positive weights to the front, in their order. Returns their number.
std::size_t drop_zeros(std::span<Influence> listed, WeightFindings& findings) {
  std::size_t count = 0;
  for (const Influence& influence : listed) {
    if (influence.weight < 0) ++findings.negative;
    if (influence.weight > 0) listed[count++] = influence;
  }
  return count;
}

// Adds up the weights of equal joints and returns the number of different joints. The order is kept
// for at most kFewInfluences influences; otherwise the result is sorted by joint.
std::size_t merge_equal_joints(std::span<Influence> influences) {
  if (influences.size() > kFewInfluences) {
    std::stable_sort(influences.begin(), influences.end(),
                     [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  }
  std::size_t count = 0;
  for (const Influence& influence : influences) {
    const std::size_t from = influences.size() > kFewInfluences && count > 0 ? count - 1 : 0;
    std::size_t k = from;
    while (k < count && influences[k].joint != influence.joint) ++k;
    if (k < count) {
      influences[k].weight += influence.weight;
    } else {
      influences[count++] = influence;
    }
  }
  return count;
}

bool comes_first(const Influence& a, const Influence& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
}

// True if the file lists the influences as Rig stores them: weights positive and descending, joints
// all different. Most files do, apart from zeros at the end, which the caller has removed.
bool is_in_order(std::span<const Influence> listed) {
  if (listed.size() > kFewInfluences) return false;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (!(listed[i].weight > 0) || (i > 0 && !comes_first(listed[i - 1], listed[i]))) return false;
    for (std::size_t k = 0; k < i; ++k) {
      if (listed[k].joint == listed[i].joint) return false;
    }
  }
  return true;
}

double sum_of(std::span<const Influence> influences) {
  double sum = 0;
  for (const Influence& influence : influences) sum += influence.weight;
  return sum;
}

void note_sum(double sum, std::size_t weight_count, WeightFindings& findings) {
  if (std::abs(sum - 1) <= kSumTolerance * static_cast<double>(weight_count)) return;
  ++findings.renormalised;
  findings.least_sum = std::min(findings.least_sum, sum);
  findings.greatest_sum = std::max(findings.greatest_sum, sum);
}

// The array of positions stays empty until the first vertex whose first listed joint is not its
// heaviest.
void record_first(JointIndex joint, std::span<const Influence> used, Influences& influences) {
  std::uint32_t position = 0;
  while (position < used.size() && used[position].joint != joint) ++position;
  if (position == used.size()) position = 0;  // the division rounded its weight to zero
  if (position > 0 && influences.first_listed.empty()) {
    influences.first_listed.assign(influences.first_influence.size() - 1, 0);
  }
  if (position > 0 || !influences.first_listed.empty()) influences.first_listed.push_back(position);
}

}  // namespace

void sort_descending(std::span<Influence> influences) {
  if (influences.size() > kFewInfluences) {
    std::sort(influences.begin(), influences.end(), comes_first);
    return;
  }
  for (std::size_t i = 1; i < influences.size(); ++i) {
    const Influence moved = influences[i];
    std::size_t k = i;
    for (; k > 0 && comes_first(moved, influences[k - 1]); --k) influences[k] = influences[k - 1];
    influences[k] = moved;
  }
}

bool are_equal(std::span<const Influence> a, std::span<const Influence> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Influence& x, const Influence& y) {
                      return x.joint == y.joint && x.weight == y.weight;
                    });
}

void append_vertex(std::span<Influence> listed, Influences& influences, WeightFindings& findings,
                   double one) {
  const JointIndex first_listed = listed.front().joint;
  std::span<Influence> used = listed;
  while (!used.empty() && used.back().weight == 0) used = used.first(used.size() - 1);
  const bool in_order = is_in_order(used);
  if (!in_order) used = listed.first(drop_zeros(listed, findings));
  const JointIndex first_used = used.empty() ? first_listed : used[0].joint;

  if (used.empty()) {
    ++findings.zero;
    used = listed.first(1);
    used[0] = {first_listed, 1};
  } else {
    const std::size_t listed_count = used.size();
    if (!in_order) {
      used = used.first(merge_equal_joints(used));
      sort_descending(used);
    }
    const double sum = sum_of(used);
    note_sum(sum / one, listed_count, findings);
    if (sum != 1) {
      for (Influence& influence : used) influence.weight /= sum;
    }
    sort_descending(used);  // even if they were in order: quotients may have become equal
    // The division may have rounded small weights to zero.
    while (!(used.back().weight > 0)) used = used.first(used.size() - 1);
  }
  record_first(first_used, used, influences);
  influences.influences.insert(influences.influences.end(), used.begin(), used.end());
  influences.first_influence.push_back(static_cast<std::uint32_t>(influences.influences.size()));
}

std::vector<std::uint32_t> first_listed_after(const Rig& before, const Rig& after) {
  if (before.first_listed.empty()) return {};
  std::vector<std::uint32_t> positions(before.first_listed.size());
  for (VertexIndex v = 0; v < positions.size(); ++v) {
    const JointIndex joint = before.influences_of(v)[before.first_listed[v]].joint;
    const std::span<const Influence> now = after.influences_of(v);
    const auto found = std::ranges::find(now, joint, &Influence::joint);
    if (found != now.end()) positions[v] = static_cast<std::uint32_t>(found - now.begin());
  }
  return positions;
}

}  // namespace skinbake
