#include "gltf/read/loaders.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "gltf/document/json_member.h"
#include "gltf/document/linked_file.h"
#include "gltf/document/message_text.h"
#include "gltf/document/uri.h"
#include "gltf/read/accessor.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;
using namespace std::string_view_literals;

struct Signature {
  std::size_t at;
  std::string_view bytes;
  const char* mime_type;
};

constexpr std::array kSignatures{Signature{0, "\x89PNG\r\n\x1a\n"sv, "image/png"},
                                 Signature{0, "\xff\xd8\xff"sv, "image/jpeg"},
                                 Signature{8, "WEBP"sv, "image/webp"},
                                 Signature{0, "\xabKTX 20\xbb"sv, "image/ktx2"},
                                 Signature{0, "DDS "sv, "image/vnd-ms.dds"},
                                 Signature{4, "ftypavif"sv, "image/avif"}};

// Returns the type of an image by its signature, or an empty text.
std::string mime_type_of(ByteSpan bytes) {
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  for (const Signature& signature : kSignatures) {
    if (text.size() >= signature.at && text.substr(signature.at).starts_with(signature.bytes)) {
      return signature.mime_type;
    }
  }
  return "";
}

class ImageReader {
 public:
  ImageReader(Document& document, const json& source, std::size_t index, Unreadable unreadable)
      : document_(document),
        source_(source),
        unreadable_(unreadable),
        element_{"image " + std::to_string(index), "/images/" + std::to_string(index)} {}

  ImageFile read() {
    if (!source_.is_object()) {
      document_.fail("SCHEMA_VIOLATION", element_, "is not an object");
    }
    ImageFile image;
    const std::optional<ByteSpan> found = find_bytes();
    if (!found) return image;
    const ByteSpan bytes = *found;
    if (bytes.empty()) {
      leave_out("is empty");
      return image;
    }
    image.mime_type = mime_type_of(bytes);
    if (image.mime_type.empty()) image.mime_type = text_of("mimeType");
    if (image.mime_type.empty()) {
      leave_out("does not have a known format");
      return image;
    }
    image.bytes = Bytes(bytes.size());
    std::copy(bytes.begin(), bytes.end(), image.bytes.data());
    return image;
  }

 private:
  std::string text_of(const char* name) const {
    const auto found = source_.find(name);
    return found != source_.end() && found->is_string() ? found->get<std::string>() : "";
  }

  // Returns the bytes; nothing, after an issue, if they cannot be read.
  std::optional<ByteSpan> find_bytes() {
    if (const auto view = source_.find("bufferView"); view != source_.end()) {
      if (!index_below(document_.view_count, *view)) {
        document_.fail("REFERENCE_INVALID", element_, "names a bufferView that does not exist");
      }
      return view_bytes(document_, view->get<int>(), element_);
    }
    const std::string uri = text_of("uri");
    if (is_data_uri(uri)) return from_data(uri);
    return from_file(uri);
  }

  std::optional<ByteSpan> from_data(const std::string& uri) {
    UriData data = decode_data_uri(uri);
    if (data.problem.empty()) return keep(std::move(data.bytes));
    leave_out(data.problem);
    return std::nullopt;
  }

  std::optional<ByteSpan> from_file(const std::string& uri) {
    LinkedFile linked = read_linked(document_.path, uri, document_.allow_outside);
    const std::string named = "names " + in_quotes(uri) + ", which ";
    if (!linked.refusal.empty()) {
      leave_out(named + linked.refusal, linked.is_outside ? "IMAGE_OUTSIDE" : nullptr);
    } else if (!linked.content.problem.empty()) {
      leave_out(named + linked.content.problem);
    } else {
      const ByteSpan bytes = keep(std::move(linked.content.bytes));
      document_.inputs.push_back(input_record("image", shown_path(linked.path), bytes));
      document_.files.push_back(linked.path);
      return bytes;
    }
    return std::nullopt;
  }

  ByteSpan keep(Bytes bytes) {
    document_.storage.push_back(std::move(bytes));
    return {document_.storage.back().data(), document_.storage.back().size()};
  }

  // `code`: null for an image that cannot be read.
  void leave_out(const std::string& why, const char* code = nullptr) {
    const bool is_left_out = unreadable_ == Unreadable::kLeftOut;
    if (code == nullptr) code = is_left_out ? "IMAGE_LEFT_OUT" : "IMAGE_NOT_EMBEDDED";
    document_.note(code, element_.pointer,
                   element_.name + " " + why +
                       (is_left_out ? "; left out" : "; the written file has its URI unchanged"));
  }

  Document& document_;
  const json& source_;
  Unreadable unreadable_;
  Element element_;
};

}  // namespace

ImageFile load_image(Document& document, const json& source, std::size_t index,
                     Unreadable unreadable) {
  return ImageReader(document, source, index, unreadable).read();
}

}  // namespace skinbake::gltf
