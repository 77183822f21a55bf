// The bind cache: a folder of binds, which later runs with the same mesh and method load.
//
//   offset  type        field
//        0  char[8]     "SKBIND\0" and the version, 3
//        8  char[32]    the key, which is also the file's name: a hash of the bind's inputs, in
//                       hexadecimal digits
//       40  uint32[2]   numbers per entry, numbers per part
//       48  uint64[6]   lengths of the arrays that follow
//       96  uint32[]    first_entry, indices, first_part_joint, part_joints (of BindData)
//           float64[]   numbers, part_numbers
//      end  char[32]    XXH3-128 of everything before
//
// Little-endian. Files are written aside and renamed, so that several programs may share a folder.
// A damaged file is replaced.

#pragma once

#include <optional>
#include <string>

#include "methods/method.h"
#include "skinbake/bake.h"

namespace skinbake {

// A hash of all inputs of a method's bind: positions, triangles, morph targets, influences, joints
// and their parents, the method with its parameters.
std::string bind_key(const Method& method, const Rig& rig, const BakePlan& plan);

// Loads the bind with that key. Returns nothing if the folder does not have it, or if its file is
// damaged; an issue reports a damaged file.
std::optional<BindData> load_bind(const std::string& folder, const std::string& key,
                                  const BakePlan& plan);

// Stores a bind. If the folder cannot be written, an issue reports it and the run continues.
void store_bind(const std::string& folder, const std::string& key, const BindData& bind_data,
                const BakePlan& plan);

}  // namespace skinbake
