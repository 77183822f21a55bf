// Command lines as inputs of a fuzzer: one word in each line of a text.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace skinbake::fuzz {

using Words = std::vector<std::string>;

// All commands with their options, of which command lines are made.
const CLI::App& all_commands();

// The words of a text, at most 24. They have no '/', so that every path is in the working
// directory. Empty: the first word is not a command.
Words words_of(const std::uint8_t* data, std::size_t size);

// Replaces the text at `data` by a changed one of at most `max_size` bytes, as a custom mutator of
// libFuzzer does: adds options that the command has, with values that they may take, removes and
// changes words, and begins other lines. Returns its size.
std::size_t mutate_words(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);

}  // namespace skinbake::fuzz
