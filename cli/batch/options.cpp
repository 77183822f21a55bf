// Defines the options of `skinbake batch`.

#include "batch/options.h"

#include <memory>
#include <optional>

#include "commands.h"
#include "options/choices.h"

namespace skinbake::cli {

namespace {

// "2/7": shard 2 of 7.
void set_shard(const std::string& text, BatchOptions& options) {
  const std::size_t slash = text.find('/');
  const auto shard = whole_number(text.substr(0, slash));
  const auto shards =
      slash == std::string::npos ? std::nullopt : whole_number(text.substr(slash + 1));
  constexpr std::int64_t kMost = 1'000'000;
  if (!shard || !shards || *shard < 1 || *shards < *shard || *shards > kMost) {
    throw UsageError("--shard", "'" + text + "' is not I/N with 1 <= I <= N <= 1000000");
  }
  options.shard = static_cast<std::uint64_t>(*shard);
  options.shards = static_cast<std::uint64_t>(*shards);
}

void add_selection(CLI::App& command, std::vector<std::string>& set,
                   std::vector<std::string>& only) {
  repeatable(
      command
          .add_option("--set", set,
                      "Set a key of every job: text, JSON list, or null to remove it; repeatable")
          ->type_name("KEY=VALUE"));
  repeatable(command
                 .add_option("--only", only,
                             "Do only the jobs of this name or pattern ('knight*'); repeatable")
                 ->type_name("NAME"));
}

void add_allow(CLI::App& command, std::vector<std::string>& set) {
  add_allow_option(command, [&set](const std::vector<std::string>& codes) {
    for (const std::string& code : codes) set.push_back("allow=" + code);
  });
}

void add_work(CLI::App& command, BatchOptions& o) {
  command.add_option("-j,--jobs", o.jobs, "Number of tasks at a time; 0: one for each processor")
      ->check(whole(0, 1024))
      ->type_name("N")
      ->capture_default_str();
  add_max_memory_option(command);
  add_allow(command, o.set);
  CLI::Option* const fail_fast = command.add_flag("--fail-fast", o.fail_fast,
                                                  "Do not begin another task after one has failed");
  const std::string help = "Do all other tasks after one has failed (the default)";
  command.add_flag("--keep-going", help)->excludes(fail_fast);
  command
      .add_option("--state", o.state,
                  "File that records every finished task; default: NAME.state.jsonl")
      ->check(check_file)
      ->type_name("FILE");
  command.add_flag("--trust-mtime", o.trust_mtime,
                   "Trust that files of recorded size and time are unchanged; do not read them");
  command
      .add_option_function<std::string>(
          "--shard", [&o](const std::string& text) { set_shard(text, o); },
          "Do only part I of N (of about equal cost); skinbake batch merge joins the states")
      ->type_name("I/N");
}

void add_reports(CLI::App& command, std::vector<ReportFile>& reports) {
  repeatable(command.add_option_function<std::vector<std::string>>(
                 "--report",
                 [&reports](const std::vector<std::string>& texts) {
                   for (const std::string& text : texts) {
                     const std::optional<ReportFile> file = report_file(text);
                     if (!file) {
                       throw UsageError("--report",
                                        "'" + text +
                                            "' has no form; name a .json, .html, .md or "
                                            ".xml file, or write FORM:FILE");
                     }
                     if (file->form == ReportForm::kHtml && file->path == "-") {
                       throw UsageError("--report", "a web page needs a file");
                     }
                     reports.push_back(*file);
                   }
                 },
                 "Write a report of all tasks: .json, .html, .md or .xml (JUnit); repeatable"))
      ->type_name("[FORM:]FILE");
}

void add_results(CLI::App& command, BatchOptions& o) {
  command.add_flag("--dry-run", o.dry_run,
                   "List the tasks and whether they are up to date; do none");
  command.add_flag("--json", o.json, "Print the list of --dry-run as JSON");
  command.add_flag("--schema", o.schema, "Print the JSON Schema of manifests");
  add_reports(command, o.reports);
}

void add_console(CLI::App& command, BatchOptions& o) {
  add_thread_options(command, o.common);
  add_choice<BatchProgress>(command, "--progress", o.progress,
                            {{"auto", BatchProgress::kAuto},
                             {"always", BatchProgress::kAlways},
                             {"never", BatchProgress::kNever},
                             {"json", BatchProgress::kJson}},
                            "Show progress on standard error; json: a line for each finished task",
                            "auto");
  add_color_option(command, o.common);
}

void setup_batch_merge(CLI::App& batch, int& exit_code) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command =
      batch.add_subcommand("merge", "Join the states of shards and write the summary");
  command->add_option("FILE", options->manifest, "Manifest of the batch")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  command->add_option("STATE", options->states, "State file of each shard")
      ->required()
      ->check(check_not_empty)
      ->type_name("");
  add_selection(*command, options->set, options->only);
  add_allow(*command, options->set);
  add_reports(*command, options->reports);
  add_verbosity_options(*command, options->common);
  add_color_option(*command, options->common);
  command->footer(
      "Every shard must be there once, from the same manifest and rigs. The exit code is the\n"
      "greatest of the tasks'.\n"
      "\n"
      "Examples:\n"
      "  skinbake batch merge jobs.json jobs.state.*-of-3.jsonl --report summary.json");
  command->callback([options, &exit_code] { exit_code = run_batch_merge(*options); });
}

}  // namespace

void setup_batch(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<BatchOptions>();
  CLI::App* command =
      app.add_subcommand("batch", "Do the jobs of a manifest: many rigs, clips and settings");
  command
      ->add_option("FILE", options->manifest,
                   "Manifest in JSON (see --schema); '-': standard input")
      ->check(check_not_empty)
      ->type_name("");
  add_selection(*command, options->set, options->only);
  add_work(*command, *options);
  add_results(*command, *options);
  add_console(*command, *options);
  setup_batch_merge(*command, exit_code);
  command->footer(
      "A task is one rig with one clip. Tasks that are up to date are not done again. The exit "
      "code\n"
      "is the greatest of the tasks'.\n"
      "\n"
      R"(A manifest, whose keys are the arguments and the long options of the commands:
  {"schema": "skinbake.batch", "schema_version": "1.0",
   "jobs": [{"rig": "hero.glb", "clip": "all", "output": "out/{clip}.pc2"}]}

)"
      "Examples:\n"
      "  skinbake batch jobs.json\n"
      "  skinbake batch jobs.json --dry-run\n"
      "  skinbake batch jobs.json --only 'knight*' --set method=dqs --report summary.json\n"
      "  skinbake batch jobs.json --shard 2/7\n"
      "  skinbake batch --schema");
  command->callback([options, command, &exit_code] {
    if (command->get_subcommands().empty()) exit_code = run_batch(*options);
  });
}

}  // namespace skinbake::cli
