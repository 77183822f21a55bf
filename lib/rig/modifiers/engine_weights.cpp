#include "rig/modifiers/engine_weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "rig/influences.h"

namespace skinbake {

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
