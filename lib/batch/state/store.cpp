#include "batch/state/batch_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/bytes/hash.h"
#include "base/files/distrust.h"
#include "base/files/output_path.h"
#include "batch/state/state_lines.h"
#include "json/json_text.h"

namespace skinbake {

namespace {

constexpr std::size_t kHashDigits = 32;
constexpr std::uintmax_t kMostEntryBytes = std::uintmax_t{64} << 20;
constexpr int kMostEntries = 64;  // of one task, with other inputs

std::string hash_of(std::string_view text) {
  Xxh128 hash;
  hash.update(text.data(), text.size());
  return hash.hex();
}

bool is_hash(const std::string& text) {
  return text.size() == kHashDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void create_folders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) fail_output(path, "create the folder", error.value());
}

void remove_file(const std::string& path) {
  std::error_code ignored;  // another process may have removed it
  std::filesystem::remove(path, ignored);
}

// The file was used now.
void touch(const std::string& path) {
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // a file of another user stays as it is
}

// The time of change, the latest first.
std::vector<std::string> newest_files(const std::string& folder) {
  std::vector<std::pair<std::filesystem::file_time_type, std::string>> found;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (const std::filesystem::directory_iterator end; !error && entry != end;
       entry.increment(error)) {
    std::error_code unknown;
    const std::filesystem::file_time_type time =
        std::filesystem::last_write_time(entry->path(), unknown);
    if (!unknown && is_hash(entry->path().filename().string())) {
      found.emplace_back(time, entry->path().string());
    }
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  std::vector<std::string> paths;
  for (auto& [time, path] : found) paths.push_back(std::move(path));
  return paths;
}

// Whether another user may have written the entry. Its record has the hashes of all other files.
bool is_distrusted(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) != 0 || !distrust_of(status).empty();
}

std::uintmax_t size_of_entry(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  return unknown ? 0 : size;
}

std::string text_of_entry(const std::string& path) {
  if (size_of_entry(path) > kMostEntryBytes) return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The task of a file "HASH\nLINE", if the line has this hash.
std::optional<TaskRecord> task_of_entry(const std::string& text) {
  if (text.size() <= kHashDigits + 1 || text[kHashDigits] != '\n') return {};
  std::string line = text.substr(kHashDigits + 1);
  if (hash_of(line) != text.substr(0, kHashDigits)) return {};
  line.pop_back();
  return parse_state_line(line).record;
}

// A copy of a file that has this hash; none if it does not. Throws Error (kOutput).
std::optional<OutputFile> verified_copy(const std::string& from, const std::string& to,
                                        const StateFile& expected) {
  // Without O_NONBLOCK, the call would wait for the writer of a pipe.
  const int descriptor = ::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return {};
  struct stat status {};
  std::optional<OutputFile> copy;
  try {
    if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        static_cast<std::uint64_t>(status.st_size) == expected.bytes) {
      copy.emplace(to).copy(descriptor, expected.bytes);
    }
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
  if (!copy) return {};
  const std::optional<StateFile> written = state_of_file(copy->readable_path());
  if (!written || written->xxh128 != expected.xxh128) copy.reset();
  return copy;
}

// A file of the store, for the choice of those to drop.
struct StoreFile {
  std::int64_t used_ns = 0;
  std::uint64_t bytes = 0;  // of disk space
  std::string path;
};

// Whether the store has written the file: files/HH/HASH, tasks/WW/WORDS/KEY, or the temporary file
// of one, "HASH.tmp123". The folder of --cache may have been another one before, with folders of
// these names.
bool is_of_store(const std::filesystem::path& path) {
  const std::string name = path.filename().string(), hash = name.substr(0, kHashDigits);
  const std::string folder = path.parent_path().filename().string();
  const bool is_temporary = name.compare(hash.size(), 4, ".tmp") == 0;
  return is_hash(hash) && (name.size() == hash.size() || is_temporary) &&
         (folder == hash.substr(0, 2) || is_hash(folder));
}

// Files that others have put there are left out.
std::vector<StoreFile> files_below(const std::string& folder) {
  std::vector<StoreFile> files;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(folder, error);
  for (const std::filesystem::recursive_directory_iterator end; !error && entry != end;
       entry.increment(error)) {
    struct stat status {};
    if (!is_of_store(entry->path())) continue;
    if (::lstat(entry->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    files.push_back({std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec,
                     static_cast<std::uint64_t>(status.st_blocks) * 512, entry->path().string()});
  }
  return files;
}

}  // namespace

BatchStore::BatchStore(std::string folder, std::uint64_t limit_bytes, bool trusts_others,
                       std::uint64_t max_memory)
    : folder_(std::move(folder)),
      limit_bytes_(limit_bytes),
      trusts_others_(trusts_others),
      max_memory_(max_memory) {}

std::string BatchStore::distrust() const {
  if (trusts_others_) return "";
  const std::string link = foreign_link_in(folder_);
  if (!link.empty()) return "is behind the link '" + link + "' of another user";
  struct stat status {};
  return ::stat(folder_.c_str(), &status) == 0 ? distrust_of(status) : "";
}

std::string BatchStore::tasks_folder(std::span<const std::string> words) const {
  std::string text(build_id());
  for (const std::string& word : words_of_key(words)) (text += '\0') += word;
  const std::string hash = hash_of(text);
  return folder_ + "/tasks/" + hash.substr(0, 2) + "/" + hash;
}

std::string BatchStore::file_path(const std::string& xxh128) const {
  return folder_ + "/files/" + xxh128.substr(0, 2) + "/" + xxh128;
}

std::optional<OutputFile> BatchStore::stored_file(const StateFile& output) const {
  const std::string path = file_path(output.xxh128);
  std::optional<OutputFile> copy = verified_copy(path, output.path, output);
  copy ? touch(path) : remove_file(path);
  return copy;
}

std::optional<StoredTask> BatchStore::find(
    std::span<const std::string> words, const Check& is_unchanged,
    const std::function<bool(const std::string&)>& may_write) {
  int entries = 0;
  for (const std::string& path : newest_files(tasks_folder(words))) {
    if (++entries > kMostEntries) return {};
    if (!trusts_others_ && is_distrusted(path)) continue;
    // A text that is read has up to twice its size, and its line is copied.
    if (size_of_entry(path) > max_memory_ / 3) continue;
    const std::string text = text_of_entry(path);
    if (measure_json(text).memory > max_memory_ / 2) continue;
    std::optional<TaskRecord> record = task_of_entry(text);
    const std::string key = std::filesystem::path(path).filename().string();
    if (!record || record->key != key || task_key(words, record->inputs) != key) {
      remove_file(path);
      continue;
    }
    const bool is_ours = std::all_of(record->inputs.begin(), record->inputs.end(), is_unchanged);
    if (!is_ours) continue;
    StoredTask task{std::move(*record), {}};
    bool is_whole = true;
    for (const StateFile& output : task.record.outputs) {
      is_whole = is_whole && is_hash(output.xxh128) && may_write(output.path);
      if (!is_whole) break;
      if (skinbake::is_unchanged(output, false)) continue;
      std::optional<OutputFile> file = stored_file(output);
      is_whole = file.has_value();
      if (file) task.files.push_back(std::move(*file));
    }
    if (is_whole) {
      touch(path);
      return task;
    }
    remove_file(path);
  }
  return {};
}

void BatchStore::keep_file(const StateFile& output) {
  const std::string path = file_path(output.xxh128);
  if (is_unchanged({path, output.bytes, 0, output.xxh128}, false)) return touch(path);
  create_folders(folder_of(path));
  std::optional<OutputFile> file = verified_copy(output.path, path, output);
  if (!file) return;  // another program has changed the output; find() will miss it
  file->commit();
  count_written(output.bytes);
}

void BatchStore::keep(std::span<const std::string> words, const TaskRecord& record) {
  for (const StateFile& output : record.outputs) keep_file(output);
  const std::string folder = tasks_folder(words);
  create_folders(folder);
  const std::string line = state_line(record);
  OutputFile entry(folder + "/" + record.key);
  entry.write(hash_of(line) + "\n" + line);
  entry.commit();
  count_written(line.size());
}

// The folder may exceed its limit by a sixteenth for each process that writes to it.
void BatchStore::count_written(std::uint64_t bytes) {
  if (written_.fetch_add(bytes) + bytes > limit_bytes_ / 16) drop_unused();
}

void BatchStore::drop_unused() {
  const std::unique_lock lock(dropping_, std::try_to_lock);
  if (!lock) return;
  written_.store(0);
  std::vector<StoreFile> files = files_below(folder_ + "/files");
  for (StoreFile& entry : files_below(folder_ + "/tasks")) files.push_back(std::move(entry));
  using std::chrono::system_clock;
  const std::int64_t now_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(system_clock::now().time_since_epoch())
          .count();
  constexpr std::int64_t kAbandonedNs = std::int64_t{3600} * 1'000'000'000;
  std::uint64_t total = 0;
  for (const StoreFile& file : files) {
    total += file.bytes;
    if (is_hash(std::filesystem::path(file.path).filename().string())) continue;
    // The temporary file of a killed process.
    if (file.used_ns < now_ns - kAbandonedNs) remove_file(file.path);
  }
  if (total <= limit_bytes_) return;
  std::sort(files.begin(), files.end(),
            [](const StoreFile& a, const StoreFile& b) { return a.used_ns < b.used_ns; });
  const std::uint64_t wanted = limit_bytes_ - limit_bytes_ / 10;  // so that it lasts for a while
  for (const StoreFile& file : files) {
    if (total <= wanted) return;
    remove_file(file.path);
    total -= file.bytes;
  }
}

}  // namespace skinbake
