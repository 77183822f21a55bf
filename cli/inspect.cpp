// skinbake inspect rig.glb

#include <memory>
#include <string>

#include "commands.h"
#include "console.h"
#include "load_options.h"
#include "output_paths.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

namespace {

struct InspectOptions {
  std::string rig;
  bool json = false;
  bool strict = false;
  LoadOptions load;
};

// Who asked for JSON has it of a refused file too; the error goes on to standard error.
Asset load_or_refuse(const InspectOptions& options) {
  try {
    return load_asset(options.rig, options.load);
  } catch (const Error& error) {
    const bool is_refused = error.kind() == ErrorKind::kInput;
    if (options.json && is_refused) print(refusal_json(error, shown(options.rig)));
    throw;
  }
}

void run_inspect(const InspectOptions& options) {
  const Asset asset = load_or_refuse(options);
  print(options.json ? inspect_json(asset) : inspect_text(asset));
  exit_code = strict_exit_code(options.strict, asset.issues);
}

}  // namespace

void setup_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      app.add_subcommand("inspect", "Show what is in a file and what is wrong with it");
  command->add_option("rig", options->rig, "glTF file: .gltf, .glb or .vrm")
      ->required()
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print JSON instead of text, of a refused file too");
  add_strict_option(*command, options->strict);
  add_load_options(*command, options->load);
  command->footer("Example:\n  skinbake inspect hero.glb --json");
  command->callback([options] { run_inspect(*options); });
}

}  // namespace skinbake::cli
