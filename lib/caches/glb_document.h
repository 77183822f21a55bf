// The JSON and the views of a GLB that claims to be a baked one: numbers are in range, what they
// name is there, and what accessors show lies in the file.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "caches/glb_lattice.h"

namespace skinbake {

// Ends in an Error: element and cause.
using GlbRefusal = std::function<void(const std::string& element, const std::string& cause)>;

class GlbDocument {
 public:
  // `json` is what the file has as its JSON chunk, `bin` where its binary chunk lies.
  GlbDocument(nlohmann::json json, std::uint64_t bin_offset, std::uint64_t bin_bytes,
              GlbRefusal refuse);

  const nlohmann::json& root() const { return json_; }

  // A member that must be there; `where` names the object in messages.
  const nlohmann::json& member(const nlohmann::json& object, const char* name,
                               const std::string& where) const;
  const nlohmann::json& array(const nlohmann::json& object, const char* name,
                              const std::string& where) const;
  // 0 … most.
  std::uint64_t number(const nlohmann::json& object, const char* name, std::uint64_t most,
                       const std::string& where) const;

  // Where `bytes` of a view from `offset` on lie in the file.
  std::uint64_t place(std::uint64_t view, std::uint64_t offset, std::uint64_t bytes,
                      const std::string& where) const;

  // Positions, which may be quantised, normals and tangents, which in such a file may be so or not,
  // or scalars, which are floats; dense or, without a view, sparse.
  struct Accessor {
    bool is_float = true;
    std::uint64_t count = 0;   // elements
    std::uint64_t stride = 0;  // bytes from one to the next
    std::uint64_t sparse = 0;  // of those that are listed; 0: it is dense
    std::uint64_t values = 0;  // where they lie in the file
    std::uint64_t indices = 0;
    std::uint64_t index_bytes = 0;
    std::uint64_t packed = 0;  // bytes of a stream with all values; 0: they are not compressed
  };
  Accessor scalars(std::uint64_t index, const std::string& where) const;
  Accessor positions(std::uint64_t index, const std::string& where) const;
  // Of normals, and of tangents in targets; and of tangents with their w.
  Accessor directions(std::uint64_t index, const std::string& where) const;
  Accessor tangents(std::uint64_t index, const std::string& where) const;
  Accessor texcoords(std::uint64_t index, const std::string& where) const;  // floats

  // Of a node's mesh that is quantised.
  GlbLattice lattice(const nlohmann::json& node, const std::string& where) const;

  // Whether the file requires KHR_mesh_quantization: all positions are normalised shorts.
  bool is_quantised() const { return is_quantised_; }

  [[noreturn]] void fail(const std::string& element, const std::string& cause) const;

 private:
  // The bytes of an element, dense and sparse.
  struct Format {
    std::string type;  // "VEC4", "VEC3", "VEC2" or "SCALAR"
    int component_type;
    std::uint64_t stride, sparse_stride;
  };
  Accessor vectors(std::uint64_t index, bool are_shorts, const std::string& where) const;
  Accessor accessor(std::uint64_t index, const Format& format, const std::string& where) const;
  const nlohmann::json& view_at(std::uint64_t view, const std::string& where) const;
  bool read_packed(std::uint64_t view, const std::string& where, Accessor& accessor) const;
  std::array<float, 3> three_floats(const nlohmann::json& object, const char* name,
                                    const std::string& where) const;
  void read_sparse(const nlohmann::json& source, std::uint64_t element_bytes,
                   const std::string& where, Accessor& accessor) const;

  nlohmann::json json_;
  std::uint64_t bin_offset_, bin_bytes_;
  GlbRefusal refuse_;
  bool is_quantised_ = false;
};

}  // namespace skinbake
