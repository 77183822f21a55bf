// The worst places: a card for the worst joints and for the worst of each headline, with the values
// of every method there.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "report/pages/html.h"
#include "report/pages/words.h"
#include "report/report_text.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostParts = 3, kMostPlaces = 9;
constexpr std::size_t kMostMethods = 8;  // whose values are beside a place
constexpr std::size_t kLongestPlaceName = 60;
constexpr int kPlaceDigits = 3;  // of coordinates and times

struct WorstPlace {
  const Pair* pair = nullptr;
  const Run* run = nullptr;
  Number number;
};

// The largest of each path, and of each mesh's joint. `numbers`: numbers_of or parts_of.
std::vector<WorstPlace> worst_of(std::span<const Pair> pairs,
                                 std::vector<Number> (*numbers)(const Run&)) {
  std::vector<WorstPlace> worst;
  std::vector<std::string> order;                                    // of the paths
  std::map<std::pair<std::string, std::string>, std::size_t> known;  // by path, and mesh and joint
  for (const Pair& pair : pairs) {
    for (const Run& run : pair.runs) {
      std::vector<Number> all = numbers(run);
      std::vector<std::string> paths;
      for (const Number& number : all) paths.push_back(number.path);
      for (Number& number : all) {
        if (!is_bad(number)) continue;
        place_among(order, number.path, paths);
        const std::string part = number.part.empty() ? "" : run.mesh_id + "/" + number.part;
        const auto [found, is_new] = known.try_emplace({number.path, part}, worst.size());
        if (is_new) {
          worst.push_back({&pair, &run, std::move(number)});
        } else if (badness(number) > badness(worst[found->second].number)) {
          worst[found->second] = {&pair, &run, std::move(number)};
        }
      }
    }
  }
  std::stable_sort(worst.begin(), worst.end(), [&](const WorstPlace& a, const WorstPlace& b) {
    return std::find(order.begin(), order.end(), a.number.path) <
           std::find(order.begin(), order.end(), b.number.path);
  });
  return worst;
}

// A method's value at a place.
struct Rival {
  const Run* run = nullptr;
  double value = 0;            // in the frame, or of the clip
  std::optional<double> peak;  // the largest in the clip, if `value` belongs to a frame
};

std::vector<Rival> rivals_of(const WorstPlace& place) {
  const std::int64_t frame =
      static_cast<std::int64_t>(number_in(*place.number.at, "frame").value_or(0));
  std::vector<Rival> rivals;
  for (const Run& run : place.pair->runs) {
    const std::vector<Number> all = place.number.part.empty() ? numbers_of(run) : parts_of(run);
    const auto same = std::find_if(all.begin(), all.end(), [&](const Number& number) {
      return number.path == place.number.path && number.part == place.number.part;
    });
    if (same == all.end() || !same->value) continue;
    const bool has_series = place.number.series != nullptr && same->series != nullptr;
    const std::optional<double> here =
        has_series ? value_in(*same->series, run.frames, frame) : std::nullopt;
    rivals.push_back(here ? Rival{&run, *here, same->value} : Rival{&run, *same->value, {}});
  }
  return rivals;
}

// A bar whose length is a share of the place's value.
std::string bar(double share) {
  const double width = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) * 60 : 60;
  return "<svg class=\"bar\" viewBox=\"0 0 60 4\" preserveAspectRatio=\"none\" "
         "aria-hidden=\"true\"><rect width=\"60\" "
         "height=\"4\" class=\"rest\"/><rect width=\"" +
         short_number(width, kPlaceDigits) + "\" height=\"4\"/></svg>";
}

std::string rivals_html(const WorstPlace& place) {
  const std::vector<Rival> rivals = rivals_of(place);
  if (rivals.size() < 2) return "";
  const bool has_peaks = std::any_of(rivals.begin(), rivals.end(),
                                     [](const Rival& rival) { return rival.peak.has_value(); });
  const std::string_view unit = place.number.field.unit;
  std::string html =
      "<span class=\"rivals\"><span class=\"when\">" +
      std::string(has_peaks ? "in this frame, and at worst in the clip" : "worst of the clip") +
      "</span>";
  for (std::size_t r = 0; r < std::min(rivals.size(), kMostMethods); ++r) {
    const Rival& rival = rivals[r];
    html += "<span class=\"rival\"><bdi>" +
            escaped(shortened(rival.run->label, kLongestPlaceName)) + "</bdi> " +
            escaped(read_with_unit(rival.value, unit)) + bar(rival.value / *place.number.value) +
            (rival.peak ? "<span class=\"peak\">worst " +
                              escaped(read_with_unit(*rival.peak, unit)) + "</span>"
                        : "") +
            "</span>";
  }
  return html + "</span>";
}

std::string data_attribute(const char* name, const std::string& value) {
  return value.empty()
             ? ""
             : std::string(" data-") + name + "=\"" + escaped(shortened(value, kLongestKey)) + "\"";
}

std::string card(const WorstPlace& place) {
  const Run& run = *place.run;
  const Json& at = *place.number.at;
  const std::string joint = place.number.part.empty() ? text_in(at, "joint") : place.number.part;
  const std::string element = element_words(at);
  const double number = number_in(at, "frame").value_or(0);
  const std::string frame = short_number(number, 15);
  const std::string time = short_number(number / run.frames.fps, kPlaceDigits) + " s";
  const std::string where = !joint.empty() ? joint : element;
  return "<li><button type=\"button\" class=\"place\" data-frame=\"" + frame + "\"" +
         data_attribute("clip", run.clip) + data_attribute("mesh", run.mesh_id) +
         data_attribute("method", run.method) + data_attribute("joint", joint) +
         data_attribute("element", element) + "><span><span class=\"amount\">" +
         escaped(read_with_unit(place.number.value, place.number.field.unit)) +
         "</span> <span class=\"what\">" + escaped(path_words(place.number.path)) +
         (where.empty() ? ""
                        : " at <bdi>" + escaped(shortened(where, kLongestPlaceName)) + "</bdi>") +
         "</span></span> <span class=\"where\"><bdi>" +
         escaped(shortened(run.label, kLongestPlaceName)) + "</bdi>, " +
         (text_in(at, "pose").empty()
              ? ""
              : isolated(shortened(text_in(at, "pose"), kLongestPlaceName)) + ", ") +
         "frame " + frame + " (" + time + "), " +
         isolated(shortened(place.pair->title, 2 * kLongestPlaceName)) + "</span>" +
         rivals_html(place) + "</button></li>\n";
}

}  // namespace

std::string worst_places(std::span<const Pair> pairs) {
  std::vector<WorstPlace> places = worst_of(pairs, parts_of);
  std::stable_sort(places.begin(), places.end(), [](const WorstPlace& a, const WorstPlace& b) {
    return *a.number.value > *b.number.value;
  });
  if (places.size() > kMostParts) places.resize(kMostParts);
  for (WorstPlace& place : worst_of(pairs, numbers_of)) places.push_back(std::move(place));
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
  if (places.empty()) return "";
  std::string html = "<ol class=\"places\">\n";
  for (const WorstPlace& place : places) html += card(place);
  return html + "</ol>\n";
}

}  // namespace skinbake
