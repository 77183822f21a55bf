// Markdown for a pull request, of at most kMostMarkdown bytes: for each report the verdict, a few
// lines, and collapsed tables; what fails first, and the worst first. Names are shown as code, so
// that they are never links, mentions or markup.

#include <algorithm>
#include <vector>

#include "report/causes.h"
#include "report/pages/escape.h"
#include "report/pages/page_text.h"
#include "report/pages/pages.h"
#include "report/pages/text/markdown_parts.h"

namespace skinbake {

namespace {

constexpr std::size_t kMostVerdicts = 30;

std::string_view headline_of(const ParsedReport& report) {
  const VerdictStatus verdict = status_of(report);
  if (report.verdict == VerdictStatus::kFail) return "❌ a limit is exceeded";
  if (verdict == VerdictStatus::kFail) {
    return report.command == "diff" ? "❌ they differ" : "❌ no method is within the limits";
  }
  if (verdict == VerdictStatus::kWarn) return "⚠️ a warning's limit is exceeded";
  if (verdict == VerdictStatus::kPass && report.command == "diff" && report.checks.empty()) {
    return "✅ they do not differ";
  }
  if (verdict == VerdictStatus::kPass) return "✅ within every limit";
  return "no limits were given";
}

std::string run_text(const ParsedMesh& mesh, const ParsedRun& run) {
  return markdown_code(mesh.id) + (run.clip.empty() ? "" : ", " + markdown_code(run.clip)) + ", " +
         markdown_code(run.method);
}

// "- volume loss: **66.67 %**, frame 30 (`tube`, `twist`, `lbs`)", or nothing.
std::string worst_line(const ParsedReport& report, std::string_view title, std::string_view section,
                       std::string_view number) {
  const WorstNumber worst = worst_of(report, section, number);
  if (worst.number == nullptr) return "";
  const std::string place = place_text(worst.number->at, short_code);
  return "- " + std::string(title) + ": **" +
         with_unit(worst.number->value, unit_of(*worst.run->section(section), number)) + "**" +
         (place.empty() ? "" : ", " + place) + " (" + run_text(*worst.mesh, *worst.run) + ")\n";
}

// "- largest loss at a joint: **69.92 %** at `joint_1`, …" of all runs, or nothing.
std::string joint_line(const ParsedReport& report) {
  const ParsedMesh* worst_mesh = nullptr;
  const ParsedRun* worst_run = nullptr;
  const ParsedJoint* worst = nullptr;
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      const ParsedJoint* joint = worst_joint(run);
      if (joint == nullptr || (worst != nullptr && *joint->max_loss <= *worst->max_loss)) continue;
      worst_mesh = &mesh;
      worst_run = &run;
      worst = joint;
    }
  }
  if (worst == nullptr) return "";
  return "- largest loss at a joint: **" + with_unit(worst->max_loss, "1") + "** at " +
         markdown_code(worst->name) + ", " + place_text(worst->max_loss_at, short_code) + " (" +
         run_text(*worst_mesh, *worst_run) + ")\n";
}

// The sufficient frame rate of each run.
std::string fps_lines(const ParsedReport& report) {
  constexpr std::size_t kMostLines = 10;
  std::size_t lines = 0;
  std::string text;
  for (const ParsedMesh& mesh : report.meshes) {
    for (const ParsedRun& run : mesh.runs) {
      for (const ParsedSection& section : run.sections) {
        if (!section.sufficient_fps || ++lines > kMostLines) continue;
        text += "- " + fps_text(*section.sufficient_fps) + " (" + run_text(mesh, run) + ")\n";
      }
    }
  }
  if (lines > kMostLines)
    text += "- rates of " + std::to_string(lines - kMostLines) + " more runs\n";
  return text;
}

