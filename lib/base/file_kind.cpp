#include "base/file_kind.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/paths.h"
#include "base/random_access_file.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kExport =
    "export glTF 2.0 (.glb) from the program that wrote the file, or import it into Blender and "
    "export glTF there";
constexpr std::string_view kSurfaceOnly =
    "the format does not hold joints and clips: export glTF 2.0 (.glb) from the program that has "
    "the rig";
constexpr std::string_view kImage = "give the glTF file that uses the image";
constexpr std::string_view kUnpack = "unpack it, and give the .glb or .gltf file inside";
constexpr std::string_view kUtf8 = "save it in UTF-8, which glTF asks for";

struct Magic {
  std::string_view bytes;  // the file begins with them
  FileKind kind;
};

constexpr auto kMagics = std::to_array<Magic>({
    {"Kaydara FBX Binary  \0"sv, {"a binary FBX file", kExport, ""}},
    {"; FBX"sv, {"an FBX file of text", kExport, ""}},
    {"BLENDER"sv, {"a Blender file", "open it in Blender and export glTF 2.0 (.glb)", ""}},
    {"#usda"sv, {"a USD file of text", kExport, ""}},
    {"PXR-USDC"sv, {"a binary USD file", kExport, ""}},
    {"Ogawa"sv, {"an Alembic file", kExport, ""}},
    {"\x89HDF\r\n\x1a\n"sv, {"an HDF5 file, as old Alembic files are", kExport, ""}},
    {"HIERARCHY"sv, {"a BVH file", "import it into Blender and export glTF 2.0 (.glb)", ""}},
    {"ply\n"sv, {"a PLY file", kSurfaceOnly, ""}},
    {"ply\r"sv, {"a PLY file", kSurfaceOnly, ""}},
    {"POINTCACHE2\0"sv, {"a PC2 cache", "", "pc2"}},
    {"\x93NUMPY"sv, {"a NumPy array", "", "npy"}},
    {"\x89PNG\r\n\x1a\n"sv, {"a PNG image", kImage, ""}},
    {"\xff\xd8\xff"sv, {"a JPEG image", kImage, ""}},
    {"\x76\x2f\x31\x01"sv, {"an OpenEXR image", kImage, ""}},
    {"\x1f\x8b"sv, {"compressed by gzip", kUnpack, ""}},
    {"\x28\xb5\x2f\xfd"sv,
     {"compressed by Zstandard, as files of Blender 3.0 and later are",
      "open a .blend file in Blender and export glTF 2.0 (.glb); unpack any other file", ""}},
    {"\xff\xfe"sv, {"text in UTF-16", kUtf8, ""}},
    {"\xfe\xff"sv, {"text in UTF-16", kUtf8, ""}},
    {"{\0"sv, {"text in UTF-16", kUtf8, ""}},
    {"\0{"sv, {"text in UTF-16", kUtf8, ""}},
    {"version https://git-lfs"sv,
     {"a Git LFS pointer", "fetch the file itself with git lfs pull", ""}},
    {"<!DOCTYPE html"sv, {"an HTML page, perhaps in place of a download", "download it again", ""}},
    {"<html"sv, {"an HTML page, perhaps in place of a download", "download it again", ""}},
});

constexpr FileKind kUsdz{"a USDZ package", kExport, ""};
constexpr FileKind kZip{"a ZIP archive", kUnpack, ""};
constexpr FileKind kCollada{"a COLLADA file", kExport, ""};
constexpr FileKind kXml{"an XML file", kExport, ""};
constexpr FileKind kObj{"an OBJ file", kSurfaceOnly, ""};
constexpr FileKind kStl{"an STL file", kSurfaceOnly, ""};
constexpr FileKind kMdd{"an MDD cache", "", "mdd"};

struct JsonKind {
  std::string_view schema, name;
};

constexpr auto kJsonKinds = std::to_array<JsonKind>({{"skinbake.report", "a report"},
                                                     {"skinbake.cache", "the sidecar of a cache"},
                                                     {"skinbake.golden", "a golden"},
                                                     {"skinbake.batch", "a manifest of a batch"}});

// The schema that the first bytes of a JSON document of skinbake name; empty: they name none.
std::string_view schema_in(std::string_view head) {
  const std::size_t at = head.find("\"skinbake.");
  if (!head.starts_with('{') || at == std::string_view::npos) return {};
  head.remove_prefix(at + 1);
  return head.substr(0, head.find('"'));
}

