#include "memory/freed_memory.h"

#include <malloc.h>

namespace skinbake::cli {

void release_freed_memory() {
  malloc_trim(0);
}

}  // namespace skinbake::cli
