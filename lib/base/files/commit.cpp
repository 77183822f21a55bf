// Gives several files their names, all or none.
//
// No file system renames several files at once. Each older file first gets a second name beside it;
// if a rename fails, the older files get their names back. The last rename needs no second name:
// either it succeeds, or the older file is still there. The files are closed before the first
// rename, because a network file system may report a full disk only then.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <unordered_set>

#include "base/error_text.h"
#include "base/files/output_file.h"
#include "base/files/output_path.h"
#include "base/files/temporary_names.h"
#include "skinbake/error.h"

namespace skinbake {

namespace {

// The file that an output replaces, under its second name.
class OlderFile {
 public:
  // Throws Error (kOutput) if the file cannot be replaced.
  OlderFile(const std::string& path, std::string target) : target_(std::move(target)) {
    std::string name = unused_name(target_);
    if (::link(target_.c_str(), name.c_str()) != 0) {
      if (errno == ENOENT) return;  // the output is new
      struct stat status {};
      if (::lstat(target_.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) {
        fail_output(path, "replace the older file", EISDIR);
      }
      // Some file systems do not have links, and Linux refuses links to another user's file.
      if (::rename(target_.c_str(), name.c_str()) != 0) {
        fail_output(path, "replace the older file", errno);
      }
    }
    name_ = std::move(name);
  }

  // Undoes the output's rename. Returns whether the path is as before.
  bool restore() {
    if (name_.empty()) return ::unlink(target_.c_str()) == 0 || errno == ENOENT;
    if (::rename(name_.c_str(), target_.c_str()) != 0) return false;
    // Both may name one file, as the output was not renamed; rename() then leaves both.
    discard();
    return true;
  }

  // A failure leaves a file behind, but the outputs are complete.
  void discard() {
    if (!name_.empty()) TemporaryNames().unlink(name_);
  }

  std::string where() const { return name_.empty() ? target_ : name_; }

 private:
  std::string target_;
  std::string name_;  // empty: there is no older file
};

// The end of the message of a failed rename: what became of the outputs before it.
std::string restore_all(std::vector<OlderFile>& older) {
  std::string lost;
  for (auto file = older.rbegin(); file != older.rend(); ++file) {
    if (!file->restore()) lost += (lost.empty() ? "" : ", ") + file->where();
  }
  if (!lost.empty()) return "; these files could not be restored: " + lost;
  return older.empty() ? "" : "; the other outputs are as before the run";
}

// A file is listed once for each mesh and clip that it holds.
void remove_repeats(std::vector<OutputFile*>& files) {
  std::unordered_set<const OutputFile*> known;
  std::erase_if(files, [&](const OutputFile* file) { return !known.insert(file).second; });
}

}  // namespace

void commit_together(std::vector<OutputFile*> files) {
  std::erase_if(files, [](const OutputFile* file) { return file->is_committed(); });
  remove_repeats(files);
  for (OutputFile* file : files) file->prepare();
  std::vector<OlderFile> older;
  older.reserve(files.size());
  try {
    for (OutputFile* file : files) {
      if (file != files.back() && !file->target_.empty()) {
        older.emplace_back(file->path_, file->target_);
      }
      file->rename();
    }
  } catch (const Error& error) {
    const std::string restored = restore_all(older);  // first: the message needs memory
    throw Error(error.kind(), error.code(), std::string(unlocated_message(error)) + restored,
                error.location());
  } catch (...) {
    restore_all(older);
    throw;
  }
  for (OlderFile& file : older) file.discard();
}

}  // namespace skinbake
