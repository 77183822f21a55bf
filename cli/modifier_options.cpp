#include "modifier_options.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace skinbake::cli {

namespace {

struct Option {
  const char* name;
  const char* value;
  const char* help;
};

constexpr Option kOptions[] = {
    {"influences", "N", "Keep the N largest influences of each vertex"},
    {"weights", "u8|u16", "Store weights as 8 or 16 bits whose sum is 255 or 65535"},
    {"profile", "NAME",
     "What an engine does to weights: unity-1, unity-2 and unity-4 keep so many influences, "
     "unreal-4 and unreal-8 also store them as u8"},
    {"twist", "JOINT[:n=3,from=child|self]",
     "Split a bone's twist over helper joints along it: n between its ends; from=child: the twist "
     "of the next joint (forearm), from=self: the joint's own (upper arm); 'auto[:n=3]': upper and "
     "lower arms and legs that are known by their names"}};

bool is_profile(const Option& option) {
  return std::string_view(option.name) == "profile";
}

void add_profile(const EngineProfile& profile, std::vector<EngineProfile>& profiles) {
  for (const EngineProfile& other : profiles) {
    if (other.id != profile.id) continue;
    throw CLI::ValidationError("--profile", std::string(profile.id) + " is there twice");
  }
  profiles.push_back(profile);
}

// Each with every method.
void add_profile_option(CLI::App& command, std::vector<EngineProfile>& profiles) {
  const Option& option = *std::find_if(std::begin(kOptions), std::end(kOptions), is_profile);
  command
      .add_option_function<std::string>(
          std::string("--") + option.name,
          [&profiles](const std::string& value) {
            add_profile(std::get<EngineProfile>(parse_modifier("profile", value)), profiles);
          },
          std::string("Every method also so, as METHOD@NAME, beside the rig as it is; may be ") +
              "repeated. " + option.help)
      ->trigger_on_parse()
      ->type_name(option.value);
}

}  // namespace

void add_modifier_options(CLI::App& command, std::vector<Modifier>& modifiers,
                          std::vector<EngineProfile>* side_by_side) {
  if (side_by_side != nullptr) add_profile_option(command, *side_by_side);
  for (const Option& option : kOptions) {
    if (side_by_side != nullptr && is_profile(option)) continue;
    command
        .add_option_function<std::string>(
            std::string("--") + option.name,
            [&modifiers, name = option.name](const std::string& value) {
              modifiers.push_back(parse_modifier(name, value));
            },
            option.help)
        ->trigger_on_parse()  // each when it is met: their order on the command line counts
        ->type_name(option.value)
        ->group("Rig modifiers (in the order given)");
  }
}

}  // namespace skinbake::cli
