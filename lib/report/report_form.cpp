#include "report/report_form.h"

#include "base/paths.h"

namespace skinbake {

namespace {

struct Form {
  ReportForm form;
  std::string_view name, extension;
};
constexpr Form kForms[] = {{ReportForm::kJson, "json", ".json"},
                           {ReportForm::kHtml, "html", ".html"},
                           {ReportForm::kMarkdown, "markdown", ".md"},
                           {ReportForm::kJunit, "junit", ".xml"}};

}  // namespace

std::string_view to_string(ReportForm form) {
  return kForms[static_cast<int>(form)].name;
}

std::optional<ReportFile> report_file(std::string_view text) {
  if (text == "-") return ReportFile{ReportForm::kJson, "-"};
  for (const Form& form : kForms) {
    const bool is_named = text.size() > form.name.size() + 1 && text.starts_with(form.name) &&
                          text[form.name.size()] == ':';
    if (is_named) return ReportFile{form.form, std::string(text.substr(form.name.size() + 1))};
  }
  // A mistyped form is not part of the file's name; "C:" is.
  const std::size_t letters = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  if (letters != std::string_view::npos && letters > 1 && text[letters] == ':') return {};
  for (const Form& form : kForms) {
    if (has_extension(text, form.extension)) return ReportFile{form.form, std::string(text)};
  }
  return {};
}

}  // namespace skinbake
