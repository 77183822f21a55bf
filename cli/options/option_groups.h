// Groups of options that several commands share. The structs do not depend on CLI11, so that the
// files that run a command need not include it. Each `add_…` adds the named options to a command.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "options/frame_options.h"
#include "report/report.h"
#include "skinbake/gltf.h"
#include "skinbake/rig.h"
#include "terminal/console.h"

namespace CLI {
class App;
}

namespace skinbake::cli {

// Threads and verbosity, of every command that evaluates or reads frames.
struct CommonOptions {
  int threads = 0;  // 0: one for each processor
  bool quiet = false, verbose = false;
  When progress = When::kAuto;
  When color = When::kAuto;

  When bar() const { return quiet ? When::kNever : progress; }
};

// Adds --quiet and --verbose.
void add_verbosity_options(CLI::App& command, CommonOptions& common);
// Adds the same and --threads.
void add_thread_options(CLI::App& command, CommonOptions& common);
// Adds --color.
void add_color_option(CLI::App& command, CommonOptions& common);
// Adds the same and --progress.
void add_common_options(CLI::App& command, CommonOptions& common);

// Applies verbosity and colour to every message from now on.
void configure_console(const CommonOptions& common);

// Adds --bind-cache, a folder of bind-time results.
void add_bind_cache_option(CLI::App& command, std::string& folder);

// Adds --joint-params, --depfile, and --sync.
void add_joint_params_option(CLI::App& command, std::string& path);
void add_depfile_option(CLI::App& command, std::string& path);
void add_sync_option(CLI::App& command, bool& sync);

// Adds --max-memory, which limits the memory of the process.
void add_max_memory_option(CLI::App& command);

// Adds --scene, --max-memory and --allow-outside.
void add_load_options(CLI::App& command, LoadOptions& options);

// Adds --allow. `take` gets the codes of warnings.
void add_allow_option(CLI::App& command,
                      std::function<void(const std::vector<std::string>& codes)> take);
// Adds --strict and --allow.
void add_strict_option(CLI::App& command, bool& strict);

// Adds --fps, --frames, --max-frames, --loop and --space. `group`: a heading of the help or none.
void add_frame_options(CLI::App& command, FrameOptions& options, const std::string& group = "");

// Adds an option for a T-pose, --t-pose or --clip-t-pose.
void add_t_pose_option(CLI::App& command, const std::string& name, TPoseChoice& choice,
                       const std::string& help);

// Adds --fps alone. `help`: its text.
void add_fps_option(CLI::App& command, FrameOptions& options, const std::string& help);

// Adds --fps and --max-frames.
void add_rate_options(CLI::App& command, FrameOptions& options);

// Adds --influences, --weights, --profile and --twist. Each may be repeated; the modifiers are
// collected in the order of the command line. `variants`: --profile collects variants that are
// evaluated beside the unmodified rig; null: a profile is a modifier like the others.
void add_modifier_options(CLI::App& command, std::vector<Modifier>& modifiers,
                          std::vector<EngineProfile>* variants = nullptr);

// Adds --per-vertex; the default is the present value.
void add_per_vertex_option(CLI::App& command, PerVertex& per_vertex);

// Adds --error-matrix. `more`: the end of its help text.
void add_error_matrix_option(CLI::App& command, std::string& path, const std::string& more = "");

// Adds --precision single|half.
void add_precision_option(CLI::App& command, bool& half);

// Adds --explain. `errors`: "errors of each method". `group`: a heading of the help or none.
void add_explain_option(CLI::App& command, int& vertices, const std::string& errors,
                        const std::string& group = "");

}  // namespace skinbake::cli
