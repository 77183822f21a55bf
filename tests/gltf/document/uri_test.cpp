// URIs of buffers and images: data URIs, the files that a path can mean, and links that change.

#include "gltf/document/uri.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "gltf/document/linked_file.h"
#include "support/gltf/gltf_file.h"
#include "support/temporary_folder.h"

using namespace skinbake;
using namespace skinbake::test;

namespace {

std::string text_of(const gltf::Bytes& bytes) {
  return {bytes.data(), bytes.data() + bytes.size()};
}

// The text that a data URI contains, or the problem after "! ".
std::string decoded(const std::string& uri) {
  REQUIRE(gltf::is_data_uri(uri));
  const gltf::UriData data = gltf::decode_data_uri(uri);
  return data.problem.empty() ? text_of(data.bytes) : "! " + data.problem;
}

// The content of the file that a document in a folder names, or the problem after "! ".
std::string linked(const TemporaryFolder& folder, const std::string& uri) {
  const gltf::LinkedFile file = gltf::read_linked(folder / "in/r.gltf", uri, false);
  if (!file.refusal.empty()) return "! " + file.refusal;
  const gltf::FileContent& content = file.content;
  return content.problem.empty() ? text_of(content.bytes) : "! " + content.problem;
}

}  // namespace

TEST_CASE("data URI: the word base64 has any case, and spaces around it") {
  for (const char* uri : {"data:application/octet-stream;base64,Zm9vYg==", "data:;BASE64,Zm9vYg==",
                          "DATA:a/b;Base64,Zm9vYg==", "data:a/b; base64,Zm9vYg==",
                          "data:a/b;base64 ,Zm9vYg==", "data:a/b;charset=utf-8;  bAsE64,Zm9vYg==",
                          "data:a/b;ba\nse64,Zm9vYg==", " \n data:;base64,Zm9vYg== \n"}) {
    CAPTURE(uri);
    CHECK(decoded(uri) == "foob");
  }
  CHECK(decoded("data:base64,Zm9v") == "Zm9v");  // a media type, not the word after a semicolon
  for (const char* uri : {"data:;base64;charset=utf-8,Zm9v", "data:a/b; Base64 ;x=y;z=1,Zm9v"}) {
    CHECK(decoded(uri) == "! has a data URI whose word 'base64' is not the last before the comma");
  }
  CHECK(decoded("data:a/b;base64=1;charset=utf-8,Zm9v") == "Zm9v");  // a parameter of that name
}

TEST_CASE("data URI: base64 may be percent-encoded, broken into lines and unpadded") {
  for (const char* data : {"Zm9vYg", "Zm9vYg==", "Zm9vYg%3D%3d", "%5Am9vYg==", "Zm9v\r\nYg==",
                           " Zm9v Yg = =\t", "Zm%0A9vYg==", "Zm9v%20Yg", "Zm9vYg==#fragment"}) {
    CAPTURE(data);
    CHECK(decoded(std::string("data:;base64,") + data) == "foob");
  }
  CHECK(decoded("data:;base64,%2B%2f-_") == decoded("data:;base64,+/+/"));
  CHECK(decoded("data:;base64,") == "");
}

TEST_CASE("data URI: bytes without base64 are percent-decoded as the URL standard says") {
  CHECK(decoded("data:,a%20b%2Cc") == "a b,c");
  CHECK(decoded("data:,a b") == "a b");
  CHECK(decoded("data:,a\n\tb") == "ab");
  CHECK(decoded("data:,100%") == "100%");
  CHECK(decoded("data:,%4") == "%4");
  CHECK(decoded("data:,%zz%41") == "%zzA");
  CHECK(decoded("data:,a#b") == "a");
  CHECK(decoded("data:,a,b") == "a,b");
}

TEST_CASE("data URI: a malformed one says what is malformed") {
  CHECK(decoded("data:;base64") == "! has a data URI without a comma before data");
  CHECK(decoded("data:;base64,Zm9*") ==
        "! has a data URI whose base64 text has '*' as character 4, which is not a digit");
  CHECK(decoded("data:;base64,Zm 9v=Yg==") ==
        "! has a data URI whose base64 text has '=' as character 5, which is not a digit");
  CHECK(decoded("data:;base64,Zm9vY") ==
        "! has a data URI whose base64 text is cut off: 5 digits do not encode whole bytes");
}

