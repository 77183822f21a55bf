#include "modifier_options.h"

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

}  // namespace

void add_modifier_options(CLI::App& command, std::vector<Modifier>& modifiers) {
  for (const Option& option : kOptions) {
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
