#include "options/option_groups.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <system_error>

#include "base/nearest_word.h"
#include "inspect/inspect.h"
#include "memory_limit.h"
#include "options/choices.h"
#include "options/file_kinds.h"
#include "options/usage_error.h"
#include "skinbake/metrics.h"
#include "terminal/format.h"

namespace skinbake::cli {

namespace {

const std::vector<std::pair<std::string, When>>& whens() {
  static const std::vector<std::pair<std::string, When>> kWhens{
      {"auto", When::kAuto}, {"always", When::kAlways}, {"never", When::kNever}};
  return kWhens;
}

}  // namespace

void add_thread_options(CLI::App& command, CommonOptions& common) {
  command.add_option("--threads", common.threads, "Number of threads; 0: one for each processor")
      ->check(whole(0, 1024))
      ->type_name("N")
      ->capture_default_str();
  add_verbosity_options(command, common);
}

void add_verbosity_options(CLI::App& command, CommonOptions& common) {
  command.add_flag("-q,--quiet", common.quiet, "Print errors only");
  command.add_flag("-v,--verbose", common.verbose, "Also print informational messages");
}

void add_color_option(CLI::App& command, CommonOptions& common) {
  add_choice<When>(command, "--color", common.color, whens(),
                   "Colour messages; auto: on a terminal, unless NO_COLOR is set", "auto");
}

void add_common_options(CLI::App& command, CommonOptions& common) {
  add_thread_options(command, common);
  add_choice<When>(command, "--progress", common.progress, whens(),
                   "Show progress on standard error", "auto");
  add_color_option(command, common);
}

void configure_console(const CommonOptions& common) {
  configure_console(common.quiet     ? Verbosity::kQuiet
                    : common.verbose ? Verbosity::kVerbose
                                     : Verbosity::kNormal,
                    common.color);
}

namespace {

// The number of bytes of "512M". CLI11's message lists 24 spellings of units, it converts "-1" to
// the largest unsigned number, and it leaves a number without a unit as it is.
std::optional<std::uint64_t> bytes_of(std::string text) {
  if (text.starts_with('-')) return {};
  try {
    if (!CLI::AsSizeValue(false)(text).empty()) return {};
  } catch (const CLI::ValidationError&) {  // the unit is unknown
    return {};
  }
  std::uint64_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, bytes);
  if (error != std::errc() || rest != end) return {};
  return bytes;
}

// Replaces "512M" by the number of bytes.
std::string as_bytes(std::string& text) {
  const std::optional<std::uint64_t> bytes = bytes_of(text);
  if (!bytes) return "'" + text + "' is not a size; write bytes, or a number and K, M or G: 2G";
  text = std::to_string(*bytes);
  return "";
}

}  // namespace

void add_bind_cache_option(CLI::App& command, std::string& folder) {
  command
      .add_option("--bind-cache", folder,
                  "Folder that keeps precomputed data of cor and ddm for later runs")
      ->check(check_not_empty)
      ->type_name("DIR");
}

void add_joint_params_option(CLI::App& command, std::string& path) {
  command
      .add_option("--joint-params", path,
                  "JSON file of joint parameters for sbs-core to sbs-conic: {\"elbow\": {\"r0\": "
                  "0.05, \"s\": 0.5}}")
      ->check(reads_file())
      ->type_name("FILE");
}

void add_depfile_option(CLI::App& command, std::string& path) {
  command
      .add_option(
          "--depfile", path,
          "Write a dependency file for Make and Ninja: the outputs and the files that were read")
      ->check(writes_file())
      ->type_name("PATH");
}

void add_sync_option(CLI::App& command, bool& sync) {
  command.add_flag("--sync", sync,
                   "Flush every output to disk (fsync) before it replaces an older file");
}

void add_max_memory_option(CLI::App& command) {
  command
      .add_option_function<std::uint64_t>("--max-memory", limit_memory,
                                          "Memory limit of the run: bytes, or 512M, 2G")
      ->transform(CLI::Validator(as_bytes, ""))
      ->type_name("SIZE")
      ->default_str("4G");
}

void add_load_options(CLI::App& command, LoadOptions& options) {
  command
      .add_option("--scene", options.scene,
                  "Scene to evaluate: its name or index; default: the file's default scene")
      ->check(check_not_empty)
      ->type_name("NAME|INDEX");
  add_max_memory_option(command);
  command.add_flag("--allow-outside", options.allow_outside,
                   "Trust the file: also read buffers outside its folder");
}

