// The JSON and the accessors of a GLB, read as untrusted input: every number is checked for its
// range, every index for its array, and every byte range for the file.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/containers.h"
#include "base/random_access_file.h"
#include "caches/glb/encoding.h"

namespace skinbake {

// A function that throws an Error which names an element of the file and the cause.
using GlbErrorThrower = std::function<void(const std::string& element, const std::string& cause)>;

// The offset in the file of the JSON text, which is the first chunk.
inline constexpr std::uint64_t kGlbJsonOffset = kGlbHeaderBytes + kGlbChunkHeaderBytes;

// The JSON and the accessors of one GLB. `owner`, in all functions, names the object that is read,
// for messages.
class GlbDocument {
 public:
  // The binary chunk is the `bin_bytes` bytes of the file from `bin_offset` on.
  GlbDocument(nlohmann::json json, std::uint64_t bin_offset, std::uint64_t bin_bytes,
              GlbErrorThrower throw_error);

  const nlohmann::json& root() const { return json_; }

  // A required member of an object.
  const nlohmann::json& member(const nlohmann::json& object, const char* name,
                               const std::string& owner) const;
  const nlohmann::json& array(const nlohmann::json& object, const char* name,
                              const std::string& owner) const;
  // An integer from 0 to `max`.
  std::uint64_t integer(const nlohmann::json& object, const char* name, std::uint64_t max,
                        const std::string& owner) const;

  // An accessor whose bytes are in the file. It is dense, or sparse without a bufferView.
  struct Accessor {
    bool is_float = true;              // false: normalized int16
    std::uint64_t count = 0;           // elements
    std::uint64_t stride = 0;          // bytes from one element to the next
    std::uint64_t values_offset = 0;   // in the file
    std::uint64_t stream_bytes = 0;    // of the meshopt stream of the values; 0: not compressed
    std::uint64_t sparse_count = 0;    // listed elements; 0: the accessor is dense
    std::uint64_t indices_offset = 0;  // in the file; of the listed elements
    std::uint64_t index_bytes = 0;     // of one index

    std::uint64_t stored_count() const { return sparse_count == 0 ? count : sparse_count; }
  };
  Accessor scalars(std::uint64_t index, const std::string& owner) const;    // floats
  Accessor texcoords(std::uint64_t index, const std::string& owner) const;  // floats
  // VEC3 of floats, or of int16 if the file is quantized.
  Accessor positions(std::uint64_t index, const std::string& owner) const;
  // VEC3 of normals, and of displacements of tangents: floats, or int16 if the file is quantized. A
  // quantized file may contain both types.
  Accessor directions(std::uint64_t index, const std::string& owner) const;
  // VEC4, of floats, or of int16 if the file is quantized.
  Accessor tangents(std::uint64_t index, const std::string& owner) const;

  // The grid of a quantized mesh, from its node.
  GlbGrid grid(const nlohmann::json& node, const std::string& owner) const;

  // Whether the file requires KHR_mesh_quantization. Positions are then normalized int16.
  bool is_quantized() const { return is_quantized_; }

  [[noreturn]] void fail(const std::string& element, const std::string& cause) const;

 private:
  struct Format {
    std::string type;  // "VEC4", "VEC3", "VEC2" or "SCALAR"
    int component_type;
    std::uint64_t stride, sparse_stride;
  };
  Accessor vectors(std::uint64_t index, bool are_int16, const std::string& owner) const;
  Accessor accessor(std::uint64_t index, const Format& format, const std::string& owner) const;
  void read_dense(const nlohmann::json& source, const Format& format, const std::string& owner,
                  Accessor& accessor) const;
  void read_sparse(const nlohmann::json& source, std::uint64_t element_bytes,
                   const std::string& owner, Accessor& accessor) const;
  bool read_stream(std::uint64_t view, const std::string& owner, Accessor& accessor) const;
  const nlohmann::json& buffer_view(std::uint64_t view, const std::string& owner) const;
  std::uint64_t file_offset(std::uint64_t view, std::uint64_t offset, std::uint64_t bytes,
                            const std::string& owner) const;
  std::array<float, 3> three_floats(const nlohmann::json& object, const char* name,
                                    const std::string& owner) const;

  nlohmann::json json_;
  std::uint64_t bin_offset_, bin_bytes_;
  GlbErrorThrower throw_error_;
  bool is_quantized_ = false;
};

// Reads the JSON of a GLB that is a header, a JSON chunk and a binary chunk, and nothing else.
// Throws for any other container, for invalid JSON, and for JSON above 64 MiB, or above 1 GiB in
// memory.
GlbDocument read_glb_document(const RandomAccessFile& file, const GlbErrorThrower& throw_error);

// The first three components of all stored elements of an accessor, [element][axis]. Values of
// int16 are converted to float without normalization.
void read_glb_vectors(const RandomAccessFile& file, const GlbDocument::Accessor& accessor,
                      const GlbErrorThrower& throw_error, float* values);

// The fourth component of all elements of a dense accessor of VEC4; int16 is normalized.
std::vector<float> read_glb_signs(const RandomAccessFile& file,
                                  const GlbDocument::Accessor& accessor,
                                  const GlbErrorThrower& throw_error);

// The indices of a sparse accessor. Throws for an index that is out of range, or not larger than
// the one before.
std::vector<std::uint32_t> read_glb_indices(const RandomAccessFile& file,
                                            const GlbDocument::Accessor& accessor,
                                            const GlbErrorThrower& throw_error);

}  // namespace skinbake
