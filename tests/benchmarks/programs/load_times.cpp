// load_times read|load|clip FILE.glb, load_times retarget FILE.glb RIG.glb: prints the seconds of
// loading a file.
//
// `load` calls load_asset. `read` is the minimum for any loader: it reads the file into fresh
// memory and copies every accessor once, into fresh memory. `clip` calls load_clip_file, and
// `retarget` then matches the first clip with a rig that is loaded already, as human bodies. Each
// call of the program measures one of them.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "skinbake/gltf.h"

namespace {

using Block = std::unique_ptr<char[]>;

Block fresh(std::size_t size) {
  return Block(new char[size]);  // not initialised
}

Block read_file(const char* path, std::size_t& size) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return nullptr;
  std::fseek(file, 0, SEEK_END);
  size = static_cast<std::size_t>(std::ftell(file));
  std::rewind(file);
  Block bytes = fresh(size);
  std::setvbuf(file, nullptr, _IONBF, 0);
  const bool whole = std::fread(bytes.get(), 1, size, file) == size;
  std::fclose(file);
  return whole ? std::move(bytes) : nullptr;
}

// Every accessor of the file has a separate buffer view.
std::vector<Block> copy_accessors(const char* file) {
  std::uint32_t json_size;
  std::memcpy(&json_size, file + 12, sizeof json_size);
  const auto json = nlohmann::json::parse(std::string_view(file + 20, json_size));
  std::vector<Block> copies;
  for (const auto& view : json["bufferViews"]) {
    const auto length = view["byteLength"].get<std::size_t>();
    copies.push_back(fresh(length));
    const auto offset = view["byteOffset"].get<std::size_t>();
    std::memcpy(copies.back().get(), file + 28 + json_size + offset, length);
  }
  return copies;
}

std::size_t load_clip(const char* path) {
  return skinbake::load_clip_file(path).clips.size();
}

std::size_t retarget(const char* path, const skinbake::Asset& rig) {
  skinbake::RetargetOptions options;
  options.mode = skinbake::RetargetMode::kHumanoid;
  const skinbake::ClipFile file = skinbake::load_clip_file(path);
  return skinbake::match_clip(file, file.clips.front(), rig, options).moves_meshes ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  const std::string_view what = argv[1];
  skinbake::Asset rig;
  if (argc == 4) rig = skinbake::load_asset(argv[3]);
  const auto start = std::chrono::steady_clock::now();
  std::size_t used = 0;
  if (what == "read") {
    std::size_t size = 0;
    const Block file = read_file(argv[2], size);
    if (!file) return 1;
    used = copy_accessors(file.get()).size();
  } else if (what == "clip") {
    used = load_clip(argv[2]);
  } else if (what == "retarget") {
    used = retarget(argv[2], rig);
  } else {
    used = skinbake::load_asset(argv[2]).rigs.size();
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("%.6f\n", elapsed.count());
  return used == 0;
}
