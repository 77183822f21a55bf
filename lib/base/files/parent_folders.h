// The missing folders of outputs.

#pragma once

#include <string>

namespace skinbake {

// While it exists, an OutputFile creates the missing folders of its path, as mkdir -p does, instead
// of failing. Its destructor removes those that are empty again, for example after a failed run,
// unless another ParentFolders has a file in them: then the destructor of the last one does. So
// does abandon_output_files(). A folder that existed before, or that another process has created,
// stays.
class ParentFolders {
 public:
  // kThread: for files that this thread opens; destroy it on the same thread. kProcess: for files
  // of every thread that does not have its own; there may be one at a time.
  enum class Scope { kThread, kProcess };
  explicit ParentFolders(Scope scope);
  ~ParentFolders();
  ParentFolders(const ParentFolders&) = delete;

 private:
  Scope scope_;
};

// Creates the missing folders of a file. Does nothing on a thread without ParentFolders. Throws
// Error (kOutput, OUTPUT_NOT_WRITTEN).
void create_parents_of(const std::string& path);

}  // namespace skinbake
