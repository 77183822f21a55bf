// The share of the process's file descriptors that files may hold for as long as they exist.

#pragma once

namespace skinbake {

// The permission to hold one descriptor. At most half of the limit (RLIMIT_NOFILE) is held, so that
// the rest of the process can open files; beyond it, permissions are false. Thread-safe.
class DescriptorPermission {
 public:
  DescriptorPermission() = default;  // false
  static DescriptorPermission request();
  ~DescriptorPermission();
  DescriptorPermission(DescriptorPermission&& other) noexcept;
  DescriptorPermission& operator=(DescriptorPermission&& other) noexcept;

  explicit operator bool() const { return is_given_; }

 private:
  bool is_given_ = false;
};

}  // namespace skinbake
