// Fuzzes the reader of JSON reports. Any text is either rendered or refused with an input error. A
// report that is compared with itself does not differ, or it has no run and is not comparable.

#include <cstdlib>
#include <string_view>

#include "report/read/parsed_report.h"
#include "skinbake/compare.h"
#include "support/memory_file.h"

using namespace skinbake;

namespace {

constexpr std::uint64_t kMaxMemory = std::uint64_t{64} << 20;

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
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kNotComparable) return Outcome::kNotComparable;
    require(error.kind() == ErrorKind::kInput);
    return Outcome::kRefused;
  }
}

void show(std::string_view text) {
  const ParsedReport views[2] = {parse_report(text, "a.json", kMaxMemory),
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
  const Outcome shown = attempt([text] { show(text); });
  const Outcome compared = attempt(
      [] { require(compare_reports(file.path(), file.path(), {}, 2 * kMaxMemory).count == 0); });
  require(shown != Outcome::kNotComparable);
  require(compared != Outcome::kRefused || shown == Outcome::kRefused);
  return 0;
}