namespace {

void require_warning(const std::string& code) {
  const std::vector<std::string> codes = warning_codes();
  if (std::find(codes.begin(), codes.end(), code) != codes.end()) return;
  const std::string nearest = nearest_word(code, codes);
  throw UsageError("--allow", "'" + code + "' is not the code of a warning" +
                                  (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
}

}  // namespace

void add_allow_option(CLI::App& command,
                      std::function<void(const std::vector<std::string>& codes)> take) {
  repeatable(command
                 .add_option_function<std::vector<std::string>>(
                     "--allow",
                     [take = std::move(take)](const std::vector<std::string>& codes) {
                       for (const std::string& code : codes) require_warning(code);
                       take(codes);
                     },
                     "Accept a warning by its code (NO_VOLUME): not printed, ignored by --strict; "
                     "repeatable")
                 ->type_name("CODE"));
}

void add_strict_option(CLI::App& command, bool& strict) {
  command.add_flag("--strict", strict, "Exit 1 if there is a warning");
  add_allow_option(command, allow_warnings);
}

namespace {

CLI::Option* add_fps(CLI::App& command, FrameOptions& options, const std::string& help) {
  return command
      .add_option_function<std::string>(
          "--fps", [&options](const std::string& text) { set_fps(text, options); }, help)
      ->type_name("F|N/D|clip")
      ->default_str(fmt::format("{}", options.fps));
}

constexpr const char* kFpsHelp =
    "Frames per second; clip: the lowest usual rate with a frame at every key";

CLI::Option* add_max_frames(CLI::App& command, FrameOptions& options) {
  return command
      .add_option("--max-frames", options.max_frames, "Refuse clips that have more frames")
      ->check(whole(1, 2147483647))
      ->type_name("N")
      ->capture_default_str();
}

std::vector<CLI::Option*> add_all(CLI::App& command, FrameOptions& options) {
  std::vector<CLI::Option*> added{add_fps(command, options, kFpsHelp)};
  added.push_back(command
                      .add_option("--frames", options.frames,
                                  "Frames A to B, both included, every STEP-th; 'A:' is to the "
                                  "end; default: all")
                      ->type_name("A[:[B][:STEP]]"));
  added.push_back(add_max_frames(command, options));
  added.push_back(
      command.add_flag("--loop", options.loop, "Omit the last frame, which repeats the first"));
  added.push_back(add_choice<Space>(
      command, "--space", options.space, {{"scene", Space::kScene}, {"mesh", Space::kMesh}},
      "Coordinate system of positions: the scene's or the mesh node's", "scene"));
  return added;
}

}  // namespace

void add_frame_options(CLI::App& command, FrameOptions& options, const std::string& group) {
  for (CLI::Option* option : add_all(command, options)) {
    if (!group.empty()) option->group(group);
  }
}

void add_fps_option(CLI::App& command, FrameOptions& options, const std::string& help) {
  add_fps(command, options, help);
}

namespace {

// Reads "auto", "rest", "clip:NAME" or "clip:NAME@SECONDS". Throws UsageError.
TPoseChoice t_pose_of(const std::string& option, const std::string& text) {
  if (text == "auto") return {TPoseSource::kAuto};
  if (text == "rest") return {TPoseSource::kRest};
  const std::string prefix = "clip:";
  if (!text.starts_with(prefix) || text.size() == prefix.size()) {
    throw UsageError(option, "'" + text + "' is not one of auto|rest|clip:NAME[@SECONDS]");
  }
  TPoseChoice choice{TPoseSource::kClip, text.substr(prefix.size())};
  const std::size_t at = choice.clip.rfind('@');
  if (at == std::string::npos) return choice;
  const std::optional<double> seconds = finite_number(choice.clip.substr(at + 1));
  if (!seconds) return choice;  // the name contains '@'
  choice.time_s = *seconds;
  choice.clip.resize(at);
  return choice;
}

}  // namespace

void add_t_pose_option(CLI::App& command, const std::string& name, TPoseChoice& choice,
                       const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [&choice, name](const std::string& text) { choice = t_pose_of(name, text); }, help)
      ->type_name("auto|rest|clip:NAME[@SECONDS]");
}

void add_rate_options(CLI::App& command, FrameOptions& options) {
  add_fps(command, options, kFpsHelp);
  add_max_frames(command, options);
}

namespace {

struct ModifierOption {
  const char* name;
  const char* value;
  const char* help;
};

constexpr ModifierOption kModifierOptions[] = {
    {"influences", "N[:fit[=CLIP,…]]",
     "Keep the N largest influences of each vertex; fit: the N that best reproduce the motion in "
     "CLIPs"},
    {"weights", "u8|u16", "Store weights in 8 or 16 bits; their sum is 255 or 65535"},
    {"profile", "NAME",
     "Apply the limits of an engine: unity-1, unity-2, unity-4, unreal-4 or unreal-8"},
    {"twist", "JOINT[:n=3,from=child|self]",
     "Distribute the twist of JOINT or its child over n helper joints; auto: arms and legs, by "
     "name"}};

bool is_profile(const ModifierOption& option) {
  return std::string_view(option.name) == "profile";
}

void add_profile(const EngineProfile& profile, std::vector<EngineProfile>& profiles) {
  for (const EngineProfile& other : profiles) {
    if (other.id != profile.id) continue;
    throw UsageError("--profile", std::string(profile.id) + " is given twice");
  }
  profiles.push_back(profile);
}

// --profile of compare: a variant of every method.
void add_profile_option(CLI::App& command, std::vector<EngineProfile>& profiles) {
  const ModifierOption& option =
      *std::find_if(std::begin(kModifierOptions), std::end(kModifierOptions), is_profile);
  command
      .add_option_function<std::string>(
          std::string("--") + option.name,
          [&profiles](const std::string& value) {
            add_profile(std::get<EngineProfile>(parse_modifier("profile", value)), profiles);
          },
          "Also evaluate each method within the limits of unity-1, unity-2, unity-4, unreal-4 or "
          "unreal-8")
      ->trigger_on_parse()
      ->type_name(option.value);
}

}  // namespace

void add_modifier_options(CLI::App& command, std::vector<Modifier>& modifiers,
                          std::vector<EngineProfile>* variants) {
  if (variants != nullptr) add_profile_option(command, *variants);
  for (const ModifierOption& option : kModifierOptions) {
    if (variants != nullptr && is_profile(option)) continue;
    command
        .add_option_function<std::string>(
            std::string("--") + option.name,
            [&modifiers, name = option.name](const std::string& value) {
              modifiers.push_back(parse_modifier(name, value));
            },
            option.help)
        ->trigger_on_parse()  // their order on the command line counts
        ->type_name(option.value)
        ->group("Rig modifiers (in the order given)");
  }
}

void add_per_vertex_option(CLI::App& command, PerVertex& per_vertex) {
  add_choice<PerVertex>(
      command, "--per-vertex", per_vertex,
      {{"json", PerVertex::kJson}, {"npy", PerVertex::kNpy}, {"none", PerVertex::kNone}},
      "Store each vertex's errors; json: in the report; npy: in files beside it",
      per_vertex == PerVertex::kJson ? "json" : "none");
}

void add_error_matrix_option(CLI::App& command, std::string& path, const std::string& more) {
  const auto check_npy_file = [](const std::string& file) {
    return is_array_file(file) ? std::string() : std::string("must be a .npy file");
  };
  CLI::Option* const option =
      command
          .add_option("--error-matrix", path,
                      "Write errors in metres as a NumPy array (frames, vertices)" + more)
          ->check(check_npy_file)
          ->check(writes_file())
          ->type_name("FILE.npy");
  if (!more.empty()) option->check(expands());
}

void add_precision_option(CLI::App& command, bool& half) {
  add_choice<bool>(
      command, "--precision", half, {{"single", false}, {"half", true}},
      "Floating-point precision of the cache, if its format has several (skinbake list formats)",
      "single");
}

void add_explain_option(CLI::App& command, int& vertices, const std::string& errors,
                        const std::string& group) {
  CLI::Option* const option =
      command
          .add_option("--explain", vertices,
                      "Explain the N largest " + errors +
                          ": which joints influence the vertex, and why it moved")
          ->check(whole(1, 1000))
          ->type_name("N");
  if (!group.empty()) option->group(group);
}

}  // namespace skinbake::cli
