// The sizes of many changes of one file, each as if it was the only one.

#pragma once

#include <cstdint>
#include <memory>

#include "gltf/write/rig_file.h"
#include "skinbake/clip.h"
#include "skinbake/gltf.h"

namespace skinbake {

// Measures the file once, and then only what each change replaces and adds.
class AddedBytes {
 public:
  // Precondition: the asset was loaded with LoadOptions::source. It must outlive the object.
  AddedBytes(const Asset& asset, const ChangeEncoding& encoding);
  ~AddedBytes();

  // The same number as bytes_of_changes(). Throws as it does; the object is then of no use.
  std::uint64_t of(const RigChanges& changes);

 private:
  class Measured;

  std::unique_ptr<Measured> measured_;
};

}  // namespace skinbake
