#include "gltf/budget.h"

#include <array>
#include <cstdio>

namespace skinbake::gltf {

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
// No machine is given a terabyte for a file; such counts are damaged or made up.
constexpr std::uint64_t kAbsurd = std::uint64_t{1} << 40;

// "5.2 GiB".
std::string readable(std::uint64_t bytes) {
  static constexpr std::array kUnits{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) value /= 1024, ++unit;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %s", value, kUnits[unit]);
  return text.data();
}

// "6G": enough for `needed`, as the command line takes it.
std::string enough(std::uint64_t needed) {
  const std::uint64_t unit = needed > kGiB ? kGiB : kMiB;
  return std::to_string((needed + unit - 1) / unit) + (unit == kGiB ? "G" : "M");
}

}  // namespace

std::string over_the_limit(std::uint64_t needed, std::uint64_t limit) {
  return "needs at least " + readable(needed) + " of memory, more than the " + readable(limit) +
         " of --max-memory; " +
         (needed > kAbsurd ? "its counts are damaged: export the file again"
                           : "give --max-memory " + enough(needed) + " or more, or split the file");
}

}  // namespace skinbake::gltf
