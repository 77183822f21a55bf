// A GLB that keeps a file and adds to it. The JSON of the file stays as it is, with extensions and
// extras that skinbake does not know; elements are only appended, so that every index of the file
// stays valid until erase_unused() renumbers what it knows. All buffers and images become parts of
// the binary chunk:
//
//   the bytes of the file's buffers, one after another, at multiples of 8
//   the bytes of the images that are not in a buffer
//   the values that add_view() appends
//
// Compressed buffers stay compressed. The fallbacks of compressed buffers that do not have bytes
// follow the binary chunk in the list of buffers. The last one belongs to the appended streams.

#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "gltf/document/linked_file.h"
#include "gltf/write/edited_document.h"
#include "gltf/write/rig_file.h"
#include "gltf/write/source_document.h"

namespace skinbake::gltf {
// The bytes of whole numbers that are written as another type, which must hold them.
template <class Number, class From>
Bytes bytes_as(const std::vector<From>& numbers) {
  Bytes bytes(numbers.size() * sizeof(Number));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = static_cast<Number>(numbers[i]);
    std::memcpy(bytes.data() + i * sizeof number, &number, sizeof number);
  }
  return bytes;
}

class DocumentWriter {
 public:
  explicit DocumentWriter(std::shared_ptr<const SourceDocument> source,
                          const ChangeEncoding& encoding = {});

  const ChangeEncoding& encoding() const { return encoding_; }

  // The file's JSON, to be changed. Buffers and the offsets of buffer views are final.
  EditedDocument& document() { return document_; }
  const nlohmann::json& current() const { return document_.current(); }

  // The file as it was read.
  const SourceDocument& source() const { return *source_; }

  // Appends values in a new buffer view. Returns its index.
  std::size_t add_view(std::vector<float> values);
  std::size_t add_view(Bytes bytes);

  // The same for elements of one size, which become a stream with ChangeEncoding::meshopt.
  struct ElementSize {
    std::size_t bytes = 4;        // a multiple of 4, at most 256
    bool is_byte_stride = false;  // the view states it: elements have padding
  };
  std::size_t add_elements(const std::vector<float>& values, std::size_t per_element);
  std::size_t add_elements(Bytes bytes, const ElementSize& size);

  // Lists an extension as used and required.
  void require_extension(const std::string& name);

  // Appends an accessor of `count` elements of `type` ("VEC3"), which are all elements of a view.
  // Returns its index.
  std::size_t add_accessor(std::size_t view, std::string_view type, std::size_t count);

  // Appends the times of keys, ascending, with the bounds that glTF requires of them. Returns the
  // accessor's index. Precondition: there is a key.
  std::size_t add_times(const std::vector<float>& times);

  // States the length of the binary chunk in the document. Returns it, in bytes.
  std::uint64_t finish();

  // The size of the file in bytes, if it is written now.
  std::uint64_t bytes();

  // From now on, changes are recorded in the document, and undo() takes those back.
  void record();
  void undo();

  // Writes the whole file and returns its size in bytes; the last call. Throws Error (kInput,
  // GLB_TOO_LARGE) before the first byte if it would exceed 4 GiB, and the errors of OutputFile.
  std::uint64_t write(OutputFile& file);

 private:
  struct Piece {
    ByteSpan bytes;
    std::uint64_t offset = 0;  // in the binary chunk
  };

  std::uint64_t append(ByteSpan bytes);  // returns the offset
  std::size_t add_stream(const Bytes& bytes, const ElementSize& size);
  std::size_t add_view(std::uint64_t offset, std::size_t bytes);
  void place_buffers();
  void move_views(const std::vector<std::size_t>& numbers,
                  const std::vector<std::uint64_t>& offsets);
  void embed_images();

  // What has been appended when the record began.
  struct Mark {
    std::size_t pieces = 0, values = 0, blobs = 0;
    std::uint64_t bytes = 0;
  };

  std::shared_ptr<const SourceDocument> source_;
  EditedDocument document_;
  std::vector<Piece> pieces_;
  std::uint64_t bytes_ = 0;                // of the binary chunk, without padding
  std::deque<std::vector<float>> values_;  // owns the bytes of added views
  std::deque<Bytes> blobs_;                // likewise
  ChangeEncoding encoding_;
  // Of the appended streams: the number of their fallback, 0 without any, and their bytes there.
  std::size_t fallback_ = 0;
  std::uint64_t decoded_bytes_ = 0;
  Mark mark_;
};

// The size of a GLB in bytes. `text_bytes`: of its JSON without padding; `bin_bytes`: of its binary
// chunk, a multiple of 4.
std::uint64_t glb_bytes(std::uint64_t text_bytes, std::uint64_t bin_bytes);

// Throws Error (kInput, GLB_TOO_LARGE) at the file `path` if a GLB of chunks of these sizes would
// exceed 4 GiB.
void require_glb_size(std::uint64_t json_bytes, std::uint64_t bin_bytes, const std::string& path);

}  // namespace skinbake::gltf
