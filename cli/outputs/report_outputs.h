// --report, --json and --view: the forms of a report and their files.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "report/report.h"
#include "report/report_form.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace skinbake {
struct View;
}  // namespace skinbake

namespace skinbake::cli {

struct ReportOutputs {
  std::vector<ReportFile> files;  // --json is JSON on "-"
  bool view = false;              // the web page contains the animated mesh

  bool any() const { return !files.empty(); }
  bool to_stdout() const;
  bool has_html() const;
  std::vector<std::string> paths() const;  // without standard output
  std::string json_path() const;           // of the first JSON file; empty: none
};

// Adds --report and --json.
void add_report_options(CLI::App& command, ReportOutputs& outputs);
// Adds --view.
CLI::Option* add_view_option(CLI::App& command, ReportOutputs& outputs);

// Throws UsageError if several forms are for standard output, or --view is without a web page.
void check_reports(const ReportOutputs& outputs);

// Throws UsageError if --per-vertex npy is given without a JSON report.
void require_report(PerVertex per_vertex, const ReportOutputs& reports);

// The text of a form of the report.
using ReportTexts = std::function<std::string(ReportForm form)>;

// The texts of a report. `name`: of the rig or the cache, for pages without a JSON report beside
// them. `view`: the animated mesh of --view, or null. All must outlive the result.
ReportTexts texts_of(const Report& report, const ReportOutputs& outputs, const std::string& name,
                     const View* view = nullptr);

// The files of the forms.
class ReportFiles {
 public:
  // Opens every file, so that an invalid path fails before the first frame. Throws Error (kOutput).
  explicit ReportFiles(const ReportOutputs& outputs);

  // Writes every form.
  void write(const ReportTexts& texts);
  // Appends every file, for the commit.
  void append(std::vector<OutputFile*>& files);
  // The form for standard output.
  const std::string& printed() const { return printed_; }

 private:
  std::vector<ReportForm> forms_;  // of the files, then of standard output
  std::vector<OutputFile> files_;
  std::string printed_;
};

}  // namespace skinbake::cli
