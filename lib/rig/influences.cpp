#include "rig/influences.h"

#include <algorithm>
#include <cmath>

namespace skinbake {

namespace {

// The Khronos validator's tolerance for sums of float weights: so much for each non-zero weight.
constexpr double kSumTolerance = 2e-7;
// Above this many, quadratic loops would take long on a file that was made for it.
constexpr std::size_t kFew = 32;

// Positive weights to the front, in their order. Returns how many there are.
std::size_t drop_zeros(std::span<Influence> listed, WeightFindings& findings) {
  std::size_t count = 0;
  for (const Influence& influence : listed) {
    if (influence.weight < 0) ++findings.negative;
    if (influence.weight > 0) listed[count++] = influence;
  }
  return count;
}

// Adds up the weights of equal joints; what is left keeps its order only if there are few.
std::size_t merge_equal_joints(std::span<Influence> some) {
  if (some.size() > kFew) {
    std::stable_sort(some.begin(), some.end(),
                     [](const Influence& a, const Influence& b) { return a.joint < b.joint; });
  }
  std::size_t count = 0;
  for (const Influence& influence : some) {
    const std::size_t from = some.size() > kFew && count > 0 ? count - 1 : 0;
    std::size_t k = from;
    while (k < count && some[k].joint != influence.joint) ++k;
    if (k < count) {
      some[k].weight += influence.weight;
    } else {
      some[count++] = influence;
    }
  }
  return count;
}

bool comes_first(const Influence& a, const Influence& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
}

// Sums are kept from the first vertex on whose sum is not 1.
void record_sum(double sum, Influences& influences) {
  if (influences.weight_sums.empty()) {
    influences.weight_sums.assign(influences.first_influence.size() - 1, 1.0);
  }
  influences.weight_sums.push_back(sum);
}

// Whether the influences are listed as they are kept: weights positive and in order, joints all
// different. Most files list them so, but for zeros at the end, which are already cut off.
bool is_in_order(std::span<const Influence> listed) {
  if (listed.size() > kFew) return false;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (!(listed[i].weight > 0) || (i > 0 && !comes_first(listed[i - 1], listed[i]))) return false;
    for (std::size_t k = 0; k < i; ++k) {
      if (listed[k].joint == listed[i].joint) return false;
    }
  }
  return true;
}

// Places are kept from the first vertex on whose first listed joint is not its heaviest.
void record_first(JointIndex joint, std::span<const Influence> used, Influences& influences) {
  std::uint32_t place = 0;
  while (place < used.size() && used[place].joint != joint) ++place;
  if (place == used.size()) place = 0;  // its share was too small for a number
  if (place > 0 && influences.first_listed.empty()) {
    influences.first_listed.assign(influences.first_influence.size() - 1, 0);
  }
  if (place > 0 || !influences.first_listed.empty()) influences.first_listed.push_back(place);
}

}  // namespace

void sort_descending(std::span<Influence> some) {
  if (some.size() > kFew) {
    std::sort(some.begin(), some.end(), comes_first);
    return;
  }
  for (std::size_t i = 1; i < some.size(); ++i) {
    const Influence moved = some[i];
    std::size_t k = i;
    for (; k > 0 && comes_first(moved, some[k - 1]); --k) some[k] = some[k - 1];
    some[k] = moved;
  }
}

void append_vertex(std::span<Influence> listed, Influences& influences, WeightFindings& findings) {
  const JointIndex first_listed = listed.front().joint;
  std::span<Influence> used = listed;
  while (!used.empty() && used.back().weight == 0) used = used.first(used.size() - 1);
  const bool in_order = is_in_order(used);
  if (!in_order) used = listed.first(drop_zeros(listed, findings));
  const JointIndex first_used = used.empty() ? first_listed : used[0].joint;
  double sum = 0;
  for (const Influence& influence : used) sum += influence.weight;

  if (used.empty()) {
    ++findings.zero;
    record_sum(0, influences);
    used = listed.first(1);
    used[0] = {first_listed, 1};
  } else {
    if (std::abs(sum - 1) > kSumTolerance * static_cast<double>(used.size())) {
      ++findings.renormalised;
      findings.least_sum = std::min(findings.least_sum, sum);
      findings.greatest_sum = std::max(findings.greatest_sum, sum);
      record_sum(sum, influences);
    } else if (!influences.weight_sums.empty()) {
      influences.weight_sums.push_back(sum);
    }
    const std::size_t listed_count = used.size();
    if (!in_order) used = used.first(merge_equal_joints(used));
    if (used.size() < listed_count) {  // the sum is rounded as the influences that are kept are
      sum = 0;
      for (const Influence& influence : used) sum += influence.weight;
    }
    if (sum != 1) {
      for (Influence& influence : used) influence.weight /= sum;
    }
    sort_descending(used);  // also what was in order: quotients may have become equal
    // A quotient of less than the least double is no influence.
    while (!(used.back().weight > 0)) used = used.first(used.size() - 1);
  }
  record_first(first_used, used, influences);
  influences.influences.insert(influences.influences.end(), used.begin(), used.end());
  influences.first_influence.push_back(static_cast<std::uint32_t>(influences.influences.size()));
}

std::vector<std::uint32_t> first_listed_after(const Rig& before, const Rig& after) {
  if (before.first_listed.empty()) return {};
  std::vector<std::uint32_t> places(before.first_listed.size());
  for (VertexIndex v = 0; v < places.size(); ++v) {
    const JointIndex joint = before.influences_of(v)[before.first_listed[v]].joint;
    const std::span<const Influence> now = after.influences_of(v);
    const auto found = std::ranges::find(now, joint, &Influence::joint);
    if (found != now.end()) places[v] = static_cast<std::uint32_t>(found - now.begin());
  }
  return places;
}

}  // namespace skinbake
