// Reads and appends to state files.

#include "batch/state/batch_state.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/output_file.h"
#include "base/parent_folders.h"
#include "base/paths.h"
#include "batch/state/state_lines.h"
#include "json/json_text.h"

namespace skinbake {

namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20;

// Of a line that this program writes: some 100 bytes for each file of a task. A longer one is
// damaged, and is not kept in memory.
constexpr std::size_t kMostLineBytes = std::size_t{16} << 20;

// A file is rewritten without outdated lines if it has more than twice the bytes of the others, and
// this many.
constexpr std::int64_t kSlackBytes = std::int64_t{64} << 10;

std::string rig_key(const PlannedRig& rig) {
  return rig.path + '\0' + rig.scene + '\0' + (rig.allow_outside ? "1" : "0");
}

[[noreturn]] void fail_foreign(const std::string& path) {
  throw Error("STATE_INVALID", "is not a state file of a batch; name another file for the state",
              {path, ""});
}

}  // namespace

// Lines are appended under a mutex. A separate thread calls fsync: several lines that were written
// meanwhile reach the disk with one call.
struct BatchState::Content {
  // The place of a line in the file.
  struct Place {
    std::int64_t offset = 0;
    std::size_t bytes = 0;
  };

  std::string path;  // empty: in memory
  bool appends = false;
  int descriptor = -1;
  std::string lines;  // in memory
  std::int64_t size = 0;
  std::uint64_t damaged = 0;
  Place last_run;  // 0 bytes: none
  std::vector<StateRun> runs;
  std::map<TaskName, Place> records;
  std::map<std::string, Place> rigs;
  mutable std::mutex mutex;
  std::condition_variable changed;
  bool is_dirty = false, is_ending = false;
  std::thread syncing;

  ~Content() {
    if (syncing.joinable()) {
      {
        const std::lock_guard lock(mutex);
        is_ending = true;
      }
      changed.notify_all();
      syncing.join();
    }
    if (descriptor >= 0) ::close(descriptor);
  }

  void start_syncing() {
    try {
      syncing = std::thread([this] { sync_lines(); });
    } catch (const std::system_error&) {
      // The system grants no more threads: append() waits for the disk itself.
    }
  }

