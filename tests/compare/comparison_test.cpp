#include "report/comparison.h"
#include "report/document.h"
#include "report/read_report.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "metrics/shapes.h"

namespace skinbake {
namespace {

// Two meshes of four vertices with made-up runs.
struct Runs {
  Rig body = test::rigid(test::tetrahedron()), head = body;
  Report report;

  Runs() {
    body.id = "body";
    head.id = "head";
    report.meshes.resize(2);
    report.meshes[0].rig = &body;
    report.meshes[1].rig = &head;
  }

  RunRecord& add(std::size_t mesh, const std::string& clip, const std::string& method) {
    RunRecord& run = report.meshes[mesh].runs.emplace_back();
    run.clip = clip;
    run.method = method;
    run.frames = FrameRange{30, 10, 2, 5};
    return run;
  }

  void add_error(std::size_t mesh, const std::string& method, double rms, double max, Place at) {
    PositionErrorResult& error = add(mesh, "walk", method).error.emplace();
    error.rms = rms;
    error.max = max;
    error.max_at = at;
  }

  void add_volume(std::size_t mesh, const std::string& method, double max_loss, double min_loss) {
    VolumeResult& volume = add(mesh, "walk", method).volume.emplace();
    volume.total.emplace();
    volume.total->max_loss = max_loss;
    volume.total->min_loss = min_loss;
    volume.total->max_loss_at = {1, -1};
    volume.total->min_loss_at = {3, -1};
  }

