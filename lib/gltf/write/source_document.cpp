#include "gltf/write/source_document.h"

#include <utility>

#include "gltf/document/json_member.h"
#include "gltf/read/loaders.h"

namespace skinbake::gltf {

namespace {

void load_source_images(Document& document, SourceDocument& source) {
  const nlohmann::json& images = member(source.json, "images");
  if (!images.is_array()) return;
  for (std::size_t i = 0; i < images.size(); ++i) {
    const bool is_named = member(images[i], "uri").is_string();
    source.images.push_back(is_named ? load_image(document, images[i], i, Unreadable::kKeepsUri)
                                     : ImageFile{});
  }
}

}  // namespace

std::shared_ptr<const SourceDocument> take_source(Document& document) {
  if (!document.source) return nullptr;
  SourceDocument& source = *document.source;
  source.path = document.path;
  load_source_images(document, source);
  source.buffers = std::move(document.buffers);
  // Decoded primitives follow the buffers of the file. A writer keeps the compressed ones.
  source.buffers.resize(member(source.json, "buffers").size());
  source.storage = std::move(document.storage);
  return std::move(document.source);
}

}  // namespace skinbake::gltf
