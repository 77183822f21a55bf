// skinbake inspect rig.glb

#include <memory>
#include <string>

#include "commands.h"
#include "console.h"
#include "skinbake/skinbake.h"

namespace skinbake::cli {

namespace {

struct InspectOptions {
  std::string rig;
  LoadOptions load;
  bool json = false;
};

void run_inspect(const InspectOptions& options) {
  const Asset asset = load_asset(options.rig, options.load);
  print(options.json ? inspect_json(asset) : inspect_text(asset));
}

}  // namespace

void setup_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* command =
      app.add_subcommand("inspect", "Show what is in a file and what is wrong with it");
  command->add_option("rig", options->rig, "glTF file: .gltf, .glb or .vrm")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--scene", options->load.scene,
                   "Scene: its name or number; default: the file's own choice")
      ->check([](const std::string& name) { return name.empty() ? "must not be empty" : ""; })
      ->type_name("NAME|INDEX");
  command->add_flag("--json", options->json, "Print JSON instead of text");
  command->footer("Example:\n  skinbake inspect hero.glb --json");
  command->callback([options] { run_inspect(*options); });
}

}  // namespace skinbake::cli
