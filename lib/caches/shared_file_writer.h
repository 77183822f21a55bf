// The writer of one mesh of a file that holds several: the file answers for all of them.

#pragma once

#include <memory>
#include <string>
#include <utility>

#include "skinbake/caches.h"

namespace skinbake {

template <class File>
class SharedFileWriter : public CacheWriter {
 public:
  void end() override { file_->end_mesh(); }
  void sync() override { file_->sync(); }
  void commit() override { file_->commit(); }
  const std::string& path() const override { return file_->path(); }
  std::uint64_t bytes() const override { return file_->bytes(); }
  std::string xxh128() const override { return file_->xxh128(); }
  std::string readable_path() const override { return file_->readable_path(); }

 protected:
  explicit SharedFileWriter(std::shared_ptr<File> file) : file_(std::move(file)) {}

  std::shared_ptr<File> file_;
};

}  // namespace skinbake
