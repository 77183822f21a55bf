#include "arguments/config_file.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "arguments/command_files.h"
#include "arguments/config_text.h"
#include "base/nearest_word.h"
#include "options/parsing/parse_messages.h"
#include "options/parsing/usage_error.h"
#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

constexpr const char* kCode = "CONFIG_INVALID";
constexpr const char* kOption = "--config";
constexpr const char* kHelp =
    "Read options from a TOML file; options of the command line replace them";

std::vector<CLI::ConfigItem> items_of(const std::string& path) {
  CLI::ConfigTOML reader;
  reader.comment('\0');  // comments are removed before
  std::istringstream text(plain_config(read_command_file(path, kCode), path));
  return reader.from_config(text);
}

// The names that keys may have: "method".
std::vector<std::string> keys_of(const CLI::App& command) {
  std::vector<std::string> keys;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    if (name != "help" && name != "config") keys.push_back(name);
  }
  return keys;
}

// Sets the options of one command from one file. `batch merge` takes those keys of batch that it
// has, so that the file of a batch is that of its merge.
class Config {
 public:
  Config(const std::string& path, const CLI::App& app, CLI::App& outer, CLI::App& command)
      : path_(path), app_(app), outer_(outer), command_(command), keys_(keys_of(outer)) {}

  void apply() {
    for (const CLI::ConfigItem& item : items_of(path_)) {
      const bool is_mark = item.name == "++" || item.name == "--";  // of a section
      if (!item.parents.empty()) require_command(item.parents.front());
      const bool concerns = item.parents.empty() || item.parents.front() == outer_.get_name();
      if (!is_mark && concerns) set(item);
    }
  }

 private:
  void require_command(const std::string& name) const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::string nearest = did_you_mean(name, names);
    fail("/" + name, "is not a command" + (nearest.empty() ? "; see skinbake --help" : nearest));
  }

  void set(const CLI::ConfigItem& item) {
    if (std::find(keys_.begin(), keys_.end(), item.name) == keys_.end()) {
      const std::string nearest = did_you_mean(item.name, keys_);
      fail("/" + item.name, "is not an option of skinbake " + outer_.get_name() +
                                (nearest.empty() ? "; see its --help" : nearest));
    }
    if (!set_.insert(item.name).second) {
      fail("/" + item.name, "is given twice; leave one out, or write a list");
    }
    CLI::Option* const option = command_.get_option_no_throw("--" + item.name);
    if (option == nullptr || option->count() > 0) return;  // the command line goes before
    if (option->get_expected_max() == 0) return set_flag(item, *option);
    set_values(item, *option);
  }

  void set_flag(const CLI::ConfigItem& item, CLI::Option& option) {
    const std::string value = item.inputs.size() == 1 ? item.inputs.front() : "";
    if (value != "true" && value != "false")
      fail("/" + item.name, "takes true or false; write one of them");
    if (value == "true") run(item, option.add_result("true"));
  }

  void set_values(const CLI::ConfigItem& item, CLI::Option& option) {
    const std::vector<std::string>& values = item.inputs;
    if (values.empty() || (values.size() == 1 && values.front().empty())) {
      fail("/" + item.name, "has no value; write one after '='");
    }
    const bool is_list = option.get_trigger_on_parse() || option.get_delimiter() != '\0' ||
                         option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (values.size() > 1 && !is_list) {
      fail("/" + item.name, "takes one value; write it in quotes");
    }
    if (!option.get_trigger_on_parse()) return run(item, option.add_result(values));
    for (const std::string& value : values) {
      option.clear();
      run(item, option.add_result(value));
    }
  }

  // Checks the values and stores them, as CLI11 does for those of the command line.
  void run(const CLI::ConfigItem& item, CLI::Option* option) {
    try {
      option->run_callback();
    } catch (const CLI::ParseError& error) {
      refuse(item, parse_message(command_, {}, error));
    } catch (const UsageError& error) {
      refuse(item, error.what());
    }
  }

  [[noreturn]] void refuse(const CLI::ConfigItem& item, const std::string& message) const {
    fail("/" + item.name, message + "; see skinbake " + command_.get_name() + " --help");
  }

  [[noreturn]] void fail(const std::string& key, const std::string& message) const {
    throw Error(ErrorKind::kInput, kCode, message, {path_, key});
  }

  const std::string& path_;
  const CLI::App& app_;
  const CLI::App& outer_;
  CLI::App& command_;
  std::vector<std::string> keys_;
  std::set<std::string> set_;  // the keys so far
};

void apply_config(const std::string& path, const CLI::App& app) {
  const auto wants_help = [](const CLI::App& command) {
    return command.get_help_ptr() != nullptr && command.get_help_ptr()->count() > 0;
  };
  for (CLI::App* outer : app.get_subcommands()) {
    const std::vector<CLI::App*> inner = outer->get_subcommands();
    CLI::App& command = inner.empty() ? *outer : *inner.front();
    if (wants_help(*outer) || wants_help(command)) return;
    Config(path, app, *outer, command).apply();
  }
}

}  // namespace

void add_config_option(CLI::App& app) {
  // CLI11 runs the callbacks of the program's options before those of the command's, so that the
  // values of the file are there when these run.
  app.add_option_function<std::string>(
         kOption, [&app](const std::string& path) { apply_config(path, app); }, kHelp)
      ->type_name("FILE");
}

void add_config_option(CLI::App& app, CLI::App& command) {
  command
      .add_option_function<std::string>(
          kOption,
          [&app](const std::string& path) {
            CLI::Option* const of_program = app.get_option(kOption);
            if (of_program->count() > 0) throw UsageError(kOption, "given 2 times; give it once");
            of_program->add_result(path);
          },
          kHelp)
      ->trigger_on_parse()
      ->type_name("FILE");
  for (CLI::App* const inner : command.get_subcommands({})) add_config_option(app, *inner);
}

}  // namespace skinbake::cli
