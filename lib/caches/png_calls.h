// What all use of libpng shares. It leaves by longjmp: what it can leave has no destructors, and
// exceptions wait.

#pragma once

#include <png.h>

#include <array>
#include <csetjmp>
#include <cstdio>
#include <exception>

namespace skinbake {

class PngCalls {
 public:
  PngCalls() = default;
  virtual ~PngCalls() = default;
  PngCalls(const PngCalls&) = delete;
  PngCalls& operator=(const PngCalls&) = delete;

  // Calls call(), which calls libpng. Throws what a transfer threw, or else what refuse() throws.
  template <class Call>
  void guarded(const Call& call) {
    if (setjmp(png_jmpbuf(png_)) == 0) {
      call();
      return;
    }
    if (failure_) std::rethrow_exception(failure_);
    refuse(message_.data());
  }

  png_structp png() { return png_; }
  png_infop info() { return info_; }

 protected:
  [[noreturn]] virtual void refuse(const char* message) const = 0;

  // For libpng: what ends a call, and what says nothing. A message may be a local variable.
  [[noreturn]] static void fail(png_structp png, png_const_charp message) {
    std::array<char, 100>& kept = static_cast<PngCalls*>(png_get_error_ptr(png))->message_;
    std::snprintf(kept.data(), kept.size(), "%s", message);
    png_longjmp(png, 1);
  }
  static void ignore(png_structp, png_const_charp) {}

  // Moves bytes from or to a file, in what libpng calls for that.
  template <class Move>
  void transfer(const Move& move) {
    try {
      move();
    } catch (...) {
      failure_ = std::current_exception();
    }
    if (failure_) png_error(png_, "the file cannot be read or written");
  }

  png_structp png_ = nullptr;
  png_infop info_ = nullptr;

 private:
  std::exception_ptr failure_;
  std::array<char, 100> message_{};
};

}  // namespace skinbake