  void sync_lines() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return is_dirty || is_ending; });
      if (!is_dirty) return;
      is_dirty = false;
      lock.unlock();
      ::fsync(descriptor);  // without it the lines survive the process, but not a power cut
      lock.lock();
    }
  }

  // Throws if the state belongs to another user: it may state that failed tasks passed.
  void require_own(const struct stat& status) const {
    if (status.st_uid == ::geteuid() || status.st_uid == 0) return;
    throw Error("STATE_INVALID",
                "the state belongs to user " + std::to_string(status.st_uid) +
                    ", whose results are not believed; remove it, or name another file for the "
                    "state",
                {path, ""});
  }

  void open() {
    if (appends) {
      require_own_links(path);
      create_parents_of(path);
    }
    descriptor = ::open(path.c_str(),
                        (appends ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NONBLOCK, 0664);
    if (descriptor < 0) {
      if (appends) fail_output(path, "open the state", errno);
      fail_read();
    }
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) fail_foreign(path);
    if (!appends) return;
    require_own(status);
    struct stat named {};
    const bool is_in_use =
        ::flock(descriptor, LOCK_EX | LOCK_NB) != 0
            ? errno == EWOULDBLOCK
            // Another batch has replaced the file by a shorter one since it was opened.
            : ::stat(path.c_str(), &named) != 0 || named.st_ino != status.st_ino;
    if (!is_in_use) return;
    throw Error("STATE_IN_USE", "another batch writes to this state", {path, ""});
  }

  [[noreturn]] void fail_read() const {
    throw Error("FILE_UNREADABLE", "cannot be read: " + std::string(std::strerror(errno)),
                {path, ""});
  }

  // Reads every line and returns the number of bytes up to the last whole line.
  std::int64_t read_lines() {
    std::string rest, chunk(kReadBytes, '\0');
    std::int64_t begin = 0, skipped = 0;  // skipped: bytes of a line that is too long
    for (std::int64_t offset = 0;;) {
      const ssize_t n = ::pread(descriptor, chunk.data(), chunk.size(), offset);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail_read();
      if (n == 0) return begin;
      offset += n;
      const std::size_t searched = rest.size();
      rest.append(chunk, 0, static_cast<std::size_t>(n));
      std::size_t first = 0;
      for (std::size_t end; (end = rest.find('\n', std::max(first, searched))) != std::string::npos;
           first = end + 1) {
        if (skipped > 0) {
          ++damaged;
        } else {
          take({begin, end + 1 - first}, rest.substr(first, end - first));
        }
        begin += std::exchange(skipped, 0) + static_cast<std::int64_t>(end + 1 - first);
      }
      rest.erase(0, first);
      if (begin == 0 && rest.size() > kReadBytes) fail_foreign(path);  // the first line is short
      if (rest.size() > kMostLineBytes) {
        skipped += static_cast<std::int64_t>(rest.size());
        rest.clear();
      }
    }
  }

  // A run that was killed in the first line has left its beginning.
  void require_cut_head(std::int64_t bytes) {
    const std::string head = state_head();
    if (bytes >= static_cast<std::int64_t>(head.size())) fail_foreign(path);
    const std::string text = text_at({0, static_cast<std::size_t>(bytes)});
    if (text.empty() || !head.starts_with(text)) fail_foreign(path);
    ++damaged;
  }

  void take(const Place& place, const std::string& text) {
    StateLine line = parse_state_line(text);
    if (place.offset == 0 && !line.is_head) fail_foreign(path);
    if (line.run) runs.push_back(*line.run), last_run = place;
    if (line.record) records[line.record->name] = place;
    if (line.rig) rigs[rig_key(line.rig->rig)] = place;
    if (!line) ++damaged;
  }

  // The lines that count, without the first one, in their order.
  std::vector<Place> live_lines() const {
    std::vector<Place> live;
    if (last_run.bytes > 0) live.push_back(last_run);
    for (const auto& [name, place] : records) live.push_back(place);
    for (const auto& [key, place] : rigs) live.push_back(place);
    std::sort(live.begin(), live.end(),
              [](const Place& a, const Place& b) { return a.offset < b.offset; });
    return live;
  }

  // Replaces a file of mostly outdated lines, or with damaged ones, by one with the lines that
  // count. A kill leaves the older or the newer file.
  void compact() {
    const std::vector<Place> live = live_lines();
    std::int64_t bytes = 0;
    for (const Place& place : live) bytes += static_cast<std::int64_t>(place.bytes);
    if (damaged == 0 && size <= 2 * bytes + kSlackBytes) return;
    {
      OutputFile file(path);
      std::string text = state_head();
      for (const Place& place : live) {
        text += text_at(place);
        if (text.size() >= kReadBytes) file.write(std::exchange(text, {}));
      }
      file.write(text);
      file.sync();
      file.commit();
    }
    ::close(std::exchange(descriptor, -1));
    open();
    runs.clear(), records.clear(), rigs.clear();
    size = read_lines();
  }

  // A line with its end; empty if the file has changed meanwhile. Throws Error (kInput).
  std::string text_at(const Place& place) const {
    if (descriptor < 0) return lines.substr(static_cast<std::size_t>(place.offset), place.bytes);
    std::string text(place.bytes, '\0');
    ssize_t n = -1;
    do {
      n = ::pread(descriptor, text.data(), text.size(), place.offset);
    } while (n < 0 && errno == EINTR);
    if (n < 0) fail_read();  // a line that is taken for a missing one would do its task again
    return n == static_cast<ssize_t>(text.size()) ? text : "";
  }

  // Parses a line again. Empty if the file has changed meanwhile.
  StateLine at(const Place& place) const {
    std::string text = text_at(place);
    if (text.empty()) return {};
    text.pop_back();  // '\n'
    return parse_state_line(text);
  }

  // Precondition: the mutex is locked.
  Place append(const std::string& line) {
    const Place place{size, line.size()};
    if (descriptor < 0) {
      lines += line;
      size += static_cast<std::int64_t>(line.size());
      return place;
    }
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t n = ::pwrite(descriptor, line.data() + done, line.size() - done,
                                 size + static_cast<std::int64_t>(done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {
        const int cause = errno;
        [[maybe_unused]] const int cut = ::ftruncate(descriptor, size);  // a later run would do it
        fail_output(path, "append to the state", cause);
      }
      done += static_cast<std::size_t>(n);
    }
    size += static_cast<std::int64_t>(line.size());
    if (!syncing.joinable()) {
      ::fsync(descriptor);
      return place;
    }
    is_dirty = true;
    changed.notify_all();
    return place;
  }
};

