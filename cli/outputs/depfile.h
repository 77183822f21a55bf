// Rules for Make and Ninja: names as each of the two reads them, and depfiles, which both read.

#pragma once

#include <string>
#include <vector>

namespace skinbake::cli {

// A name as a rule of a makefile must spell it. Throws Error (kOutput, DEPFILE_NAME) for names that
// Make cannot read however they are spelled.
std::string make_target(const std::string& name);
std::string make_prerequisite(const std::string& name);

// Whether a rule of Make can contain the name.
bool make_reads(const std::string& name);

// Whether a target of this name is a file for Make, and not a setting (".IGNORE") or a member of an
// archive ("a(b)").
bool make_takes_as_file(const std::string& name);

// Whether Ninja reads the name in a depfile. It splits names at quotes, '&' and other characters,
// which it cannot be told to keep.
bool ninja_reads(const std::string& name);

// The text of a depfile: a rule from the outputs to the inputs and to the files of the command
// line. A rule without prerequisites follows for each input that both tools can read, as by gcc
// -MP: without it, Make would not run the command if an input is missing. Throws Error (kOutput,
// DEPFILE_NAME).
std::string depfile_text(const std::vector<std::string>& outputs,
                         const std::vector<std::string>& inputs);

}  // namespace skinbake::cli
