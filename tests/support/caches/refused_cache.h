// Checks that a damaged cache is refused.

#pragma once

#include <doctest/doctest.h>

#include <string>

#include "skinbake/caches.h"
#include "skinbake/error.h"
#include "support/temporary_folder.h"

namespace skinbake::test {

// The file "a" with this extension gets these bytes. The error's text must contain the name of the
// file and `cause`.
inline void check_cache_refused(const std::string& extension, const std::string& bytes,
                                const std::string& cause) {
  const TemporaryFolder folder;
  const std::string name = "a." + extension;
  write_file(folder / name, bytes);
  CAPTURE(cause);
  try {
    open_cache(folder / name);
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kInput);
    CHECK(error.code() == "CACHE_INVALID");
    CHECK(std::string(error.what()).find(name) != std::string::npos);
    CAPTURE(error.what());
    CHECK(std::string(error.what()).find(cause) != std::string::npos);
  }
}

}  // namespace skinbake::test
