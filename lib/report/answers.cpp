#include "report/answers.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "report/page_text.h"

namespace skinbake {

namespace {

std::string limits_text(const Recommendation& recommendation) {
  std::string text;
  for (const RecommendLimit& limit : recommendation.limits) {
    text += (text.empty() ? "" : ", ") + limit.option + " " + with_unit(limit.limit, limit.unit);
  }
  return text;
}

// Of one mesh of a diff.
Answer answer_of(const MeshView& mesh, const RunView& run) {
  const DifferenceView& difference = *run.difference;
  Answer answer{"any difference of mesh '" + mesh.id + "'", "no vertex differs",
                difference.vertices == 0};
  if (answer.passed) return answer;
  answer.text = std::to_string(difference.vertices) + " of " + std::to_string(mesh.vertex_count) +
                " vertices differ, in " + std::to_string(difference.frames) + " of " +
                counted(static_cast<std::size_t>(run.frames.frame_count), "frame", "frames");
  const SectionView* error = run.section("error");
  const NumberView* max = error == nullptr ? nullptr : error->number("max");
  if (max == nullptr) return answer;
  answer.text += "; the largest difference is " + with_unit(max->value, "m");
  if (max->at) answer.text += ", " + place_text(max->at);
  return answer;
}

// A diff without thresholds fails by any difference.
void add_differences(const ReportView& report, std::vector<Answer>& answers) {
  if (report.changes) {
    answers.push_back({"any change", changes_text(*report.changes), report.changes->count == 0});
  }
  for (const MeshView& mesh : report.meshes) {
    for (const RunView& run : mesh.runs) {
      if (run.difference) answers.push_back(answer_of(mesh, run));
    }
  }
}

// "1 vertex moved by 0.02 m in 1 frame: 0.02 m, caught".
Answer answer_of(const SelfTestRecord& test) {
  const auto plural = [](std::int64_t count, const char* one, const char* many) {
    return counted(static_cast<std::size_t>(count), one, many);
  };
  const bool passed = test.exceeded == test.expected;
  return {"--self-test of " + (test.option.empty()
                                   ? std::string("any difference")
                                   : test.option + " " + with_unit(test.limit, test.unit)),
          plural(test.vertices, "vertex", "vertices") + " moved by " +
              with_unit(test.moved_by_m, "m") + " in " + plural(test.frames, "frame", "frames") +
              ": " + with_unit(test.value, test.unit) + (test.exceeded ? ", caught" : ", kept") +
              (passed ? "" : ", which is wrong"),
          passed};
}

}  // namespace

std::vector<Answer> answers_of(const ReportView& report) {
  std::vector<Answer> answers;
  if (report.recommendation) {
    answers.push_back({"--recommend " + limits_text(*report.recommendation),
                       recommendation_text(*report.recommendation),
                       report.recommendation->method.has_value()});
  }
  if (report.command == "diff" && report.checks.empty()) add_differences(report, answers);
  for (const SelfTestRecord& test : report.self_test) answers.push_back(answer_of(test));
  return answers;
}

std::vector<Answer> verifications_of(const ReportView& report) {
  const auto place = [](const std::optional<std::int64_t>& frame, VertexIndex vertex) {
    return frame ? " (frame " + std::to_string(*frame) + ", vertex " + std::to_string(vertex) + ")"
                 : "";
  };
  std::vector<Answer> answers;
  for (const VerificationRecord& output : report.verification) {
    std::string text = "read back, largest difference " + with_unit(output.max_m, "m") +
                       place(output.frame, output.vertex) + ", bound " +
                       with_unit(output.bound_m, "m");
    const auto add = [&](const std::string& what,
                         const std::optional<VerificationRecord::Directions>& directions) {
      if (!directions) return;
      text += "; of unit " + what + " " + with_unit(directions->max, "") +
              place(directions->frame, directions->vertex) + ", bound " +
              with_unit(directions->bound, "");
    };
    add("normals", output.normals);
    add("tangents", output.tangents);
    answers.push_back({"--verify " + output.path, text, output.passed});
  }
  return answers;
}

std::string verdict_of(const ReportView& report) {
  const std::vector<Answer> answers = answers_of(report);
  const bool passed = std::all_of(answers.begin(), answers.end(),
                                  [](const Answer& answer) { return answer.passed; });
  if (!passed) return "fail";
  return report.verdict == "none" && !answers.empty() ? "pass" : report.verdict;
}

std::string recommendation_text(const Recommendation& recommendation) {
  const std::string within = "within " + limits_text(recommendation);
  return recommendation.method ? *recommendation.method + " is the cheapest method " + within
                               : "no method is " + within;
}

std::string changes_text(const ReportChanges& changes) {
  return std::to_string(changes.count) + " of " + std::to_string(changes.compared) +
         " values moved";
}

std::string place_text(const Explanation& explanation) {
  return "vertex " + std::to_string(explanation.vertex) + " (primitive " +
         std::to_string(explanation.primitive) + ", its " +
         std::to_string(explanation.primitive_vertex) + "), frame " +
         std::to_string(explanation.frame);
}

namespace {

// With one decimal: an angle of rounding alone is "0.0°".
std::string degrees_text(double degrees) {
  constexpr double kMost = 360;  // reports may say anything
  if (!(std::abs(degrees) <= kMost)) return short_number(degrees) + "°";
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, degrees, std::chars_format::fixed, 1).ptr;
  return std::string(text, end) + "°";
}

}  // namespace

std::string turn_text(const ExplainedInfluence& influence) {
  constexpr double kDegreesPerRadian = 57.29577951308232, kVisibleScale = 1e-3;
  std::string text = degrees_text(influence.angle_rad * kDegreesPerRadian);
  if (influence.flipped) text += ", flipped";
  if (std::abs(influence.scale - 1) > kVisibleScale) {
    text += ", scale " + short_number(influence.scale);
  }
  if (influence.mirrored) text += ", mirrored";
  return text;
}

}  // namespace skinbake
