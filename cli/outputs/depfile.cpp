#include "outputs/depfile.h"

#include <string_view>

#include "arguments/command_files.h"
#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

// Throws if a name contains characters that Make cannot escape: ';' starts a command, '=' makes an
// assignment, '%' a pattern rule. Names may be from untrusted files.
void require_possible(const std::string& name, bool is_target) {
  for (const char c : name) {
    const bool is_control = static_cast<unsigned char>(c) < ' ';
    if (!is_control && c != '=' && c != ';' && c != '|' && !(is_target && c == '%')) continue;
    throw Error(ErrorKind::kOutput, "DEPFILE_NAME",
                "a Make rule cannot contain a name with " +
                    (is_control ? std::string("a control character") : std::string{'\'', c, '\''}) +
                    "; rename the file, or omit --depfile",
                {name, ""});
  }
}

std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (std::string_view(" #:*?[]").find(c) != std::string_view::npos) text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

std::string make_name(const std::string& name, bool is_target) {
  require_possible(name, is_target);
  return escaped(name);
}

std::string depfile_text(const std::vector<std::string>& outputs,
                         const std::vector<std::string>& inputs) {
  std::string text;
  for (const std::string& output : outputs) {
    text += make_name(output, true) + " ";
  }
  text += ":";
  for (const std::vector<std::string>* files : {&inputs, &command_files()}) {
    for (const std::string& input : *files) text += " " + make_name(input, false);
  }
  return text + "\n";
}

}  // namespace skinbake::cli
