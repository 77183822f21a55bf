#include "clip/frame_rates.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <unordered_set>
#include <vector>

#include "clip/clip_motion.h"
#include "clip/sampling/sample.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// Broadcast rates are multiples of 1000/1001.
constexpr double kDivisor = 1001;

constexpr std::array kRates_hz{12.0,
                               15.0,
                               24000 / kDivisor,
                               24.0,
                               25.0,
                               30000 / kDivisor,
                               30.0,
                               48.0,
                               50.0,
                               60000 / kDivisor,
                               60.0,
                               90.0,
                               100.0,
                               120.0,
                               240.0};

std::string number_text(double number) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

// "0.5333"
std::string short_text(double number) {
  constexpr int kDigits = 6;
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number,
                                     std::chars_format::general, kDigits)
                           .ptr};
}

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

// The part of a frame between a time and the nearest frame.
double off_frame(double time_s, double fps) {
  return std::abs(time_s * fps - std::round(time_s * fps));
}

struct WorstKey {
  double time_s = 0;
  double off = 0;  // part of a frame
  const KeyedClip* of = nullptr;
  const Channel* channel = nullptr;  // null: a key of the clip's motion, or its end
  std::size_t key = 0;
};

// Calls `visit` for each key of the clip and for its end. Channels with the same times count once.
template <class Visit>
void visit_keys(const Clip& clip, const Visit& visit) {
  std::unordered_set<const std::vector<double>*> visited;
  for (const Channel& channel : clip.channels) {
    if (!visited.insert(channel.times.get()).second) continue;
    for (std::size_t k = 0; k < channel.times->size(); ++k) visit((*channel.times)[k], &channel, k);
  }
  if (clip.motion) {
    for (const double time_s : clip.motion->key_times()) visit(time_s, nullptr, 0);
  }
  visit(clip.duration_s, nullptr, 0);
}

// The key that is farthest from a frame; none: all keys are on frames.
std::optional<WorstKey> worst_key(std::span<const KeyedClip> clips, double fps) {
  WorstKey worst;
  bool all_on_frames = true;
  for (const KeyedClip& of : clips) {
    if (of.clip == nullptr) continue;
    visit_keys(*of.clip, [&](double time_s, const Channel* channel, std::size_t key) {
      all_on_frames = all_on_frames && is_on_frame(time_s, fps);
      const double off = off_frame(time_s, fps);
      if (off > worst.off) worst = {time_s, off, &of, channel, key};
    });
  }
  return all_on_frames ? std::nullopt : std::optional(worst);
}

// "key 17 of the rotation of node 'hand'"
std::string name_of(const WorstKey& worst) {
  const KeyedClip& of = *worst.of;
  if (worst.channel == nullptr) return worst.time_s == of.clip->duration_s ? "the end" : "a key";
  const auto node = static_cast<std::size_t>(worst.channel->node);
  const std::string& name = of.skeleton->nodes[node].name;
  return "key " + std::to_string(worst.key) + " of the " + to_string(worst.channel->path) +
         " of node " + (name.empty() ? "#" + std::to_string(node) : "'" + name + "'");
}

}  // namespace

std::span<const double> clip_rates_hz() {
  return kRates_hz;
}

std::string rate_text(double fps) {
  const double numerator = std::round(fps * kDivisor);
  const bool is_broadcast = fps != std::round(fps) && numerator / kDivisor == fps;
  return is_broadcast ? number_text(numerator) + "/" + number_text(kDivisor) : number_text(fps);
}

std::optional<double> parse_rate(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return number_in(text);
  const auto numerator = number_in(text.substr(0, slash));
  const auto denominator = number_in(text.substr(slash + 1));
  if (!numerator || !denominator) return {};
  return *numerator / *denominator;
}

bool is_on_frame(double time_s, double fps) {
  return off_frame(time_s, fps) <= frame_tolerance(time_s, fps);
}

std::optional<std::vector<double>> moved_to_frames(const std::vector<double>& times) {
  constexpr double kLeast_s = 1e-6;  // sample() allows for it
  std::vector<double> moved = times;
  bool any_moves = false;
  for (const double hz : kRates_hz) {
    const auto is_on = [hz](double time_s) { return is_on_frame(time_s, hz); };
    if (!std::ranges::all_of(times, is_on)) continue;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double frame_s = std::round(times[k] * hz) / hz;
      any_moves = any_moves || times[k] - frame_s > kLeast_s;
      moved[k] = std::min(moved[k], frame_s);
    }
  }
  return any_moves ? std::optional(std::move(moved)) : std::nullopt;
}

double clip_rate(std::span<const KeyedClip> clips) {
  WorstKey nearest;
  nearest.off = std::numeric_limits<double>::infinity();
  double nearest_hz = 0;
  for (const double hz : kRates_hz) {
    const std::optional<WorstKey> worst = worst_key(clips, hz);
    if (!worst) return hz;
    if (worst->off >= nearest.off) continue;
    nearest = *worst;
    nearest_hz = hz;
  }
  throw Error("CLIP_RATE_UNKNOWN",
              "no usual rate up to 240 fps has a frame at every key; at " + rate_text(nearest_hz) +
                  " fps, which comes nearest, " + name_of(nearest) + " of clip '" +
                  nearest.of->clip->id + "' at " + short_text(nearest.time_s) + " s is " +
                  short_text(nearest.off) + " of a frame off",
              {nearest.of->file, ""});
}

}  // namespace skinbake
