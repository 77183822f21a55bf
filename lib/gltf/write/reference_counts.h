// How many references of a document there are to each element of an array: which elements are not
// used any more after a change, and by how much the text of the others' indices gets shorter.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace skinbake::gltf {

// The elements of the arrays that others refer to.
struct ElementCounts {
  std::size_t accessors = 0, views = 0;
};

// Changes of the counts of references, by index.
using CountChanges = std::map<std::size_t, std::int64_t>;

class ReferenceCounts {
 public:
  // Adds a reference of the file as it was read, or of the document before its changes.
  void add_of_source(std::size_t index);
  void add(std::size_t index);

  // Ends the counting. The functions below require it.
  void finish();

  // The elements, ascending, that the file used and that the changes leave without a reference.
  std::vector<std::size_t> unused(const CountChanges& changes) const;

  // The decimal digits that all references lose where elements, ascending, are erased.
  std::int64_t lost_digits(const CountChanges& changes,
                           const std::vector<std::size_t>& erased) const;

 private:
  std::int64_t count_between(std::size_t begin, std::size_t end) const;

  std::vector<std::int64_t> counts_;   // [index]
  std::vector<bool> is_of_source_;     // [index]
  std::vector<std::int64_t> sums_{0};  // [index] the references to the elements before it
};

}  // namespace skinbake::gltf
