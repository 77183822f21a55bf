// skinbake inspect rig.glb

#include <memory>
#include <string>

#include "commands.h"
#include "console.h"
#include "load_options.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

namespace {

struct InspectOptions {
  std::string rig;
  bool json = false;
  bool strict = false;
  LoadOptions load;
};

void run_inspect(const InspectOptions& options) {
  const Asset asset = load_asset(options.rig, options.load);
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
  command->add_flag("--json", options->json, "Print JSON instead of text");
  add_strict_option(*command, options->strict);
  add_load_options(*command, options->load);
  command->footer("Example:\n  skinbake inspect hero.glb --json");
  command->callback([options] { run_inspect(*options); });
}

}  // namespace skinbake::cli