BatchState::BatchState(const std::string& path, Access access)
    : content_(std::make_unique<Content>()) {
  content_->path = path;
  const bool appends = access == Access::kAppend;
  content_->appends = appends;
  if (!path.empty()) {
    content_->open();
    content_->size = content_->read_lines();
    struct stat status {};
    const bool is_cut =
        ::fstat(content_->descriptor, &status) == 0 && status.st_size > content_->size;
    if (is_cut && content_->size == 0) content_->require_cut_head(status.st_size);
    if (is_cut && appends && ::ftruncate(content_->descriptor, content_->size) != 0) {
      fail_output(path, "cut the state", errno);
    }
    if (appends) content_->compact();
    if (appends) content_->start_syncing();
  }
  if (!appends || content_->size > 0) return;
  const std::lock_guard lock(content_->mutex);
  content_->append(state_head());
}

BatchState::~BatchState() = default;
BatchState::BatchState(BatchState&&) noexcept = default;

bool BatchState::appends() const {
  return content_->appends;
}

std::uint64_t BatchState::damaged_lines() const {
  return content_->damaged;
}

const std::vector<StateRun>& BatchState::runs() const {
  return content_->runs;
}

std::vector<TaskName> BatchState::names() const {
  const std::lock_guard lock(content_->mutex);
  std::vector<TaskName> names;
  for (const auto& [name, place] : content_->records) names.push_back(name);
  return names;
}

std::optional<TaskRecord> BatchState::find(const TaskName& name) const {
  const std::lock_guard lock(content_->mutex);
  const auto found = content_->records.find(name);
  if (found == content_->records.end()) return {};
  return content_->at(found->second).record;
}

void BatchState::forget(const TaskName& name) {
  const std::lock_guard lock(content_->mutex);
  content_->records.erase(name);
}

std::optional<RigFacts> BatchState::find_facts(const PlannedRig& rig, bool trust_mtime) const {
  std::optional<KnownRig> known;
  {
    const std::lock_guard lock(content_->mutex);
    const auto found = content_->rigs.find(rig_key(rig));
    if (found == content_->rigs.end()) return {};
    known = content_->at(found->second).rig;
  }
  if (!known) return {};
  const bool is_valid =
      std::all_of(known->files.begin(), known->files.end(),
                  [&](const StateFile& file) { return is_unchanged(file, trust_mtime); });
  return is_valid ? known->rig.facts : std::nullopt;
}

void BatchState::append(const StateRun& run) {
  const std::lock_guard lock(content_->mutex);
  content_->append(state_line(run));
  content_->runs.push_back(run);
}

void BatchState::append(const TaskRecord& record) {
  const std::string line = state_line(record);
  const std::lock_guard lock(content_->mutex);
  content_->records[record.name] = content_->append(line);
}

void BatchState::append(const PlannedRig& rig, std::span<const StateFile> files) {
  const std::string line = state_line(rig, files);
  const std::lock_guard lock(content_->mutex);
  content_->rigs[rig_key(rig)] = content_->append(line);
}

}  // namespace skinbake
