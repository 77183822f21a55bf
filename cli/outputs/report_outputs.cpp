#include "outputs/report_outputs.h"

#include <algorithm>
#include <memory>

#include "base/paths.h"
#include "options/choices.h"
#include "options/usage_error.h"
#include "report/document.h"
#include "report/pages/pages.h"
#include "report/read_report.h"
#include "report/viewer/viewer.h"

namespace skinbake::cli {

namespace {

bool is_stdout(const ReportFile& file) {
  return file.path == "-";
}

}  // namespace

bool ReportOutputs::to_stdout() const {
  return std::any_of(files.begin(), files.end(), is_stdout);
}

bool ReportOutputs::has_html() const {
  return std::any_of(files.begin(), files.end(),
                     [](const ReportFile& file) { return file.form == ReportForm::kHtml; });
}

std::vector<std::string> ReportOutputs::paths() const {
  std::vector<std::string> paths;
  for (const ReportFile& file : files) {
    if (!is_stdout(file)) paths.push_back(file.path);
  }
  return paths;
}

std::string ReportOutputs::json_path() const {
  for (const ReportFile& file : files) {
    if (file.form == ReportForm::kJson && !is_stdout(file)) return file.path;
  }
  return "";
}

void add_report_options(CLI::App& command, ReportOutputs& outputs) {
  repeatable(command
                 .add_option_function<std::vector<std::string>>(
                     "--report",
                     [&outputs](const std::vector<std::string>& texts) {
                       for (const std::string& text : texts) {
                         outputs.files.push_back(*report_file(text));
                       }
                     },
                     "Write a report: .json, .html, .md or .xml (JUnit); FORM: json, html, "
                     "markdown, junit; repeatable")
                 ->check(writes_report())
                 ->type_name("[FORM:]FILE"));
  command.add_flag_callback(
      "--json",
      [&outputs] {
        outputs.files.push_back({ReportForm::kJson, "-"});
      },
      "Print the JSON report, and nothing else, to standard output");
}

CLI::Option* add_view_option(CLI::App& command, ReportOutputs& outputs) {
  return command.add_flag("--view", outputs.view,
                          "Show the animated mesh in 3D in the HTML report; adds at most 80 MiB");
}

void check_reports(const ReportOutputs& outputs) {
  if (std::count_if(outputs.files.begin(), outputs.files.end(), is_stdout) > 1) {
    throw UsageError("--report", "several forms are for standard output; write one to a file");
  }
  if (!outputs.view) return;
  if (!outputs.has_html()) {
    throw UsageError("--view", "is for a web page; write one with --report FILE.html");
  }
  if (has_viewer()) return;
  throw Error("VIEWER_MISSING", "--view: this build does not have the 3D viewer");
}

void require_report(PerVertex per_vertex, const ReportOutputs& reports) {
  if (per_vertex != PerVertex::kNpy || !reports.json_path().empty()) return;
  throw UsageError("--per-vertex", "npy writes files beside the report; give --report FILE.json");
}

ReportTexts texts_of(const Report& report, const ReportOutputs& outputs, const std::string& name,
                     const View* view) {
  const auto named = std::make_shared<NamedReport>();
  named->name = outputs.json_path().empty() ? name : shown(outputs.json_path());
  return [&report, named, view](ReportForm form) {
    if (named->document.is_null()) named->document = document_of(report);
    return form == ReportForm::kJson ? skinbake::print(named->document)
                                     : to_page(form, {named.get(), 1}, view);
  };
}

ReportFiles::ReportFiles(const ReportOutputs& outputs) {
  for (const ReportFile& file : outputs.files) {
    if (is_stdout(file)) continue;
    forms_.push_back(file.form);
    files_.emplace_back(file.path);
  }
  for (const ReportFile& file : outputs.files) {
    if (is_stdout(file)) forms_.push_back(file.form);
  }
}

void ReportFiles::write(const ReportTexts& texts) {
  for (std::size_t i = 0; i < files_.size(); ++i) files_[i].write(texts(forms_[i]));
  if (forms_.size() > files_.size()) printed_ = texts(forms_.back());
}

void ReportFiles::append(std::vector<OutputFile*>& files) {
  for (OutputFile& file : files_) files.push_back(&file);
}

}  // namespace skinbake::cli
