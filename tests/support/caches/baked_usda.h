// Baked USD text, and the numbers in it.

#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/bytes.h"
#include "support/caches/two_by_two.h"
#include "support/temporary_folder.h"

namespace skinbake::test {

// Bakes the meshes into one file, checks its sidecar and returns the text.
inline std::string baked_usda(const std::vector<CacheHeader>& headers, const Clip* clip,
                              int threads = 1) {
  const TemporaryFolder folder;
  const auto writers = cache_format_of("a.usda").open_together(folder / "a.usda", headers);
  for (std::size_t i = 0; i < headers.size(); ++i) {
    BakePlan plan = plan_of(*headers[i].rig, clip, headers[i].frames.frame_count);
    plan.frames = headers[i].frames;
    plan.threads = threads;
    bake_into(*writers[i], plan);
  }
  CHECK(folder.entry_count() == 0);
  for (const auto& writer : writers) writer->sync();
  for (const auto& writer : writers) writer->commit();
  CHECK(folder.entry_count() == 2);
  const std::string text = read_file(folder / "a.usda");
  const nlohmann::json sidecar = nlohmann::json::parse(read_file(folder / "a.usda.json"));
  CHECK(sidecar["format"] == "usda");
  CHECK(sidecar["bytes"] == text.size());
  CHECK(sidecar["xxh128"] == hash_of(text));
  CHECK(writers.front()->bytes() == text.size());
  CHECK(writers.front()->xxh128() == hash_of(text));
  CHECK(writers.front()->bound_m() == 0);
  return text;
}

// All numbers between `begin` and the end of its line or block.
inline std::vector<float> numbers_after(const std::string& text, const std::string& begin,
                                        const std::string& end = "\n") {
  const std::size_t at = text.find(begin);
  REQUIRE(at != std::string::npos);
  std::string part = text.substr(at + begin.size());
  part = part.substr(0, part.find(end));
  for (char& c : part) {
    if (std::strchr("()[],{}:", c) != nullptr) c = ' ';
  }
  std::vector<float> numbers;
  for (char* p = part.data();;) {
    char* next = nullptr;
    const float number = std::strtof(p, &next);
    if (next == p) return numbers;
    numbers.push_back(number);
    p = next;
  }
}

// The code with which the writer refuses the header. Checks that no file is written.
inline std::string refusal_of(const CacheHeader& header) {
  const TemporaryFolder folder;
  std::string code;
  try {
    open_writer(folder / "a.usda", header);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kUsage);
    code = error.code();
  }
  CHECK(folder.entry_count() == 0);
  return code;
}

}  // namespace skinbake::test
