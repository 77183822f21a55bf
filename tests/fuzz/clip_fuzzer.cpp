// Fuzzes the sampling of a channel: any keys that the loader accepts, at any time.

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "clip/sampling/sample.h"

using namespace skinbake;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// A finite number, often with the order of magnitude of numbers in files.
double number(FuzzedDataProvider& bytes, double least = -1e38) {
  const auto bits = bytes.ConsumeIntegral<std::uint32_t>();
  float value;
  static_assert(sizeof value == sizeof bits);
  std::memcpy(&value, &bits, sizeof value);
  return std::isfinite(value) ? std::max(static_cast<double>(value), least) : 1.0;
}

Channel channel_of(FuzzedDataProvider& bytes) {
  Channel channel;
  channel.node = 0;
  channel.path = bytes.PickValueInArray({ChannelPath::kTranslation, ChannelPath::kRotation,
                                         ChannelPath::kScale, ChannelPath::kWeights});
  channel.interpolation = bytes.PickValueInArray(
      {Interpolation::kStep, Interpolation::kLinear, Interpolation::kCubicSpline});
  channel.width = channel.path == ChannelPath::kRotation  ? 4
                  : channel.path == ChannelPath::kWeights ? bytes.ConsumeIntegralInRange(1, 9)
                                                          : 3;
  const bool cubic = channel.interpolation == Interpolation::kCubicSpline;
  const auto keys = bytes.ConsumeIntegralInRange<std::size_t>(cubic ? 2 : 1, 20);
  std::vector<double> times(keys), values;
  for (double& time : times) time = number(bytes, 0);
  std::sort(times.begin(), times.end());
  values.resize(keys * static_cast<std::size_t>(channel.width) * (cubic ? 3 : 1));
  for (double& value : values) value = number(bytes);
  if (channel.path == ChannelPath::kRotation && !cubic) {  // the loader normalises them
    for (std::size_t k = 0; k < values.size(); k += 4) {
      double* q = &values[k];
      const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      for (int c = 0; c < 4; ++c) q[c] = length > 0 ? q[c] / length : c == 3;
    }
  }
  channel.times = std::make_shared<const std::vector<double>>(std::move(times));
  channel.values = std::make_shared<const std::vector<double>>(std::move(values));
  return channel;
}

void check(const Channel& channel, double time_s) {
  std::vector<double> value(static_cast<std::size_t>(channel.width));
  sample(channel, time_s, value.data());
  for (const double number : value) require(std::isfinite(number));
  if (channel.path == ChannelPath::kRotation) {
    const double length =
        std::hypot(std::hypot(value[0], value[1]), std::hypot(value[2], value[3]));
    require(std::abs(length - 1) < 1e-9);
  } else if (channel.interpolation != Interpolation::kCubicSpline) {
    const auto [low, high] = std::minmax_element(channel.values->begin(), channel.values->end());
    const double rounding = 1e-12 * std::max(std::abs(*low), std::abs(*high));
    for (const double number : value) {
      require(number >= *low - rounding && number <= *high + rounding);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  const Channel channel = channel_of(bytes);
  for (const double time : *channel.times) check(channel, time);
  while (bytes.remaining_bytes() > 0) check(channel, number(bytes));
  return 0;
}
