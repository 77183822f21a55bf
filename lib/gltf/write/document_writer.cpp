#include "gltf/write/document_writer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "base/containers.h"
#include "gltf/document/json_member.h"
#include "json/print.h"
#include "skinbake/error.h"

namespace skinbake::gltf {

namespace {

using nlohmann::json;

// The largest alignment that an extension requires of a buffer view (EXT_structural_metadata).
constexpr std::uint64_t kAlignment = 8;

constexpr std::uint64_t padded(std::uint64_t bytes, std::uint64_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

constexpr const char* kMeshopt = "EXT_meshopt_compression";
constexpr std::array kCompressing{kMeshopt, "KHR_meshopt_compression"};

// Readers may skip the bytes of a buffer that is marked as a fallback.
void erase_fallback(json& buffer) {
  const auto extensions = buffer.find("extensions");
  if (extensions == buffer.end()) return;
  for (const char* name : kCompressing) extensions->erase(name);
  if (extensions->empty()) buffer.erase(extensions);
}

void write_padding(OutputFile& file, std::uint64_t count, char fill) {
  const std::string padding(static_cast<std::size_t>(count), fill);
  file.write(padding);
}

}  // namespace

std::uint64_t glb_bytes(std::uint64_t text_bytes, std::uint64_t bin_bytes) {
  return glb_bin_offset(padded(text_bytes, 4)) + bin_bytes;
}

void require_glb_size(std::uint64_t json_bytes, std::uint64_t bin_bytes, const std::string& path) {
  const std::uint64_t bytes = glb_bin_offset(json_bytes) + bin_bytes;
  if (bytes <= kMaxGlbBytes) return;
  throw Error("GLB_TOO_LARGE",
              "the rig with its clips needs " + std::to_string(bytes) +
                  " bytes, more than the 4294967295 of a GLB",
              {path, ""});
}

DocumentWriter::DocumentWriter(std::shared_ptr<const SourceDocument> source,
                               const ChangeEncoding& encoding)
    : source_(std::move(source)), document_(source_->json), encoding_(encoding) {
  place_buffers();
  embed_images();
}

std::uint64_t DocumentWriter::append(ByteSpan bytes) {
  const std::uint64_t offset = padded(bytes_, kAlignment);
  pieces_.push_back({bytes, offset});
  bytes_ = offset + bytes.size();
  return offset;
}

// Merges all buffers with bytes, also fallbacks, into the first one, which keeps its name, extras
// and extensions.
void DocumentWriter::place_buffers() {
  const json& buffers = member(source_->json, "buffers");
  const auto has_bytes = [&](std::size_t i) {
    return !source_->buffers[i].empty() || buffers[i].contains("uri");
  };
  json placed = json::array({json::object()});
  std::vector<std::size_t> numbers;    // [buffer of the file]
  std::vector<std::uint64_t> offsets;  // [buffer of the file]
  bool is_first = true;
  for (std::size_t i = 0; i < source_->buffers.size(); ++i) {
    if (!has_bytes(i)) {
      numbers.push_back(placed.size());
      offsets.push_back(0);
      placed.push_back(buffers[i]);
      continue;
    }
    if (std::exchange(is_first, false)) placed[0] = buffers[i];
    numbers.push_back(0);
    offsets.push_back(append(source_->buffers[i]));
  }
  placed[0].erase("uri");
  erase_fallback(placed[0]);
  document_.whole()["buffers"] = std::move(placed);
  move_views(numbers, offsets);
}

void DocumentWriter::move_views(const std::vector<std::size_t>& numbers,
                                const std::vector<std::uint64_t>& offsets) {
  json& document = document_.whole();
  const auto views = document.find("bufferViews");
  if (views == document.end()) return;
  const auto move = [&](json& range) {
    const auto buffer = range.at("buffer").get<std::size_t>();
    range["buffer"] = numbers.at(buffer);
    const std::uint64_t offset =
        (range.contains("byteOffset") ? range["byteOffset"].get<std::uint64_t>() : 0) +
        offsets.at(buffer);
    if (offset > 0) range["byteOffset"] = offset;
  };
  for (json& view : *views) {
    move(view);
    for (const char* name : kCompressing) {
      if (member(member(view, "extensions"), name).contains("buffer")) {
        move(view["extensions"][name]);
      }
    }
  }
}

void DocumentWriter::embed_images() {
  for (std::size_t i = 0; i < source_->images.size(); ++i) {
    const ImageFile& image = source_->images[i];
    if (image.bytes.size() == 0) continue;
    json& element = document_.element("images", i);
    element.erase("uri");
    element["bufferView"] =
        add_view(append({image.bytes.data(), image.bytes.size()}), image.bytes.size());
    element["mimeType"] = image.mime_type;
  }
}

std::size_t DocumentWriter::add_view(std::uint64_t offset, std::size_t bytes) {
  return document_.append("bufferViews",
                          {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", bytes}});
}

std::size_t DocumentWriter::add_view(std::vector<float> values) {
  values_.push_back(std::move(values));
  const std::vector<float>& kept = values_.back();
  const std::size_t bytes = kept.size() * sizeof(float);
  return add_view(append({reinterpret_cast<const std::uint8_t*>(kept.data()), bytes}), bytes);
}

std::size_t DocumentWriter::add_view(Bytes bytes) {
  blobs_.push_back(std::move(bytes));
  const Bytes& kept = blobs_.back();
  return add_view(append({kept.data(), kept.size()}), kept.size());
}

std::size_t DocumentWriter::add_elements(const std::vector<float>& values,
                                         std::size_t per_element) {
  Bytes bytes(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return add_elements(std::move(bytes), {per_element * sizeof(float), false});
}

std::size_t DocumentWriter::add_elements(Bytes bytes, const ElementSize& size) {
  if (encoding_.meshopt && bytes.size() > 0) return add_stream(bytes, size);
  const std::size_t view = add_view(std::move(bytes));
  if (size.is_byte_stride) document_.element("bufferViews", view)["byteStride"] = size.bytes;
  return view;
}

std::size_t DocumentWriter::add_stream(const Bytes& bytes, const ElementSize& size) {
  if (fallback_ == 0) {
    require_extension(kMeshopt);
    fallback_ = document_.append("buffers", {{"extensions", {{kMeshopt, {{"fallback", true}}}}}});
  }
  std::vector<std::uint8_t> stream;
  const std::size_t count = bytes.size() / size.bytes;
  encode_meshopt(bytes.data(), {count, size.bytes}, stream);
  blobs_.emplace_back(stream.size());
  std::copy(stream.begin(), stream.end(), blobs_.back().data());
  json compressed{{"buffer", 0},
                  {"byteOffset", append({blobs_.back().data(), stream.size()})},
                  {"byteLength", stream.size()},
                  {"byteStride", size.bytes},
                  {"count", count},
                  {"mode", "ATTRIBUTES"}};
  json view{{"buffer", fallback_},
            {"byteOffset", decoded_bytes_},
            {"byteLength", bytes.size()},
            {"extensions", {{kMeshopt, std::move(compressed)}}}};
  if (size.is_byte_stride) view["byteStride"] = size.bytes;
  decoded_bytes_ += padded(bytes.size(), kAlignment);
  document_.element("buffers", fallback_)["byteLength"] = decoded_bytes_;
  return document_.append("bufferViews", std::move(view));
}

void DocumentWriter::require_extension(const std::string& name) {
  for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
    const json& listed = member(current(), list);
    if (std::find(listed.begin(), listed.end(), name) != listed.end()) continue;
    json& names = document_.member(list);
    if (!names.is_array()) names = json::array();
    names.push_back(name);
  }
}

std::size_t DocumentWriter::add_accessor(std::size_t view, std::string_view type,
                                         std::size_t count) {
  constexpr int kFloat = 5126;
  return document_.append(
      "accessors",
      {{"bufferView", view}, {"componentType", kFloat}, {"count", count}, {"type", type}});
}

std::size_t DocumentWriter::add_times(const std::vector<float>& times) {
  const float first = times.front(), last = times.back();
  const std::size_t count = times.size();
  const std::size_t accessor = add_accessor(add_elements(times, 1), "SCALAR", count);
  json& bounded = document_.element("accessors", accessor);
  bounded["min"] = {first};
  bounded["max"] = {last};
  return accessor;
}

std::uint64_t DocumentWriter::finish() {
  const std::uint64_t bin_bytes = padded(bytes_, 4);
  document_.element("buffers", 0)["byteLength"] = bin_bytes;
  return bin_bytes;
}

std::uint64_t DocumentWriter::bytes() {
  const std::uint64_t bin_bytes = finish();
  return glb_bytes(dumped(current()).size(), bin_bytes);
}

void DocumentWriter::record() {
  assert(fallback_ == 0);
  mark_ = {pieces_.size(), values_.size(), blobs_.size(), bytes_};
  document_.record();
}

void DocumentWriter::undo() {
  document_.undo();
  pieces_.resize(mark_.pieces);
  values_.resize(mark_.values);
  blobs_.resize(mark_.blobs);
  bytes_ = mark_.bytes;
  fallback_ = 0;
  decoded_bytes_ = 0;
}

std::uint64_t DocumentWriter::write(OutputFile& file) {
  const std::uint64_t bin_bytes = finish();
  const std::string text = dumped(current());
  const std::uint64_t json_bytes = padded(text.size(), 4);
  require_glb_size(json_bytes, bin_bytes, source_->path);
  const GlbHeads heads = glb_heads(json_bytes, bin_bytes);
  file.write(heads.json.data(), sizeof heads.json);
  file.write(text);
  write_padding(file, json_bytes - text.size(), ' ');
  file.write(heads.bin.data(), sizeof heads.bin);
  std::uint64_t at = 0;
  for (const Piece& piece : pieces_) {
    write_padding(file, piece.offset - at, '\0');
    file.write(piece.bytes.data(), piece.bytes.size());
    at = piece.offset + piece.bytes.size();
  }
  write_padding(file, bin_bytes - at, '\0');
  return glb_bin_offset(json_bytes) + bin_bytes;
}

}  // namespace skinbake::gltf
