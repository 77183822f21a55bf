// How expressions combine: closed forms.

#include "humanoid/motion/face_player.h"

#include <doctest/doctest.h>

using namespace skinbake;

namespace {

Expression expression(const char* name, std::vector<MorphBind> binds = {}) {
  Expression e;
  e.name = name;
  e.binds = std::move(binds);
  return e;
}

std::vector<double> combined(const std::vector<Expression>& expressions,
                             std::vector<double> weights) {
  ExpressionMixer(expressions).combine(weights);
  return weights;
}

using Weights = std::vector<double>;

}  // namespace

TEST_CASE("expressions: weights are clamped, binary ones are 1 above 0.5") {
  std::vector<Expression> both{expression("happy"), expression("grin")};
  both[1].is_binary = true;
  CHECK(combined(both, {-1, 0.5}) == Weights{0, 0});
  CHECK(combined(both, {2, 0.5000001}) == Weights{1, 1});
  CHECK(combined(both, {0.25, 7}) == Weights{0.25, 1});
}

TEST_CASE("expressions: overriding ones block or reduce those of a kind") {
  std::vector<Expression> all{expression("happy"), expression("sad"), expression("blinkLeft"),
                              expression("aa"), expression("lookUp")};
  all[0].of_blink = all[1].of_blink = ExpressionOverride::kBlend;
  all[0].of_mouth = ExpressionOverride::kBlock;
  all[1].of_look = ExpressionOverride::kBlend;
  CHECK(combined(all, {0.25, 0.5, 0.8, 1, 0.5}) == Weights{0.25, 0.5, 0.8 * 0.25, 0, 0.25});
  CHECK(combined(all, {0, 0.5, 0.5, 1, 0}) == Weights{0, 0.5, 0.25, 1, 0});
  CHECK(combined(all, {0.75, 0.5, 1, 0, 0})[2] == 0);  // not below 0

  all[2].is_binary = true;
  CHECK(combined(all, {0.01, 0, 0.9, 0, 0})[2] == 0);  // does not appear in part
  CHECK(combined(all, {0, 0, 0.9, 0, 0})[2] == 1);

  all[0].is_binary = true;  // what is not shown does not override
  CHECK(combined(all, {0.5, 0, 0.9, 0.5, 0}) == Weights{0, 0, 1, 0.5, 0});
}

TEST_CASE("expressions: morph targets are the sums of all expressions, others stay") {
  const std::vector<Expression> two{expression("happy", {{5, 0, 0.5}, {5, 2, 1}, {6, 0, 1}}),
                                    expression("sad", {{5, 0, 1}, {5, 0, 0.25}})};
  const ExpressionMixer mixer(two);
  CHECK(mixer.find("sad") == 1);
  CHECK_FALSE(mixer.find("Sad"));
  CHECK(mixer.moves(6));
  CHECK_FALSE(mixer.moves(0));
  Weights morphs{9, 0.7, 0.3};
  mixer.apply(Weights{0.5, 1}, 5, morphs);
  CHECK(morphs == Weights{0.25 + 1 + 0.25, 0.7, 0.5});
  mixer.apply(Weights{1, 1}, 0, morphs);
  CHECK(morphs == Weights{1.5, 0.7, 0.5});
}

TEST_CASE("expressions: a mesh with fewer morph targets than the face's gets those that it has") {
  const std::vector<Expression> one{expression("happy", {{5, 0, 0.5}, {5, 3, 1}})};
  const ExpressionMixer mixer(one);
  CHECK(mixer.least_targets(5) == 4);
  CHECK(mixer.least_targets(6) == 0);
  std::vector<double> morphs{7, 7, 7};
  const Weights weights{1};
  mixer.apply(weights, 5, std::span(morphs).first(2));
  CHECK(morphs == Weights{0.5, 7, 7});
}
