// Changes a glTF file as a custom mutator of libFuzzer does: by the meaning of its values instead
// of by its bytes.

#pragma once

#include <cstddef>
#include <cstdint>

namespace skinbake::fuzz {

// Replaces the file at `data` by a changed one of at most `max_size` bytes. Returns its size. Most
// results are consistent (repair.h). Bytes that are not a glTF file are changed as bytes.
std::size_t mutate_gltf(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed);

// Writes a file to `out` that has some parts of a second file. Returns its size; 0: none.
std::size_t cross_gltf(const std::uint8_t* a, std::size_t a_size, const std::uint8_t* b,
                       std::size_t b_size, std::uint8_t* out, std::size_t max_size, unsigned seed);

}  // namespace skinbake::fuzz