  std::vector<std::string> order(RankBy by) const {
    std::vector<std::string> methods;
    for (const MethodStanding& m : ranked(standings(report), by)) methods.push_back(m.method);
    return methods;
  }
};

using Names = std::vector<std::string>;

RecommendLimit limit_of(const std::string& metric, double limit) {
  return {metric, Unit::kRatio, limit};
}

Recommendation recommend(const Report& report, const std::vector<RecommendLimit>& limits) {
  const NamedReport named{"", document_of(report)};
  return recommend_library({&named, 1}, limits).characters.front().recommendation;
}

TEST_CASE("standings: an empty report does not have standings") {
  CHECK(standings(Report{}).empty());
  CHECK(ranked({}, RankBy::kError).empty());
}

TEST_CASE("standings: the worst error has a mesh, a frame number and a vertex") {
  Runs runs;
  runs.add_error(0, "dqs", 0.1, 0.5, {2, 3});
  runs.add_error(1, "dqs", 0.2, 0.7, {4, 1});
  const std::vector<MethodStanding> all = standings(runs.report);
  REQUIRE(all.size() == 1);
  CHECK(all[0].max->value == 0.7);
  CHECK(all[0].max->mesh == "head");
  CHECK(all[0].max->clip == "walk");
  CHECK(all[0].max->frame == 18);
  CHECK(all[0].max->vertex == 1);
  CHECK(*all[0].rms == doctest::Approx(std::sqrt((0.01 + 0.04) / 2)).epsilon(1e-15));
  CHECK_FALSE(all[0].loss);
  CHECK_FALSE(all[0].volume_change());
  CHECK(*all[0].cost == relative_cost(parse_method("dqs").info()));
}

TEST_CASE("standings: the first of equal values counts, and NaN is the worst value") {
  Runs runs;
  runs.add_error(0, "dqs", 0.1, 0.5, {2, 3});
  runs.add_error(1, "dqs", 0.1, 0.5, {4, 1});
  CHECK(standings(runs.report)[0].max->mesh == "body");
  runs.add_error(1, "dqs", 0.1, std::numeric_limits<double>::quiet_NaN(), {4, 1});
  runs.add_error(1, "dqs", 0.1, 9, {4, 1});
  CHECK(std::isnan(standings(runs.report)[0].max->value));
}

TEST_CASE("standings: a gain of volume is not a loss") {
  Runs runs;
  runs.add_volume(0, "lbs", 0.02, -0.05);
  const MethodStanding lbs = standings(runs.report)[0];
  CHECK(lbs.loss->value == 0.02);
  CHECK(lbs.loss->frame == 12);
  CHECK(lbs.gain->value == 0.05);
  CHECK(lbs.gain->frame == 16);
  CHECK(lbs.volume_change()->value == 0.05);
  Runs shrinking;
  shrinking.add_volume(0, "lbs", 0.02, 0.01);
  CHECK(standings(shrinking.report)[0].gain->value == 0);
  CHECK(standings(shrinking.report)[0].volume_change()->value == 0.02);
}

TEST_CASE("standings: one mesh and clip have standings of their own") {
  Runs runs;
  runs.add_error(0, "dqs", 0.1, 0.5, {2, 3});
  runs.add_error(0, "lbs", 0.2, 0.6, {2, 3});
  runs.add(0, "run", "dqs");
  CHECK(standings(runs.report.meshes[0], "walk").size() == 2);
  CHECK(standings(runs.report.meshes[0], "run").size() == 1);
  CHECK_FALSE(standings(runs.report.meshes[0], "run")[0].max);
}

TEST_CASE("ranked: the smallest change of volume is first, gained or lost") {
  Runs runs;
  runs.add_volume(0, "lbs", 0.05, 0);
  runs.add_volume(0, "dqs", 0, -0.06);
  runs.add_volume(0, "cor", 0.01, -0.01);
  CHECK(runs.order(RankBy::kVolumeChange) == Names{"cor", "lbs", "dqs"});
}

TEST_CASE("ranked: a mesh that all methods change equally does not decide") {
  Runs runs;
  runs.add_volume(0, "lbs", 0.05, 0);
  runs.add_volume(0, "cor", 0.01, 0);
  runs.add_volume(1, "lbs", 0.69, 0);
  runs.add_volume(1, "cor", 0.69 + 1e-8, 0);
  CHECK(runs.order(RankBy::kVolumeChange) == Names{"cor", "lbs"});
}

TEST_CASE("ranked: equal methods are sorted by cost, then by the order given") {
  Runs runs;
  for (const char* method : {"cor", "dqs:sign=first", "dqs", "lbs"}) {
    runs.add_volume(0, method, 1e-8, 0);
  }
  CHECK(runs.order(RankBy::kVolumeChange) == Names{"lbs", "dqs:sign=first", "dqs", "cor"});
}

TEST_CASE("ranked: rounding errors do not decide, whatever the values") {
  Runs runs;
  runs.add_volume(0, "cor", 1.49e-6, 0);  // rounding to 1e-6 would separate these two
  runs.add_volume(0, "dqs", 1.51e-6, 0);
  runs.add_volume(0, "lbs", 4e-6, 0);
  CHECK(runs.order(RankBy::kVolumeChange) == Names{"dqs", "cor", "lbs"});
}

TEST_CASE("recommend: a difference of rounding does not make a method better") {
  Runs runs;
  runs.add_volume(0, "lbs", 0.010338282, 0);
  runs.add_volume(0, "dqs", 0.010338270, 0);
  runs.add_volume(0, "cor", 0.010336, 0);
  Names best;
  for (const Candidate& c : recommend(runs.report, {limit_of("volume.max_loss", 1)}).candidates) {
    if (c.pareto) best.push_back(c.method);
  }
  CHECK(best == Names{"lbs", "cor"});
}

TEST_CASE("ranked: unmeasured values and NaN are last") {
  Runs runs;
  runs.add_error(0, "cor", std::numeric_limits<double>::quiet_NaN(), 1, {});
  runs.add(0, "walk", "lbs");
  runs.add_error(0, "dqs", 0.3, 1, {});
  CHECK(runs.order(RankBy::kError).front() == "dqs");
  CHECK(runs.order(RankBy::kVolumeChange).front() == "lbs");  // without volumes, the cheapest
}

TEST_CASE("rank_by: errors rank if the reference is independent or no method has a volume") {
  Runs runs;
  runs.add_volume(0, "lbs", 0.05, 0);
  runs.add_volume(0, "dqs", 0, 0);
  const std::vector<MethodStanding> all = standings(runs.report);
  CHECK(rank_by(all, "lbs") == RankBy::kVolumeChange);
  CHECK(rank_by(all, "exact") == RankBy::kVolumeChange);
  CHECK(rank_by(all, "cor") == RankBy::kError);
  CHECK(rank_by(all, "golden.pc2") == RankBy::kError);
  Runs flat;
  flat.add_error(0, "lbs", 0, 0, {});
  CHECK(rank_by(standings(flat.report), "lbs") == RankBy::kError);
}

TEST_CASE("recommend: the cheapest method within every limit, which includes the limit itself") {
  Runs runs;
  runs.add_volume(0, "cor", 0.01, 0);
  runs.add_volume(0, "dqs", 0.02, 0);
  runs.add_volume(0, "lbs", 0.3, 0);
  const auto chosen = [&](double limit) {
    return recommend(runs.report, {limit_of("volume.max_loss", limit)}).method;
  };
  CHECK(chosen(0.3) == "lbs");
  CHECK(chosen(0.29) == "dqs");
  CHECK(chosen(0.02) == "dqs");
  CHECK(chosen(0.015) == "cor");
  CHECK_FALSE(chosen(0.005));
  const Recommendation both =
      recommend(runs.report, {limit_of("volume.max_loss", 1), limit_of("error.max", 1)});
  CHECK_FALSE(both.method);  // no error was measured
  CHECK(both.candidates.front().method == "lbs");
}

TEST_CASE(
    "recommend: a method is dominated if another is as good and cheaper, or better and as cheap") {
  Runs runs;
  runs.add_volume(0, "lbs", 0.3, 0);
  runs.add_volume(0, "dqs", 0.02, 0);
  runs.add_volume(0, "dqs:sign=first", 0.02, 0);
  runs.add_volume(0, "cor", 0.02, 0);
  runs.add_volume(0, "jst", 0.01, 0);
  std::vector<std::string> best;
  for (const Candidate& c : recommend(runs.report, {limit_of("volume.max_loss", 1)}).candidates) {
    if (c.pareto) best.push_back(c.method);
  }
  CHECK(best == Names{"lbs", "dqs", "dqs:sign=first", "jst"});
}

TEST_CASE("recommend: a volume that no mesh has decides nothing, unless it is the only limit") {
  Runs runs;
  runs.add_error(0, "lbs", 0.1, 2, {});
  runs.add_error(0, "dqs", 0.1, 0.5, {});
  const RecommendLimit volume = limit_of("volume.max_loss", 0.05);
  const Recommendation both = recommend(runs.report, {volume, limit_of("error.max", 1)});
  CHECK(both.method == "dqs");
  CHECK(both.unmeasured == std::vector<std::size_t>{0});
  const Recommendation alone = recommend(runs.report, {volume});
  CHECK_FALSE(alone.method);
  CHECK_FALSE(alone.nearest);
}

TEST_CASE("recommend: the nearest miss exceeds its limits by the smallest part") {
  Runs runs;
  runs.add_volume(0, "lbs", 0.3, 0);
  runs.add_volume(0, "dqs", 0.06, 0);
  runs.add_volume(0, "cor", 0.07, 0);
  const Recommendation none = recommend(runs.report, {limit_of("volume.max_loss", 0.05)});
  REQUIRE(none.nearest);
  CHECK(none.nearest->method == "dqs");
  CHECK(none.nearest->limit == 0);
  CHECK(none.nearest->worst.value == 0.06);
  CHECK_FALSE(recommend(runs.report, {limit_of("volume.max_loss", 0.06)}).nearest);
}

TEST_CASE("recommend: NaN exceeds every limit") {
  Runs runs;
  runs.add_error(0, "lbs", 0.1, std::numeric_limits<double>::quiet_NaN(), {});
  CHECK_FALSE(recommend(runs.report, {limit_of("error.max", 9)}).method);
}

TEST_CASE("recommend: no method is within an infinite limit, and no infinite value within any") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kMost = std::numeric_limits<double>::max();
  const auto chosen = [](double max, double limit) {
    Runs runs;
    runs.add_error(0, "lbs", 0.1, max, {});
    return recommend(runs.report, {limit_of("error.max", limit)}).method;
  };
  CHECK(chosen(1, kMost) == "lbs");
  for (const double limit : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_FALSE(chosen(1, limit));
  }
  for (const double value : {kInfinity, -kInfinity}) {
    CHECK_FALSE(chosen(value, kMost));
    CHECK_FALSE(chosen(value, value));
  }
}

}  // namespace
}  // namespace skinbake
