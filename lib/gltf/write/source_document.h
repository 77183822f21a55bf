// A file as it was read, for a writer that changes parts of it and keeps the rest: the whole JSON,
// with members that skinbake does not know, and the bytes of all buffers and images.

#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gltf/document/document.h"

namespace skinbake {

struct SourceDocument {
  std::string path;  // as the caller passed it
  nlohmann::json json;
  // [buffer] Empty without bytes: the fallback of a compressed buffer.
  std::vector<gltf::ByteSpan> buffers;
  std::vector<gltf::Bytes> storage;  // owns the bytes of `buffers`
  // [image] Without bytes if the image is in a buffer, or if it could not be read.
  std::vector<gltf::ImageFile> images;
};

namespace gltf {

// Moves the source out of a document, with the buffers, and reads the images that it names by URIs.
// An unreadable image becomes an issue. Null if the document does not keep its source.
std::shared_ptr<const SourceDocument> take_source(Document& document);

}  // namespace gltf

}  // namespace skinbake
