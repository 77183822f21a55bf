#include "base/files/descriptors.h"

#include <sys/resource.h>

#include <atomic>
#include <utility>

namespace skinbake {

namespace {

std::atomic<rlim_t> held_descriptors{0};

}  // namespace

DescriptorPermission DescriptorPermission::request() {
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
  DescriptorPermission permission;
  permission.is_given_ = true;
  if (held_descriptors.fetch_add(1) >= limit.rlim_cur / 2 && is_limited) return {};
  return permission;
}

DescriptorPermission::~DescriptorPermission() {
  if (is_given_) held_descriptors.fetch_sub(1);
}

DescriptorPermission::DescriptorPermission(DescriptorPermission&& other) noexcept
    : is_given_(std::exchange(other.is_given_, false)) {}

DescriptorPermission& DescriptorPermission::operator=(DescriptorPermission&& other) noexcept {
  std::swap(is_given_, other.is_given_);
  return *this;
}

}  // namespace skinbake
