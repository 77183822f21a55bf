#include "batch/open_batch.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "base/random_access_file.h"
#include "commands.h"
#include "options/usage_error.h"

namespace skinbake::cli {

namespace {

constexpr std::string_view kJobCommands[] = {"bake", "compare", "diff", "fit"};

// Options that concern a terminal, or the process and not the task.
constexpr std::string_view kOmitted[] = {"help",  "json",     "quiet",   "verbose",
                                         "color", "progress", "threads", "max-memory"};

bool is_omitted(const std::string& name) {
  return std::find(std::begin(kOmitted), std::end(kOmitted), name) != std::end(kOmitted);
}

// "FILE" of bake is the rig; the arguments A and B of diff are "a" and "b".
std::string argument_name(const CLI::Option& option) {
  const std::string name = CLI::detail::to_lower(option.get_name(true));
  return name == "file" ? "rig" : name;
}

// Whether the option has the check of this name (options/choices.h).
bool has_check(CLI::Option& option, const std::string& name) {
  try {
    option.get_validator(name);
    return true;
  } catch (const CLI::OptionNotFound&) {
    return false;
  }
}

FileUse file_use_of(CLI::Option& option) {
  if (has_check(option, "writes") || has_check(option, "writes report")) return FileUse::kWrite;
  if (has_check(option, "reads")) return FileUse::kRead;
  return has_check(option, "may read") ? FileUse::kMayRead : FileUse::kNone;
}

ManifestKey key_of(CLI::Option& option) {
  ManifestKey key;
  key.is_argument = option.get_positional();
  key.name = key.is_argument ? argument_name(option) : option.get_lnames().front();
  key.help = option.get_description();
  key.is_flag = option.get_expected_max() == 0;
  key.joins = option.get_delimiter() == ',' || option.get_type_name().ends_with(",…");
  key.may_repeat =
      !key.joins && (option.get_trigger_on_parse() ||
                     option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll);
  if (key.name == "rig") key.may_repeat = true;  // a job for each
  key.is_required = option.get_required();
  key.file = file_use_of(option);
  key.is_report = has_check(option, "writes report");
  key.expands = has_check(option, "expands");
  return key;
}

ManifestCommand keys_of(CLI::App& command) {
  ManifestCommand keys{command.get_name(), {}};
  for (CLI::Option* option : command.get_options()) {
    if (!option->get_positional() && option->get_lnames().empty()) continue;
    ManifestKey key = key_of(*option);
    if (!is_omitted(key.name)) keys.keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace

std::vector<ManifestCommand> manifest_commands() {
  std::vector<ManifestCommand> commands;
  for (const CommandDefinition& command : command_definitions()) {
    if (std::find(std::begin(kJobCommands), std::end(kJobCommands), command.name) ==
        std::end(kJobCommands)) {
      continue;
    }
    CLI::App app;
    int exit_code = 0;
    commands.push_back(keys_of(add_command(app, command, exit_code)));
  }
  return commands;
}

namespace {

// A manifest of a million jobs has a few hundred MiB.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

[[noreturn]] void fail_size(const std::string& path) {
  throw Error("MANIFEST_INVALID", "is larger than 1 GiB; split the manifest", {path, ""});
}

std::string read_manifest(const std::string& path) {
  if (path != "-") {
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::status(path, unknown);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      throw Error("FILE_UNREADABLE",
                  std::string(std::filesystem::is_directory(status)
                                  ? "is a folder, not a manifest"
                                  : "is not a regular file, nor '-' for standard input"),
                  {path, ""});
    }
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    if (!unknown && size > kMostBytes) fail_size(path);
    return text_of_file(path, kMostBytes);
  }
  std::string text, chunk(std::size_t{1} << 20, '\0');
  while (std::cin && text.size() <= kMostBytes) {
    std::cin.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk, 0, static_cast<std::size_t>(std::cin.gcount()));
  }
  if (text.size() > kMostBytes) fail_size(path);
  return text;
}

// Throws if no command takes several values of the key.
void require_list(const Setting& first, const Setting& second,
                  const std::vector<ManifestCommand>& commands) {
  const bool takes_list =
      std::any_of(commands.begin(), commands.end(), [&](const ManifestCommand& command) {
        const ManifestKey* const key = command.find(first.key);
        return key != nullptr && (key->is_flag || key->takes_list());
      });
  if (takes_list) return;
  throw UsageError("--set", "'" + first.key + "' takes one value and is given twice, as '" +
                                first.values.front() + "' and '" + second.values.front() +
                                "'; leave one out");
}

std::vector<Setting> overrides_of(const std::vector<std::string>& set,
                                  const std::vector<ManifestCommand>& commands) {
  std::vector<Setting> overrides;
  for (const std::string& text : set) {
    Setting setting;
    try {
      setting = parse_setting(text, commands);
    } catch (const Error& error) {
      throw UsageError("--set", error.what());
    }
    const auto known = std::find_if(overrides.begin(), overrides.end(),
                                    [&](const Setting& other) { return other.key == setting.key; });
    if (known == overrides.end()) {
      overrides.push_back(std::move(setting));
    } else if (known->is_removed || setting.is_removed) {
      *known = std::move(setting);
    } else {
      require_list(*known, setting, commands);
      known->values.insert(known->values.end(), setting.values.begin(), setting.values.end());
    }
  }
  return overrides;
}

}  // namespace

void make_absolute(std::string& path) {
  if (path.empty() || path == "-") return;
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (!error) path = absolute.string();
}

void make_absolute(std::vector<ReportFile>& reports) {
  for (ReportFile& report : reports) make_absolute(report.path);
}

void open_batch(const std::string& path, const std::vector<std::string>& set,
                const std::vector<std::string>& only, Batch& batch) {
  const std::string text = read_manifest(path);
  const std::string name = path == "-" ? "standard input" : path;
  batch.manifest = parse_manifest(text, name, batch.commands);
  const std::vector<Setting> overrides = overrides_of(set, batch.commands);
  if (path != "-") batch.folder = std::filesystem::path(path).parent_path().string();
  if (!batch.folder.empty() && ::chdir(batch.folder.c_str()) != 0) {
    throw Error("FILE_UNREADABLE", "the folder of the manifest cannot be entered",
                {batch.folder, ""});
  }
  batch.plan.emplace(batch.manifest, batch.commands, overrides, only);
}

void require_tasks(const Batch& batch) {
  if (!batch.plan->tasks().empty()) return;
  throw Error("MANIFEST_INVALID",
              "has no task, so that nothing would be done; add a job, or check the script that "
              "wrote the manifest",
              {batch.manifest.path, "/jobs"});
}

}  // namespace skinbake::cli
