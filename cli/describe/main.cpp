// Writes the manual pages and the completions of shells into a folder, laid out as below the
// `share` of an installation. The build runs it.
//
//   skinbake_describe FOLDER

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "describe/commands.h"
#include "describe/completions.h"
#include "describe/man_page.h"

namespace {

bool write(const std::filesystem::path& path, const std::string& text) {
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) std::fprintf(stderr, "skinbake_describe: cannot write %s\n", path.c_str());
  return static_cast<bool>(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: skinbake_describe FOLDER\n");
    return 2;
  }
  namespace cli = skinbake::cli;
  const std::filesystem::path share = argv[1];
  const auto commands = cli::described_commands();
  bool is_written =
      write(share / "bash-completion/completions/skinbake", cli::bash_completion(commands)) &&
      write(share / "zsh/site-functions/_skinbake", cli::zsh_completion(commands)) &&
      write(share / "fish/vendor_completions.d/skinbake.fish", cli::fish_completion(commands));
  for (const cli::DescribedCommand& command : commands) {
    is_written = is_written && write(share / "man/man1" / cli::man_page_name(command),
                                     cli::man_page(command, commands));
  }
  return is_written ? 0 : 1;
}