template <class Number>
Number number_at(std::string_view bytes, std::size_t offset) {
  Number number;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

// A ZIP archive begins with the header of its first file, whose name is at byte 30.
const FileKind* find_archive(std::string_view head) {
  if (head.starts_with("PK\x05\x06"sv)) return &kZip;  // without files
  constexpr std::size_t kName = 30;
  if (!head.starts_with("PK\x03\x04"sv) || head.size() < kName) return nullptr;
  const std::string_view name = head.substr(kName, number_at<std::uint16_t>(head, 26));
  const bool is_usd = name.ends_with(".usd") || name.ends_with(".usda") || name.ends_with(".usdc");
  return is_usd ? &kUsdz : &kZip;
}

// The counts at the start of a file without a magic number determine its size.
const FileKind* find_by_size(std::string_view head, std::uint64_t size) {
  constexpr std::size_t kStlHeader = 80, kStlTriangle = 50;
  if (head.size() >= kStlHeader + 4) {
    const std::uint64_t triangles = number_at<std::uint32_t>(head, kStlHeader);
    if (triangles > 0 && size == kStlHeader + 4 + kStlTriangle * triangles) return &kStl;
  }
  if (head.size() < 8) return nullptr;
  const std::uint64_t frames = __builtin_bswap32(number_at<std::uint32_t>(head, 0));
  const std::uint64_t points = __builtin_bswap32(number_at<std::uint32_t>(head, 4));
  const std::uint64_t times = 8 + 4 * frames;
  if (frames == 0 || points == 0 || size < times || (size - times) % (12 * points) != 0) {
    return nullptr;
  }
  const std::uint64_t rows = (size - times) / (12 * points);
  return rows == frames || rows == frames + 1 ? &kMdd : nullptr;  // Blender writes one more
}

bool is_obj_line(std::string_view line) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"v", "vn", "vt", "o", "g", "mtllib", "usemtl", "s"});
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  return word.size() < line.size() && std::ranges::find(kWords, word) != kWords.end();
}

// The first line of an OBJ file that is neither empty nor a comment.
const FileKind* find_obj(std::string_view head) {
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
    if (!line.empty() && line.front() != '#') return is_obj_line(line) ? &kObj : nullptr;
    head.remove_prefix(std::min(line.size() + 1, head.size()));
  }
  return nullptr;
}

const FileKind* find_text(std::string_view head) {
  if (head.starts_with("<?xml") || head.starts_with("<COLLADA")) {
    return head.find("<COLLADA") != std::string_view::npos ? &kCollada : &kXml;
  }
  const bool is_stl = head.starts_with("solid") && head.find("facet") != std::string_view::npos;
  return is_stl ? &kStl : find_obj(head);
}

}  // namespace

const FileKind* find_file_kind(std::string_view head, std::uint64_t size) {
  head = head.substr(0, kFileHeadBytes);
  for (const Magic& magic : kMagics) {
    if (head.starts_with(magic.bytes)) return &magic.kind;
  }
  if (const FileKind* archive = find_archive(head)) return archive;
  if (const FileKind* sized = find_by_size(head, size)) return sized;
  if (head.starts_with("\xef\xbb\xbf"sv)) head.remove_prefix(3);  // a byte order mark
  return find_text(head);
}

const FileKind* find_file_kind(const std::string& path) {
  const RandomAccessFile file(path);
  std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(kFileHeadBytes, file.size())),
                   '\0');
  file.read_at(head.data(), head.size(), 0);
  return find_file_kind(head, file.size());
}

void refuse_file_kind(const FileKind& kind, const std::string& path) {
  throw Error(kind.cache.empty() ? "FILE_KIND_UNSUPPORTED" : "FILE_IS_CACHE",
              "the file is " + std::string(kind.name) + ", not glTF", {path, ""},
              std::string(kind.remedy));
}

void refuse_schema(std::string_view schema, const std::string& path) {
  const auto known = std::ranges::find(kJsonKinds, schema, &JsonKind::schema);
  throw Error("FILE_IS_REPORT",
              "the file is " + std::string(known == kJsonKinds.end() ? "JSON" : known->name) +
                  " ('" + std::string(schema) + "'), neither glTF nor a cache",
              {path, ""});
}

void refuse_other_kind(const std::string& path) {
  if (!is_regular_file(path)) return;
  if (const FileKind* const kind = find_file_kind(path)) refuse_file_kind(*kind, path);
  const std::string head = head_of_file(path);
  if (const std::string_view schema = schema_in(head); !schema.empty()) refuse_schema(schema, path);
}

}  // namespace skinbake
