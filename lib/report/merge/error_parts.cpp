#include "report/merge/error_parts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "report/limits.h"
#include "report/merge/part.h"

namespace skinbake {

namespace {

using Json = nlohmann::json;

// The shortest decimal of a float32, as reports have the errors of vertices, read as a double.
double decimal_of(double number) {
  std::array<char, 32> text;
  const char* const end =
      std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(number)).ptr;
  double read = 0;
  std::from_chars(text.data(), end, read);
  return read;
}

std::vector<double> finite_numbers(const JsonCursor& array, std::int64_t count) {
  std::vector<double> numbers = array.numbers(count);
  for (const double number : numbers) {
    if (!(number >= 0)) array.fail("has an element that is not a number from 0 on");
  }
  return numbers;
}

// Integers that are exact as doubles.
std::vector<std::int64_t> integers(const JsonCursor& array, std::int64_t count, std::int64_t least,
                                   std::int64_t most) {
  const std::vector<double> numbers = array.numbers(count);
  std::vector<std::int64_t> found;
  found.reserve(numbers.size());
  for (const double number : numbers) {
    if (!(number >= static_cast<double>(least) && number <= static_cast<double>(most)) ||
        number != std::floor(number)) {
      array.fail("has an element that is not an integer from " + std::to_string(least) + " to " +
                 std::to_string(most));
    }
    found.push_back(static_cast<std::int64_t>(number));
  }
  return found;
}

}  // namespace

void ErrorParts::add(const std::string& path, const Json& section, std::int64_t frames) {
  const JsonCursor error(path, section);
  error.at("max").number();  // finish() needs it
  const std::optional<JsonCursor> sums = error.find("sums");
  if (!sums) {
    throw_part_invalid(path,
                       "the report has the results of its frames, but not their sums; bake "
                       "the part with --part");
  }
  const std::vector<double> square = finite_numbers(sums->at("square"), frames);
  const std::vector<double> distance = finite_numbers(sums->at("distance"), frames);
  const std::vector<double> spread = finite_numbers(sums->at("spread"), frames);
  for (std::size_t f = 0; f < square.size(); ++f) totals_.add({square[f], distance[f], spread[f]});
  add_vertices(sums->at("vertices"), frames);
  add_worst(path, section);
  frames_ += frames;
}

void ErrorParts::add_vertices(const JsonCursor& sums, std::int64_t frames) {
  // A sum of so many digits; a double holds every one up to 2^53.
  const std::int64_t most =
      std::min(std::int64_t{1} << 53, frames * ((std::int64_t{1} << kDigitBits) - 1));
  const auto place = integers(sums.at("place"), vertices_, kLowestPlace, kHighestPlace);
  const auto high = integers(sums.at("high"), vertices_, 0, most);
  const auto middle = integers(sums.at("middle"), vertices_, 0, most);
  const auto low = integers(sums.at("low"), vertices_, 0, most);
  const std::vector<double> max = finite_numbers(sums.at("max"), vertices_);
  const auto max_frame = integers(sums.at("max_frame"), vertices_, -kFarthestFrame, kFarthestFrame);
  if (squares_.empty()) {
    squares_.resize(max.size());
    max_.assign(max.size(), -1);
    max_frame_.resize(max.size());
  }
  for (std::size_t v = 0; v < max.size(); ++v) {
    DigitSum square;
    square.place = static_cast<std::int32_t>(place[v]);
    square.digits = {static_cast<std::uint64_t>(high[v]), static_cast<std::uint64_t>(middle[v]),
                     static_cast<std::uint64_t>(low[v])};
    squares_[v].add(square);
    if (!(max[v] > max_[v])) continue;  // of equal errors the earliest counts
    max_[v] = max[v];
    max_frame_[v] = max_frame[v];
  }
}

// The worst vertices of the run are among the worst of each part.
void ErrorParts::add_worst(const std::string& path, const Json& section) {
  const Json& list = section.at("worst_vertices");
  const std::vector<JsonCursor> entries = JsonCursor(path, section).at("worst_vertices").elements();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::int64_t vertex = entries[i].at("vertex").integer(0, vertices_ - 1);
    const double max = entries[i].at("max").number();
    if (max < 0) entries[i].at("max").fail("is a distance below 0");
    entries[i].at("primitive").integer(0, kMostCount);
    entries[i].at("frame").integer(-kFarthestFrame, kFarthestFrame);
    const auto [known, is_new] = worst_.emplace(vertex, list[i]);
    if (!is_new && max > known->second.at("max").get<double>()) known->second = list[i];
  }
}

Json ErrorParts::worst_vertices() const {
  std::vector<const Json*> sorted;
  for (const auto& [vertex, entry] : worst_) sorted.push_back(&entry);
  std::ranges::stable_sort(sorted, [](const Json* a, const Json* b) {
    return a->at("max").get<double>() > b->at("max").get<double>();
  });
  Json list = Json::array();
  for (const Json* entry : sorted) {
    Json& added = list.emplace_back(*entry);
    added["rms"] = number_or_null(rms_of(squares_[added.at("vertex").get<std::size_t>()], frames_));
  }
  return list;
}

void ErrorParts::write_vertices(Json& per_vertex) const {
  Json rms = Json::array(), max = Json::array();
  for (std::size_t v = 0; v < squares_.size(); ++v) {
    rms.push_back(number_or_null(decimal_of(rms_of(squares_[v], frames_))));
    max.push_back(number_or_null(decimal_of(max_[v])));
  }
  per_vertex["rms"] = std::move(rms);
  per_vertex["max"] = std::move(max);
  per_vertex["max_frame"] = max_frame_;
}

void ErrorParts::finish(Json& section, double diagonal_m) const {
  PositionErrorResult result;
  result.max = section.at("max").get<double>();
  totals_.fill(result, vertices_, frames_, diagonal_m);
  section["rms"] = number_or_null(result.rms);
  section["mean"] = number_or_null(result.mean);
  section["rms_relative"] = number_or_null(result.rms_relative);
  section["max_relative"] = number_or_null(result.max_relative);
  section["erms"] = number_or_null(result.erms);
  section["kg_percent"] = result.kg_percent ? number_or_null(*result.kg_percent) : Json();
  const std::size_t listed = section.at("worst_vertices").size();
  Json worst = worst_vertices();
  worst.erase(worst.begin() + static_cast<std::ptrdiff_t>(std::min(listed, worst.size())),
              worst.end());
  section["worst_vertices"] = std::move(worst);
  if (const auto per_vertex = section.find("per_vertex"); per_vertex != section.end()) {
    write_vertices(*per_vertex);
  }
  section.erase("sums");
}

}  // namespace skinbake
