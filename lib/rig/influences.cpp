// Conversion of a file's weights to influences, and the changes that engines make at import.

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "rig/influences.h"

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

namespace {

// Fractions that are mathematically equal differ by rounding errors of 1e-16 times the levels.
constexpr double kTie = 1e-9;

struct Fraction {
  double size;
  std::size_t influence;
};

// Adds 1 to `count` of the integers. Each step chooses the earliest influence, among those not yet
// chosen, whose fraction is within kTie of the largest fraction not yet chosen.
void distribute(std::int64_t count, std::vector<Fraction>& fractions,
                std::vector<std::int64_t>& integers) {
  std::stable_sort(fractions.begin(), fractions.end(),
                   [](const Fraction& a, const Fraction& b) { return a.size > b.size; });
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> tied;
  std::vector<bool> chosen(integers.size());
  std::size_t largest = 0, next = 0;  // positions in `fractions`
  for (; count > 0; --count) {
    while (chosen[fractions[largest].influence]) ++largest;
    for (; next < fractions.size() && fractions[next].size >= fractions[largest].size - kTie;
         ++next) {
      tied.push(fractions[next].influence);
    }
    ++integers[tied.top()];
    chosen[tied.top()] = true;
    tied.pop();
  }
}

}  // namespace

void keep_largest(std::size_t count, std::vector<Influence>& influences) {
  if (influences.size() <= count) return;
  influences.resize(count);
  double sum = 0;
  for (const Influence& i : influences) sum += i.weight;
  for (Influence& i : influences) i.weight /= sum;
  sort_descending(influences);  // quotients may have become equal
}

void quantize_weights(int levels, std::vector<Influence>& influences) {
  std::vector<std::int64_t> integers;
  std::vector<Fraction> fractions;
  std::int64_t left = levels;
  for (std::size_t i = 0; i < influences.size(); ++i) {
    const double scaled = influences[i].weight * levels;
    integers.push_back(static_cast<std::int64_t>(std::floor(scaled)));
    fractions.push_back({scaled - std::floor(scaled), i});
    left -= integers.back();
  }
  // The fractions sum to the remaining units, so each influence gets at most one.
  distribute(left, fractions, integers);
  std::size_t count = 0;
  for (std::size_t i = 0; i < influences.size(); ++i) {
    if (integers[i] == 0) continue;
    influences[count++] = {influences[i].joint,
                           static_cast<double>(integers[i]) / static_cast<double>(levels)};
  }
  influences.resize(count);
  sort_descending(influences);
}

}  // namespace skinbake