std::string place_of(const Check& check) {
  if (check.mesh.empty()) {
    // Of these, only the place of a clip has a name.
    const std::string place = place_text(check);
    return ": " + (is_clip_check(check) ? short_code(place) : place);
  }
  std::string text = " in " + markdown_code(check.mesh);
  if (!check.clip.empty()) text += ", " + markdown_code(check.clip);
  if (!check.method.empty()) text += ", " + markdown_code(check.method);
  if (!check.pose.empty()) text += ", " + short_code(check.pose);
  if (check.frame) text += ", frame " + std::to_string(*check.frame);
  if (check.vertex) text += ", " + vertex_text(check);
  if (!check.joint.empty()) text += ", joint " + markdown_code(check.joint);
  return text;
}

std::string check_line(const ParsedReport& report, const Check& check) {
  const VerdictStatus status = status_of(check);
  const std::string sign = status == VerdictStatus::kFail   ? "❌ "
                           : status == VerdictStatus::kWarn ? "⚠️ "
                                                            : "✅ ";
  const std::string times = exceeded_text(check, markdown_code);
  const std::string cause = check.passed ? "" : cause_text(report.rig_data, check.mesh, check.clip);
  return "- " + sign + markdown_code(limit_text(check)) + ": " + value_text(check) +
         place_of(check) + (times.empty() ? "" : "; " + times) +
         (cause.empty() ? "" : "; " + short_code(cause)) + "\n";
}

std::string verdict_line(const Verdict& verdict) {
  return std::string("- ") + (verdict.passed ? "✅ " : "❌ ") + markdown_code(verdict.name) + ": " +
         markdown_code(verdict.text) + "\n";
}

std::string issue_line(const ParsedReport& report) {
  const auto is_allowed = [&](const Issue& issue) {
    return std::find(report.allowed.begin(), report.allowed.end(), issue.code) !=
           report.allowed.end();
  };
  const auto count = [&](Severity severity) {
    return static_cast<std::size_t>(std::count_if(
        report.issues.begin(), report.issues.end(),
        [&](const Issue& issue) { return issue.severity == severity && !is_allowed(issue); }));
  };
  const std::size_t errors = count(Severity::kError), warnings = count(Severity::kWarning);
  std::string text;
  if (errors + warnings > 0) {
    text = "- findings: " + counted(errors, "error", "errors") + ", " +
           counted(warnings, "warning", "warnings") + "\n";
  }
  for (const std::string& code : report.allowed) text += "- allowed: " + markdown_code(code) + "\n";
  return text;
}

// The lines of the verdicts: those that fail, then those that pass.
std::string verdict_lines(const ParsedReport& report) {
  std::vector<Verdict> verdicts = verdicts_of(report);
  std::stable_partition(verdicts.begin(), verdicts.end(),
                        [](const Verdict& verdict) { return !verdict.passed; });
  std::string text;
  const std::size_t shown = std::min(kMostVerdicts, verdicts.size());
  for (std::size_t i = 0; i < shown; ++i) text += verdict_line(verdicts[i]);
  if (shown == verdicts.size()) return text;
  const auto failing =
      std::count_if(verdicts.begin() + static_cast<std::ptrdiff_t>(shown), verdicts.end(),
                    [](const Verdict& verdict) { return !verdict.passed; });
  return text + "- " + std::to_string(verdicts.size() - shown) + " more, of which " +
         std::to_string(failing) + " fail\n";
}

// "- only in A: clip `Walk` of `knight`, file `ogre.glb`, … and 3 more", or nothing.
std::string unpaired_line(const char* side, const std::vector<UnpairedElement>& elements) {
  constexpr std::size_t kMostNamed = 10;
  std::string names;
  for (std::size_t i = 0; i < std::min(kMostNamed, elements.size()); ++i) {
    const UnpairedElement& element = elements[i];
    names += (i == 0 ? "" : ", ") + element.kind + " " +
             short_code(element.name.empty() ? element.file : element.name);
    if (!element.name.empty() && !element.file.empty()) names += " of " + short_code(element.file);
  }
  if (elements.size() > kMostNamed) {
    names += " and " + std::to_string(elements.size() - kMostNamed) + " more";
  }
  return names.empty() ? "" : std::string("- only in ") + side + ": " + names + "\n";
}

