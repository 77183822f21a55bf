// The names of the process's temporary files, by which a signal that ends it removes them.

#pragma once

#include <mutex>
#include <string>

namespace skinbake {

// Exists while a temporary file gets or loses its name, one at a time: a second one waits for the
// first, and for ever after abandon_output_files().
class TemporaryNames {
 public:
  TemporaryNames();

  void add(const std::string& name);  // call before the file gets the name: it may throw
  void remove(const std::string& name) noexcept;

  // Removes the file too. If that fails, kept_temporary_files() has the name.
  void unlink(const std::string& name) noexcept;

 private:
  std::unique_lock<std::mutex> lock_;
};

}  // namespace skinbake
