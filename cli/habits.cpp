#include "habits.h"

#include "choices.h"

namespace skinbake::cli {

void add_habits(CLI::App& command, Habits& habits) {
  const std::vector<std::pair<std::string, When>> whens{
      {"auto", When::kAuto}, {"always", When::kAlways}, {"never", When::kNever}};
  command.add_option("--threads", habits.threads, "Threads; 0: one for each processor")
      ->check(CLI::Range(0, 1024))
      ->type_name("N")
      ->capture_default_str();
  command.add_flag("-q,--quiet", habits.quiet, "Errors only");
  command.add_flag("-v,--verbose", habits.verbose, "Also what is merely worth knowing");
  add_choice<When>(command, "--progress", habits.progress, whens, "Progress on standard error",
                   "auto");
  add_choice<When>(command, "--color", habits.color, whens, "Colours (also: NO_COLOR)", "auto");
}

void configure_console(const Habits& habits) {
  configure_console(habits.quiet     ? Verbosity::kQuiet
                    : habits.verbose ? Verbosity::kVerbose
                                     : Verbosity::kNormal,
                    habits.color);
}

}  // namespace skinbake::cli
