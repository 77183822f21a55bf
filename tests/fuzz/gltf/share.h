// Counts how many inputs of a fuzzer get as far as a step, and prints their share at the end.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace skinbake::fuzz {

class Share {
 public:
  explicit Share(const char* step) : step_(step) {}
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  // Prints the share and the most frequent errors in the form of libFuzzer's statistics.
  ~Share() {
    if (inputs_ == 0) return;
    const auto all = static_cast<double>(inputs_);
    std::fprintf(stderr, "stat::%s_percent: %.1f (%llu of %llu inputs)\n", step_,
                 100 * static_cast<double>(reached_) / all,
                 static_cast<unsigned long long>(reached_),
                 static_cast<unsigned long long>(inputs_));
    std::vector<std::pair<std::uint64_t, std::string>> errors;
    for (const auto& [code, count] : refused_) errors.emplace_back(count, code);
    std::sort(errors.rbegin(), errors.rend());
    for (std::size_t i = 0; i < std::min<std::size_t>(errors.size(), 12); ++i) {
      std::fprintf(stderr, "stat::refused_percent: %.1f %s\n",
                   100 * static_cast<double>(errors[i].first) / all, errors[i].second.c_str());
    }
  }

  // The input that the fuzzer runs while this object lives.
  class Input {
   public:
    explicit Input(Share& share) : share_(share) {
      ++share.inputs_;
      share.has_reached_ = false;
    }
    ~Input() { share_.reached_ += share_.has_reached_; }
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;

   private:
    Share& share_;
  };

  void reach() { has_reached_ = true; }
  void refuse(std::string_view code) { ++refused_[std::string(code)]; }

 private:
  const char* step_;
  std::uint64_t inputs_ = 0, reached_ = 0;
  bool has_reached_ = false;
  std::map<std::string, std::uint64_t> refused_;
};

}  // namespace skinbake::fuzz
