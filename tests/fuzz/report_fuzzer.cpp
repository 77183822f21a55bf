// Fuzzes the reader of JSON reports. Any text is either rendered or refused with an input error. A
// report that is compared with itself does not differ, or it has no run and is not comparable.

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string_view>

#include "report/changes.h"
#include "report/pages/pages.h"

using namespace skinbake;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

enum class Outcome { kDone, kRefused, kNotComparable };

// Calls `use`. An error of another kind ends the fuzzer.
template <class Use>
Outcome attempt(const Use& use) {
  try {
    use();
    return Outcome::kDone;
  } catch (const std::bad_alloc&) {
    return Outcome::kRefused;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kNotComparable) return Outcome::kNotComparable;
    require(error.kind() == ErrorKind::kInput);
    return Outcome::kRefused;
  }
}

void show(std::string_view text) {
  const NamedReport views[2] = {parse_report(text, "a.json"), parse_report(text, "b.json")};
  for (const ReportForm form : {ReportForm::kHtml, ReportForm::kMarkdown, ReportForm::kJunit}) {
    const std::string page = to_page(form, {views, 1});
    require(!page.empty() && page == to_page(form, {views, 1}));
    to_page(form, views);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Outcome shown = attempt([text] { show(text); });
  attempt([text] {
    const NamedReport report = parse_report(text, "a.json");
    require(changes_between({&report, 1}, {&report, 1}, {}).changes.empty());
  });
  require(shown != Outcome::kNotComparable);
  return 0;
}
