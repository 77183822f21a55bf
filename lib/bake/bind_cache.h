// Binds kept in a folder, so that the next run with the same mesh and method need not make them.
//
//   offset  type        field
//        0  char[8]     "SKBIND\0" and the version, 1
//        8  char[32]    the key: what the bind was made of, in hexadecimal digits; the file's name
//       40  uint32[2]   numbers per entry, numbers per part
//       48  uint64[6]   lengths of the arrays that follow
//       96  uint32[]    first entries of vertices, indices of entries; first joints of parts,
//       joints
//           float64[]   numbers of entries, numbers of parts (in the order of BoundNumbers)
//      end  char[32]    XXH3-128 of everything before
//
// Little-endian. Files appear whole or not at all, so that several programs may share a folder. A
// file that is not what it should be is made again.

#pragma once

#include <optional>
#include <string>

#include "methods/method.h"
#include "skinbake/bake.h"

namespace skinbake {

// The digits that name everything a method's bind may depend on: positions, triangles, morph
// targets, influences, joints with their places in the tree, the method with its parameters.
std::string bind_key(const Method& method, const Rig& rig, const BakePlan& plan);

// What folder/key holds; nothing if it is not there, or if it is damaged or another's, which is
// reported as an issue.
std::optional<Bound> load_bind(const std::string& folder, const std::string& key,
                               const BakePlan& plan);

// Keeps it. That it cannot be written is an issue: the run goes on.
void store_bind(const std::string& folder, const std::string& key, const Bound& bound,
                const BakePlan& plan);

}  // namespace skinbake
