#include "base/temporary_names.h"

#include <unistd.h>

#include <cerrno>
#include <new>
#include <set>
#include <vector>

#include "base/output_file.h"
#include "base/parent_folders.h"

namespace skinbake {

namespace {

// Never destroyed: a thread may end the process while another one runs the destructors.
struct Registry {
  std::mutex mutex;
  std::set<std::string> names;
};

Registry& registry() {
  static auto* const the_registry = new Registry;
  return *the_registry;
}

}  // namespace

TemporaryNames::TemporaryNames() : lock_(registry().mutex) {}

void TemporaryNames::add(const std::string& name) {
  registry().names.insert(name);
}

void TemporaryNames::remove(const std::string& name) noexcept {
  registry().names.erase(name);
}

void TemporaryNames::unlink(const std::string& name) noexcept {
  if (::unlink(name.c_str()) == 0 || errno == ENOENT) return remove(name);
  try {
    add(name);
  } catch (const std::bad_alloc&) {
    // No message can name the file: it would need memory, too.
  }
}

std::vector<std::string> kept_temporary_files() {
  const std::lock_guard lock(registry().mutex);
  return {registry().names.begin(), registry().names.end()};
}

void abandon_output_files() {
  registry().mutex.lock();  // and is never unlocked
  for (const std::string& name : registry().names) ::unlink(name.c_str());
  abandon_created_folders();
}

}  // namespace skinbake
