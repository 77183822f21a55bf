// The manifest of a batch: a JSON file of jobs whose keys are the long options of a command.
// The manual of `batch` in cli/README.md describes its layout.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace skinbake {

// What a command does with the files that the values of a key name.
enum class FileUse {
  kNone,
  kRead,     // each value is a file or a folder
  kMayRead,  // a value may name a file: a clip "run.glb#Run", a reference "golden.pc2"
  kWrite,
};

// A key of a job: an option or a positional argument of a command.
struct ManifestKey {
  std::string name;       // "method": the long option without "--", or the name of the argument
  std::string help = {};  // one sentence
  bool is_argument = false;
  bool is_flag = false;     // its value is true or false
  bool may_repeat = false;  // its value may be a list
  bool joins = false;       // a list is one value, its elements separated by commas
  bool is_required = false;
  FileUse file = FileUse::kNone;
  bool is_report = false;  // a value is "[FORM:]FILE"
  bool expands = false;    // the command replaces {mesh}, {clip} and {method} in the value

  bool takes_list() const { return may_repeat || joins; }
  std::string path_of(const std::string& value) const;  // of the file that a value names
};

// A command that jobs can name.
struct ManifestCommand {
  std::string name;
  std::vector<ManifestKey> keys;

  const ManifestKey* find(std::string_view key) const;  // null: the command does not have the key
};

// The key of this name of the first command that takes a list there, else of the first command with
// the key. Null: no command has the key.
const ManifestKey* find_key(std::span<const ManifestCommand> commands, std::string_view name);

// A key with its values as text. A flag that is set has none.
struct Setting {
  std::string key;
  std::vector<std::string> values;
  bool is_removed = false;  // null or false: removes the key from the settings that it replaces
};

struct ManifestJob {
  std::string name;     // unique
  std::string command;  // one of the commands
  std::vector<Setting> settings;
};

struct Manifest {
  std::string path;  // for messages
  std::vector<Setting> defaults;
  std::vector<ManifestJob> jobs;
};

// Parses the text of a manifest. `path` is its name in messages. Throws Error (kInput):
// MANIFEST_INVALID if the text is not JSON, for an unknown key, with the nearest key,
// for a value of a wrong type, and for two jobs of one name. A default need only fit one of the
// commands: see misfit().
Manifest parse_manifest(std::string_view text, const std::string& path,
                        std::span<const ManifestCommand> commands);

// The settings of a job, in the order of the manifest: the defaults that its command has and that
// the job does not give, then its own, then `overrides`, which replace both; without removed keys.
std::vector<Setting> settings_of(const Manifest& manifest, const ManifestJob& job,
                                 const ManifestCommand& command,
                                 std::span<const Setting> overrides);

// What the key of a command takes instead of this setting: "takes one value". Empty: the setting
// fits the key.
std::string misfit(const ManifestKey& key, const Setting& setting);

// The setting of "KEY=VALUE" on a command line: VALUE is a text, a JSON list of texts and numbers,
// or null, which removes the key. A flag is "KEY", "KEY=true" or "KEY=false". Throws Error (kUsage,
// MANIFEST_INVALID) if no command has the key, or if the value fits the key of none.
Setting parse_setting(const std::string& text, std::span<const ManifestCommand> commands);

// The values of a key; null: it is not set.
const std::vector<std::string>* find_values(std::span<const Setting> settings,
                                            std::string_view key);

// The JSON Schema (draft 2020-12) of manifests with these commands.
std::string manifest_schema(std::span<const ManifestCommand> commands);

}  // namespace skinbake