// "- renamed: clip `Wave` of `Bunny` is `Greeting` in B, … and 3 more", or nothing.
std::string renamed_line(const std::vector<RenamedElement>& elements) {
  constexpr std::size_t kMostNamed = 10;
  std::string names;
  for (std::size_t i = 0; i < std::min(kMostNamed, elements.size()); ++i) {
    const RenamedElement& element = elements[i];
    names += (i == 0 ? "" : ", ") + element.kind + " " + short_code(element.a) +
             (element.file.empty() ? "" : " of " + short_code(element.file)) + " is " +
             short_code(element.b) + " in B";
  }
  if (elements.size() > kMostNamed) {
    names += " and " + std::to_string(elements.size() - kMostNamed) + " more";
  }
  return names.empty() ? "" : "- renamed: " + names + "\n";
}

std::string title(const ParsedReport& report) {
  return "### skinbake " + report.command + " " + short_code(report.name) + ": " +
         std::string(headline_of(report)) + "\n";
}

std::string head(const ParsedReport& report) {
  std::string text = title(report) + "\n";
  for (const Check& check : report.checks) text += check_line(report, check);
  text += verdict_lines(report);
  if (report.library) {
    text += renamed_line(report.library->renamed);
    text += unpaired_line("A", report.library->only_a) + unpaired_line("B", report.library->only_b);
  }
  for (const std::string& note :
       {match_text(report), placement_text(report), left_out_text(report)}) {
    if (!note.empty()) text += "- " + short_code(note) + "\n";
  }
  if (report.fit) {
    for (const std::string& line : report.fit->lines) text += "- " + markdown_code(line) + "\n";
  }
  text += worst_line(report, "largest error at rest", "surface", "at_rest");
  text +=
      worst_line(report, "largest error at rest, of the diagonal", "surface", "at_rest_relative");
  text += worst_line(report, "largest error in motion, of the diagonal", "surface", "max_relative");
  text += worst_line(report, "Hausdorff distance in motion, of the diagonal", "hausdorff",
                     "max_relative");
  text += worst_line(report, "largest volume loss", "volume", "max_loss");
  text += joint_line(report);
  text += worst_line(report, "largest error", "error", "max");
  text += worst_line(report, "largest rms error", "error", "rms");
  text += fps_lines(report);
  return text + issue_line(report);
}

// Those that fail first.
std::vector<const ParsedReport*> failing_first(std::span<const ParsedReport> reports) {
  std::vector<const ParsedReport*> all;
  for (const ParsedReport& report : reports) all.push_back(&report);
  std::stable_sort(all.begin(), all.end(), [](const ParsedReport* a, const ParsedReport* b) {
    return status_of(*a) > status_of(*b);
  });
  return all;
}

}  // namespace

std::string to_markdown(std::span<const ParsedReport> reports) {
  constexpr std::size_t kRest = 100;  // "12 more reports, of which 3 fail, …"
  std::vector<std::string> heads;
  std::size_t used = kRest;
  const std::vector<const ParsedReport*> all = failing_first(reports);
  for (const ParsedReport* report : all) {
    std::string text = head(*report);
    if (used + text.size() > kMostMarkdown) text = title(*report);  // of a report with long names
    if (used + text.size() + 1 > kMostMarkdown) break;
    used += text.size() + 1;
    heads.push_back(std::move(text));
  }
  std::string text;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::size_t room = (kMostMarkdown - used) / (heads.size() - i);
    std::string more = option_details(*all[i], room);
    more += measurement_tables(*all[i], report_before(reports, *all[i]), room - more.size());
    used += more.size();
    text += (text.empty() ? "" : "\n") + heads[i] + more;
  }
  if (heads.size() == all.size()) return text;
  const auto failing = std::count_if(
      all.begin() + static_cast<std::ptrdiff_t>(heads.size()), all.end(),
      [](const ParsedReport* report) { return status_of(*report) == VerdictStatus::kFail; });
  return text + "\n" + std::to_string(all.size() - heads.size()) + " more reports, of which " +
         std::to_string(failing) + " fail, are left out.\n";
}

}  // namespace skinbake
