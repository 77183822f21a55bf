#include "base/files/distrust.h"

#include <unistd.h>

namespace skinbake {

std::string distrust_of(const struct stat& status) {
  if (status.st_uid != geteuid() && status.st_uid != 0)
    return "belongs to user " + std::to_string(status.st_uid);
  if ((status.st_mode & S_IWOTH) != 0) return "may be written by every user";
  if ((status.st_mode & S_IWGRP) != 0 && status.st_gid != getegid())
    return "may be written by group " + std::to_string(status.st_gid);
  return "";
}

}  // namespace skinbake
