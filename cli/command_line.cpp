#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <sstream>
#include <utility>

#include "bake/kernels/targets.h"
#include "base/output_file.h"
#include "base/parent_folders.h"
#include "build_text.h"
#include "commands.h"
#include "memory_limit.h"
#include "options/parse_messages.h"
#include "options/usage_error.h"
#include "report/report.h"
#include "skinbake/gltf.h"
#include "terminal/console.h"
#include "terminal/task_context.h"

namespace skinbake::cli {

namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  skinbake inspect hero.glb\n"
    "  skinbake bake hero.glb --clip run --method dqs -o run.pc2 --report run.json\n"
    "  skinbake compare hero.glb --clip run --method lbs --method dqs\n"
    "  skinbake diff golden.pc2 run.pc2 --fail error.max=0.1mm\n"
    "  skinbake convert run.pc2 run.npy\n"
    "  skinbake fit hero.glb --clip run --method dqs --max-error 0.001 -o hero_fit.glb\n"
    "  skinbake retarget run.glb hero.glb -o hero_run.glb\n"
    "  skinbake batch jobs.json\n"
    "  skinbake golden jobs.json --check goldens\n"
    "  skinbake list methods\n"
    "\n"
    "Exit codes:\n"
    "  0    done, and every threshold was kept\n"
    "  1    done, but a threshold was exceeded, diff without a threshold found a difference,\n"
    "       --recommend found no method, fit exceeds its bound, or there was a warning with "
    "--strict\n"
    "  2    the command line is wrong\n"
    "  3    an input is missing, malformed or unsupported\n"
    "  4    an output or standard output could not be written, or --verify found a difference\n"
    "       beyond the format's bound\n"
    "  5    the inputs are not comparable\n"
    "  70   a bug in skinbake\n"
    "  129  hung up (SIGHUP)\n"
    "  130  interrupted (SIGINT)\n"
    "  143  terminated (SIGTERM); after another signal N, 128 + N";

constexpr const char* kVerbose = "--verbose";

bool is_given(const CLI::App& app, const char* option) {
  const CLI::Option* const found = app.get_option_no_throw(option);
  return found != nullptr && found->count() > 0;
}

// The environment variable SKINBAKE_TARGET forces an instruction set, for troubleshooting.
void force_target_of_environment() {
  const char* const name = std::getenv("SKINBAKE_TARGET");
  if (name == nullptr || *name == '\0') return;
  try {
    force_target(name);
  } catch (const Error& error) {
    throw Error(error.code(), "SKINBAKE_TARGET: " + error.message(), {}, error.remedy());
  }
}

// The chosen command; the program if there is none.
const CLI::App& chosen(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? app : chosen(*commands.back());
}

// Prints the message and refers to the help of the chosen command.
int refuse(const CLI::App& app, const std::string& message) {
  const CLI::App& command = chosen(app);
  const std::string name = &command == &app ? "skinbake" : "skinbake " + full_name(command);
  log_error(message + "; see " + name + " --help");
  return exit_code_of(ErrorKind::kUsage);
}

// Parses the words, which runs the command.
int parse(CLI::App& app, std::vector<std::string> words) {
  try {
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(std::move(words));
    return 0;
  } catch (const CLI::Success& help) {  // --help, --version
    std::ostringstream text;
    const int code = app.exit(help, text);
    print(text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> unknown = app.remaining();
    const bool has_command = !app.get_subcommands().empty();
    if (!has_command && !unknown.empty() && !unknown.front().starts_with('-')) {
      return refuse(app, no_command(app, unknown.front()));
    }
    return refuse(app, parse_message(chosen(app), app.remaining(true), error));
  } catch (const UsageError& error) {
    return refuse(app, error.what());
  }
}

// Runs the command that the words name, one of those that the app has.
int run_words(CLI::App& app, const std::vector<std::string>& words, const int& exit_code) {
  app.require_subcommand(1);
  refuse_values_of_flags(app);
  app.parse_complete_callback([&] {
    if (is_given(app, kVerbose)) {
      throw UsageError(kVerbose, "is for --version here; for a command, write it after its name");
    }
    if (chosen(app).get_name() != "list") force_target_of_environment();  // list shows all
  });
  const int refused = parse(app, words);
  return refused != 0 ? refused : exit_code;
}

// The name of the command if it is the first word; empty: another word is.
std::string_view first_command(const std::vector<std::string>& words) {
  for (const CommandDefinition& command : command_definitions()) {
    if (!words.empty() && words.front() == command.name) return command.name;
  }
  return {};
}

int run_program(const std::vector<std::string>& words) {
  configure_console(Verbosity::kNormal, When::kAuto);
  CLI::App app{"", "skinbake"};
  int exit_code = 0;
  add_program(app, exit_code, first_command(words));
  const int result = run_words(app, words, exit_code);
  require_printed();
  return result;
}

int run_task(const std::vector<std::string>& words) {
  CLI::App app{"", "skinbake"};
  int exit_code = 0;
  for (const CommandDefinition& command : command_definitions()) {
    if (words.front() == command.name) add_command(app, command, exit_code);
  }
  return run_words(app, words, exit_code);
}

// oneTBB does not have a type for this failure (rml_thread_monitor.h).
bool lacks_threads(const std::exception& error) {
  return std::string_view(error.what()).starts_with("pthread_create has failed");
}

// Prints the error. Returns its exit code.
int report(const Error& error) {
  if (TaskContext* const task = task_context()) task->error_code = error.code();
  log_error(with_code(error.what(), error.code()));
  return exit_code_of(error.kind());
}

// Runs the words, and turns every exception but std::bad_alloc into a message and an exit code.
int run_and_report(int (*run)(const std::vector<std::string>&),
                   const std::vector<std::string>& words) {
  try {
    return run(words);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Error& error) {
    return report(error);
  } catch (const std::exception& error) {
    if (lacks_threads(error)) {
      log_error(
          "the system grants no more threads; raise its limit (ulimit -u), or use --threads 1");
      return exit_code_of(ErrorKind::kInput);
    }
    log_error(std::string(error.what()) + "; this is a bug in skinbake, please report it");
    return kBug;
  }
}

}  // namespace

void add_program(CLI::App& app, int& exit_code, std::string_view only) {
  app.description("Bakes glTF animations into measured vertex caches.");
  app.footer(kExamples);
  const std::string verbose = "With --version: also print the build and its libraries";
  app.add_flag("-v,--verbose", verbose);
  app.set_version_flag(
      "--version",
      [&app] {
        return "skinbake " + std::string(version()) +
               (is_given(app, kVerbose) ? "\n" + build_text() : "");
      },
      "Print the version and exit");
  for (const CommandDefinition& definition : command_definitions()) {
    if (only.empty() || only == definition.name) {
      add_command(app, definition, exit_code);
    } else {
      app.add_subcommand(definition.name);
    }
  }
}

int run_command_line(const std::vector<std::string>& words) {
  struct Folders {
    ~Folders() { remove_empty_folders(); }  // also if memory has run out
  } const folders;
  const int exit_code = run_and_report(run_program, words);
  for (const std::string& name : kept_temporary_files()) {
    log_warning(name + " is a temporary file that could not be removed; remove it");
  }
  return exit_code;
}

int run_task_words(const std::vector<std::string>& words) {
  try {
    return run_and_report(run_task, words);
  } catch (const std::bad_alloc&) {
    return report(Error("MEMORY_LIMIT", std::string(out_of_memory_text())));
  }
}

}  // namespace skinbake::cli
