#include "caches/usda_file.h"

#include <charconv>
#include <set>
#include <utility>

#include "caches/needs_rig.h"
#include "caches/row_writer.h"
#include "json/utf8.h"

namespace skinbake {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

std::string shortest(double number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::string head(const FrameRange& frames) {
  const std::string fps = shortest(frames.fps);
  return "#usda 1.0\n"
         "(\n"
         "    doc = \"skinbake " SKINBAKE_VERSION
         "\"\n"
         "    defaultPrim = \"Baked\"\n"
         "    endTimeCode = " +
         std::to_string(frames.frame(frames.frame_count - 1)) +
         "\n"
         "    framesPerSecond = " +
         fps +
         "\n"
         "    metersPerUnit = 1\n"
         "    startTimeCode = " +
         std::to_string(frames.first_frame) +
         "\n"
         "    timeCodesPerSecond = " +
         fps +
         "\n"
         "    upAxis = \"Y\"\n"
         ")\n"
         "\n"
         "def Xform \"Baked\"\n"
         "{\n";
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool may_stand_in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

std::string identifier(std::string_view id) {
  std::string name;
  while (!id.empty()) {
    name += may_stand_in_name(id.front()) ? id.front() : '_';
    id.remove_prefix(std::max<std::size_t>(utf8_length(id), 1));
  }
  return name.empty() || is_digit(name.front()) ? "_" + name : name;
}

std::vector<std::string> ids_of(std::span<const CacheHeader> headers) {
  std::vector<std::string> ids;
  for (const CacheHeader& header : headers) ids.push_back(header.rig->id);
  return ids;
}

}  // namespace

std::vector<std::string> prim_names(const std::vector<std::string>& ids) {
  std::set<std::string> taken;
  std::map<std::string, int> last;  // number, by name: thousands may become the same
  std::vector<std::string> names;
  for (const std::string& id : ids) {
    const std::string wanted = identifier(id);
    std::string name = wanted;
    for (int& n = last.try_emplace(wanted, 1).first->second; !taken.insert(name).second;) {
      name = wanted + "_" + std::to_string(++n);
    }
    names.push_back(std::move(name));
  }
  return names;
}

UsdaFile::UsdaFile(const std::string& path, std::span<const CacheHeader> headers)
    : options_(parse_usda_options(headers.front().options)),
      headers_(headers.begin(), headers.end()) {
  for (const CacheHeader& header : headers) {
    require_rig("USDA", path, header);
    checked_count(header.frames.frame_count, "frames", "USDA", path);
    checked_count(header.vertex_count(), "vertices", "USDA", path);
  }
  names_ = prim_names(ids_of(headers));
  file_.emplace(path);
  sidecar_.emplace(path, headers.front(), headers.subspan(1));
  append(head(headers.front().frames));
}

void UsdaFile::append(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) flush();
}

void UsdaFile::flush() {
  file_->write(buffer_);
  hash_.update(buffer_.data(), buffer_.size());
  bytes_ += buffer_.size();
  buffer_.clear();
}

void UsdaFile::end_mesh() {
  if (++ended_ < headers_.size()) return;
  append("}\n");
  flush();
  xxh128_ = hash_.hex();
  sidecar_->write({"usda", bytes_, xxh128_});
}

void UsdaFile::sync() {
  if (is_committed_) return;
  file_->sync();
  sidecar_->sync();
}

void UsdaFile::commit() {
  if (std::exchange(is_committed_, true)) return;
  file_->commit();
  sidecar_->commit();
}

}  // namespace skinbake