TEST_CASE("file URI: the decoded name is read first, then the name as it is written") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in/sub folder");
  write_file(folder / "in/30% off.bin", "percent");
  write_file(folder / "in/a%20b.bin", "literal");
  write_file(folder / "in/c%20d.bin", "literal");
  write_file(folder / "in/c d.bin", "decoded");
  write_file(folder / "in/sub folder/e.bin", "sub");
  write_file(folder / "in/g\\h.bin", "back-slash");
  CHECK(linked(folder, "30% off.bin") == "percent");
  CHECK(linked(folder, "30%25%20off.bin") == "percent");
  CHECK(linked(folder, "30%%20off.bin") == "percent");  // the URL standard keeps the first sign
  CHECK(linked(folder, "a%20b.bin") == "literal");
  CHECK(linked(folder, "a%2520b.bin") == "literal");
  CHECK(linked(folder, "c%20d.bin") == "decoded");
  CHECK(linked(folder, "c d.bin") == "decoded");
  for (const char* uri : {"sub folder\\e.bin", "sub%20folder\\e.bin", ".\\sub folder\\.\\e.bin",
                          "sub folder%5Ce.bin", "sub folder\\..\\sub folder/e.bin"}) {
    CAPTURE(uri);
    CHECK(linked(folder, uri) == "sub");
  }
  CHECK(linked(folder, "g\\h.bin") == "back-slash");
  CHECK(linked(folder, "g%5Ch.bin") == "back-slash");
  CHECK(linked(folder, "none%20there.bin") == "! does not exist");
  CHECK(linked(folder, "none%there.bin") ==
        "! has a malformed percent-encoding, and is not the name of a file");
}

TEST_CASE("file URI: dots are resolved before a folder is looked up") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in/sub");
  std::filesystem::create_directories(folder / "in/far/away");
  write_file(folder / "in/a.bin", "a");
  write_file(folder / "in/sub/b.bin", "b");
  write_file(folder / "in/far/a.bin", "of the link's target");
  std::filesystem::create_symlink("far/away", folder / "in/link");
  for (const char* uri : {"none/../a.bin", "none\\..\\a.bin", "none/too/../.././a.bin", "./a.bin",
                          "sub/../a.bin", ".//a.bin", "none/%2e%2E/a.bin", "link/../a.bin"}) {
    CAPTURE(uri);
    CHECK(linked(folder, uri) == "a");
    CHECK(gltf::named_file(folder / "in/r.gltf", uri) == folder / "in/a.bin");
  }
  CHECK(linked(folder, "none/../sub/b.bin") == "b");
  CHECK(linked(folder, "sub/b.bin/../b.bin") == "b");
  for (const char* uri : {"none/..", ".", "sub/", "sub/.", "a.bin/.."}) {
    CAPTURE(uri);
    CHECK(linked(folder, uri) == "! is not a regular file");
  }
  for (const char* uri : {"..", "../in/a.bin", "none/../../in/a.bin", "/..", "/../etc"}) {
    CAPTURE(uri);
    CHECK(gltf::read_linked(folder / "in/r.gltf", uri, false).is_outside);
  }
  CHECK(text_of(gltf::read_linked(folder / "in/sub/r.gltf", "x/../../a.bin", true).content.bytes) ==
        "a");
}

TEST_CASE("file URI: a name with a colon is read if the file is there, an address never is") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in/http:/host");
  std::filesystem::create_directories(folder / "in/x:sub");
  write_file(folder / "secret.bin", "secret");
  write_file(folder / "in/http:/host/a.bin", "of a folder");
  for (const char* name : {"a:b.bin", "mixamorig:Hips.bin", "c:50%.bin", "x:sub/d.bin"}) {
    write_file(folder / (std::string("in/") + name), name);
    CHECK(linked(folder, name) == name);
  }
  CHECK(linked(folder, "a%3Ab.bin") == "a:b.bin");
  CHECK(linked(folder, "./a:b.bin") == "a:b.bin");
  for (const char* uri : {"http://host/a.bin", "file:///secret.bin", "x:none.bin", "C:\\a.bin",
                          "x:sub/../../secret.bin", "x:%zz"}) {
    for (const bool allow_outside : {false, true}) {
      CAPTURE(uri);
      const gltf::LinkedFile file = gltf::read_linked(folder / "in/r.gltf", uri, allow_outside);
      CHECK(file.refusal == "is not a path to a file");
      CHECK_FALSE(file.is_outside);
    }
  }
}

