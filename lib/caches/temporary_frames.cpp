#include "caches/temporary_frames.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "base/aligned_array.h"
#include "base/random_access_file.h"
#include "base/temporary_names.h"
#include "frames/transpose.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

struct TemporaryRows : BlockState {
  explicit TemporaryRows(std::size_t size) : positions(size) {}
  AlignedArray<float> positions;  // [frame][vertex][axis]
};

std::string temporary_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

class TemporaryFramesFile final : public TemporaryFrames {
 public:
  TemporaryFramesFile(std::int64_t vertex_count, std::int64_t frame_count)
      : folder_(temporary_folder()),
        row_size_(static_cast<std::size_t>(vertex_count) * 3),
        frame_count_(frame_count),
        permission_(DescriptorPermission::request()) {
    if (permission_) open();
  }
  ~TemporaryFramesFile() override {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  TemporaryFramesFile(const TemporaryFramesFile&) = delete;
  TemporaryFramesFile& operator=(const TemporaryFramesFile&) = delete;

  std::unique_ptr<BlockState> new_state() const override {
    if (descriptor_ < 0) open();
    return std::make_unique<TemporaryRows>(row_size_ * kFramesPerBlock);
  }
  void consume(const FrameBlock& tile, BlockState& state) override {
    transpose_to_rows(
        tile.positions, std::size_t{tile.vertices.count} * 3, tile.frame_count,
        static_cast<TemporaryRows&>(state).positions.data() + std::size_t{tile.vertices.first} * 3,
        row_size_);
  }
  void finish(const FrameBlock& block, BlockState& state) override {
    const auto* from = reinterpret_cast<char*>(static_cast<TemporaryRows&>(state).positions.data());
    transfer(block.first_frame, block.frame_count,
             [&](std::size_t done, std::size_t left, off_t at) {
               return ::pwrite(descriptor_, from + done, left, at);
             });
  }
  void merge(const FrameBlock&, BlockState&) override {}

  std::int64_t frame_count() const override { return frame_count_; }
  std::int64_t vertex_count() const override { return static_cast<std::int64_t>(row_size_ / 3); }
  void read(std::int64_t first_frame, std::int64_t count, float* rows) const override {
    auto* to = reinterpret_cast<char*>(rows);
    transfer(first_frame, count, [&](std::size_t done, std::size_t left, off_t at) {
      return ::pread(descriptor_, to + done, left, at);
    });
  }

 private:
  // Creates the file and allocates its disk space.
  void open() const {
    std::string name = folder_ + "/skinbake.XXXXXX";
    {
      TemporaryNames no_end_between;
      descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
      if (descriptor_ < 0) fail();
      no_end_between.unlink(name);
    }
    const std::uint64_t size = row_bytes() * static_cast<std::uint64_t>(frame_count_);
    const int error = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(size));
    if (error == ENOSPC || error == EFBIG) {
      ::close(std::exchange(descriptor_, -1));
      errno = error;
      fail();
    }
  }

  std::uint64_t row_bytes() const { return row_size_ * sizeof(float); }

  // Transfers frames by repeated calls of move(bytes done, bytes left, offset in the file).
  template <class Move>
  void transfer(std::int64_t first_frame, std::int64_t count, const Move& move) const {
    const std::uint64_t offset = static_cast<std::uint64_t>(first_frame) * row_bytes();
    const std::size_t size = static_cast<std::size_t>(count) * row_bytes();
    for (std::size_t done = 0; done < size;) {
      const ssize_t n = move(done, size - done, static_cast<off_t>(offset + done));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail();
      done += static_cast<std::size_t>(n);
    }
  }

  [[noreturn]] void fail() const {
    const int cause = errno;
    std::string remedy = "set TMPDIR to a folder with more space";
    if (cause == ENOENT || cause == ENOTDIR || cause == EACCES || cause == EROFS) {
      remedy = "set TMPDIR to an existing folder that can be written";
    }
    if (cause == EFBIG) remedy = "raise the limit on file sizes (ulimit -f), or " + remedy;
    throw Error("OUTPUT_NOT_WRITTEN",
                "temporary file in '" + folder_ + "': " + std::strerror(cause) + "; " + remedy);
  }

  std::string folder_;
  std::size_t row_size_;  // numbers per frame
  std::int64_t frame_count_;
  DescriptorPermission permission_;
  // -1: none may be held, and the frames do not come yet; the first state opens the file.
  mutable int descriptor_ = -1;
};

}  // namespace

std::unique_ptr<TemporaryFrames> make_temporary_frames(std::int64_t vertex_count,
                                                       std::int64_t frame_count) {
  return std::make_unique<TemporaryFramesFile>(vertex_count, frame_count);
}

}  // namespace skinbake
