// JSON reports: any text is one that is shown, or is refused as an input; and compared with itself
// it is the same.

#include <cstdlib>
#include <string_view>

#include "skinbake/diff.h"
#include "skinbake/report_view.h"
#include "support/memory_file.h"

using namespace skinbake;

namespace {

constexpr std::uint64_t kMaxMemory = std::uint64_t{64} << 20;

void require(bool holds) {
  if (!holds) std::abort();
}

// Whether it came to its end.
template <class Use>
bool attempt(const Use& use) {
  try {
    use();
    return true;
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::kInput);
    return false;
  }
}

void show(std::string_view text) {
  const ReportView views[2] = {parse_report(text, "a.json", kMaxMemory),
                               parse_report(text, "b.json", kMaxMemory)};
  for (const PageFormat format : {PageFormat::kHtml, PageFormat::kMarkdown, PageFormat::kJunit}) {
    const std::string page = to_page(format, {views, 1});
    require(!page.empty() && page == to_page(format, {views, 1}));
    to_page(format, views);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  file.write(text);
  const bool is_shown = attempt([text] { show(text); });
  const bool is_compared = attempt(
      [] { require(compare_reports(file.path(), file.path(), {}, 2 * kMaxMemory).count == 0); });
  require(is_compared || !is_shown);
  return 0;
}
