#include "outputs/depfile.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "skinbake/error.h"

namespace skinbake::cli {

namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ';
}

// A backslash is an ordinary character, except at the end and before these characters, which it
// would protect.
bool has_protecting_backslash(const std::string& name) {
  constexpr std::string_view kProtected = " #:*?[%";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_last = i + 1 == name.size();
    if (name[i] == '\\' && (is_last || kProtected.find(name[i + 1]) != std::string_view::npos)) {
      return true;
    }
  }
  return false;
}

// Why Make cannot read the name; empty: it can. ';' starts a command, '=' makes an assignment, '|'
// divides prerequisites. Names may be from untrusted files.
std::string obstacle_of(const std::string& name) {
  for (const char c : name) {
    if (is_control(c)) return "a control character";
    if (c == '=' || c == ';' || c == '|') return {'\'', c, '\''};
  }
  return has_protecting_backslash(name) ? "a backslash at its end, or before a sign" : "";
}

void require_possible(const std::string& name) {
  const std::string cause = obstacle_of(name);
  if (cause.empty()) return;
  throw Error("DEPFILE_NAME", "a Make rule cannot contain a name with " + cause, {name, ""});
}

// `special`: characters that a backslash protects.
std::string escaped(const std::string& name, std::string_view special) {
  std::string text;
  for (const char c : name) {
    if (special.find(c) != std::string_view::npos) text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

// A name for both tools. Ninja takes a backslash before '[' for a part of the name, and does not
// read names with '*' or '?' at all. Make reads a lone '[' as it is, unless another file matches it
// as a pattern.
std::string of_depfile(const std::string& name, const char* also_special = "") {
  const bool is_for_make = name.find_first_of("*?") != std::string::npos;
  return escaped(name, std::string(is_for_make ? " #:*?[" : " #:") + also_special);
}

// Whether a target of this name is a file for Make, and not a setting (".IGNORE") or a member of an
// archive ("a(b)").
bool make_takes_as_file(const std::string& name) {
  const std::string_view last = std::string_view(name).substr(name.rfind('/') + 1);
  return obstacle_of(name).empty() && !last.starts_with('.') && !last.ends_with(')');
}

// Whether Ninja reads the name in a depfile. It splits names at quotes, '&' and other characters,
// which it cannot be told to keep.
bool ninja_reads(const std::string& name) {
  constexpr std::string_view kSeparators = "\"&'*;<>?^`|\x7f";
  return name.find_first_of(kSeparators) == std::string::npos && !name.ends_with(':') &&
         std::none_of(name.begin(), name.end(), is_control) && !has_protecting_backslash(name);
}

// Whether a rule for the name alone is read by both tools. Make would take '%' for a pattern, and
// Ninja a backslash before it for a part of the name.
bool can_have_rule(const std::string& name) {
  return make_takes_as_file(name) && ninja_reads(name) && name.find('%') == std::string::npos;
}

}  // namespace

std::string depfile_text(const std::vector<std::string>& outputs,
                         const std::vector<std::string>& inputs) {
  std::string text, rules;
  for (const std::string& output : outputs) {
    require_possible(output);
    text += of_depfile(output, "%") + " ";
  }
  text += ":";
  std::set<std::string> known;
  for (const std::string& input : inputs) {
    require_possible(input);
    text += " " + of_depfile(input);
    if (known.insert(input).second && can_have_rule(input)) rules += of_depfile(input) + ":\n";
  }
  return text + "\n" + rules;
}

}  // namespace skinbake::cli