TEST_CASE("file URI: no way to write a path leads out of the folder") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in/%2e%2e");
  write_file(folder / "secret.bin", "secret");
  write_file(folder / "in/%2e%2e/secret.bin", "inside");
  write_file(folder / "in/own.bin", "own");
  std::filesystem::create_symlink(folder / "secret.bin", folder / "in/absolute.bin");
  std::filesystem::create_symlink(folder / "in/own.bin", folder / "in/absolute_own.bin");
  std::filesystem::create_symlink("/proc/self/cwd", folder / "in/magic");
  for (const char* uri : {"..\\secret.bin", "%2e%2e/secret.bin", "..%5Csecret.bin", "\\secret.bin",
                          "x/..\\../secret.bin", "absolute.bin", "..%2fsecret.bin"}) {
    CAPTURE(uri);
    const gltf::LinkedFile file = gltf::read_linked(folder / "in/r.gltf", uri, false);
    CHECK(file.is_outside);
    CHECK(file.content.bytes.size() == 0);
  }
  CHECK(linked(folder, "absolute_own.bin") == "own");  // an absolute link inside
  CHECK(linked(folder, "magic/CMakeCache.txt").starts_with("! "));
}

TEST_CASE("file URI: a folder, a pipe and a device are refused without waiting") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in/folder.bin");
  REQUIRE(::mkfifo((folder / "in/pipe.bin").c_str(), 0600) == 0);
  CHECK(linked(folder, "folder.bin") == "! is not a regular file");
  CHECK(linked(folder, "pipe.bin") == "! is not a regular file");
}

// A relative link is decided by the kernel, an absolute one by the place of the opened file.
TEST_CASE("file URI: a link that is swapped while it is read leaks no file outside") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "in");
  write_file(folder / "secret.bin", "secret");
  write_file(folder / "in/own.bin", "own");
  std::string inside = "own.bin", outside = "../secret.bin";
  SUBCASE("relative links") {}
  SUBCASE("absolute links") {
    inside = folder / "in/own.bin", outside = folder / "secret.bin";
  }
  std::filesystem::create_symlink(inside, folder / "in/link.bin");
  std::atomic<bool> is_done = false;
  std::thread swapping([&] {
    const std::string next = folder / "in/next.bin", link = folder / "in/link.bin";
    for (int i = 0; !is_done; ++i) {
      if (::symlink((i % 2 == 0 ? outside : inside).c_str(), next.c_str()) != 0) break;
      if (::rename(next.c_str(), link.c_str()) != 0) break;
    }
  });
  int own = 0, refused = 0, leaked = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string content = linked(folder, "link.bin");
    own += content == "own";
    refused += content.ends_with("outside the glTF's folder");
    leaked += content == "secret";
  }
  is_done = true;
  swapping.join();
  CHECK(leaked == 0);
  CHECK(own > 0);
  CHECK(refused > 0);
}

TEST_CASE("buffer: one that is longer than declared is an info, a shorter one an error") {
  const GltfFile file = skinned_triangle();
  const std::size_t declared = file.bytes.size();
  const TemporaryFolder folder;
  enum Place { kData, kFile, kChunk };
  // The infos of a file whose buffer has another size than it declares.
  const auto infos_with = [&](Place place, std::size_t size) {
    GltfFile changed = file;
    changed.bytes.resize(size);
    changed.json["buffers"] = {{{"byteLength", declared}, {"uri", "b.bin"}}};
    if (place == kData) changed.json["buffers"][0]["uri"] = changed.data_uri();
    std::string text = place == kChunk ? changed.glb() : changed.text();
    if (place == kChunk) {
      const std::string written = "\"byteLength\":" + std::to_string(size);
      std::string right = "\"byteLength\":" + std::to_string(declared);
      right.resize(written.size(), ' ');
      text.replace(text.find(written, text.find("\"buffers\"")), written.size(), right);
    }
    write_file(folder / "b.bin", changed.bytes);
    write_file(folder / "r.gltf", text);
    return issue_count(whole(load_asset(folder / "r.gltf")), "BUFFER_TOO_LONG");
  };
  for (const Place place : {kData, kFile, kChunk}) {
    CAPTURE(place);
    CHECK(infos_with(place, declared) == 0);
    CHECK(infos_with(place, declared + 4) == 1);
    CHECK_THROWS_WITH_AS(infos_with(place, declared - 4), doctest::Contains("declares"), Error);
  }
  CHECK(infos_with(kFile, declared + 1) == 1);
  GltfFile padded = file;
  padded.bytes += 'x';  // the chunk has three bytes more
  write_file(folder / "r.glb", padded.glb());
  CHECK(issue_count(load_asset(folder / "r.glb"), "BUFFER_TOO_LONG") == 0);
}
