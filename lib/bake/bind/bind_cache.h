// The bind cache: a folder of binds (bind_file.h), which later runs with the same mesh and method
// load. It stores the binds of methods with a form (methods/bind/bind_form.h); other binds take one
// pass over the vertices, which is faster than to read a file.
//
// The user or root must own the folder and its files, and neither others nor another group may
// write to them. Files are written aside and renamed, so that several programs may share a folder.

#pragma once

#include <optional>
#include <string>

#include "bake/bind/bind_file.h"
#include "base/issue.h"
#include "methods/method.h"
#include "skinbake/bake.h"

namespace skinbake {

class BindCache {
 public:
  // plan.bind_cache is the folder. Issues are reported to plan.found. Throws Error (kInput,
  // BIND_CACHE_UNTRUSTED) if other users can write to it.
  BindCache(const BakePlan& plan, const BindContents& contents);

  // Returns nothing if the folder does not have the bind, or if its file is refused; an issue
  // then names the cause.
  std::optional<BindData> load();

  // Replaces the file. If it cannot be written, an issue reports it and the run continues.
  void store(const BindData& bind_data);

 private:
  void report(std::string_view code, const std::string& message) const;

  const BakePlan& plan_;
  BindContents contents_;
  std::string path_;
};

}  // namespace skinbake
