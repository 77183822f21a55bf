#include "command/words.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <utility>

#include "command_line.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace skinbake::fuzz {

namespace {

constexpr std::size_t kMostWords = 24;

constexpr const char* kPaths[] = {
    "rig.gltf", "rig.gltf", "a.pc2",        "b.npy",      "r.json",   "s.json",    "{mesh}.pc2",
    "x.glb",    "x.mdd",    "x.npy",        "x.usda",     "x.exr",    "x.png",     "x.html",
    "x.md",     "x.xml",    "{method}.pc2", "missing",    "map.json", "jobs.json", "-",
    "p.pc2",    "q.pc2",    "p.json",       "q.json",     "man.gltf", "old",       "new",
    "store",    "goldens",  "golds",        "bakes.json", "c.json",   "fit.glb"};
constexpr const char* kValues[] = {"lbs",
                                   "dqs",
                                   "cor",
                                   "dqs:sign=temporal",
                                   "sbs",
                                   "lbs,dqs",
                                   "exact",
                                   "all",
                                   "auto",
                                   "none",
                                   "error",
                                   "error,volume",
                                   "bend",
                                   "body",
                                   "elbow",
                                   "elbow:n=2",
                                   "0",
                                   "1",
                                   "2",
                                   "3",
                                   "-1",
                                   "0.5",
                                   "30",
                                   "1e-9",
                                   "1e300",
                                   "nan",
                                   "inf",
                                   "5%",
                                   "1mm",
                                   "0:3",
                                   "1:",
                                   "::2",
                                   "3:1",
                                   "unreal-4",
                                   "u8",
                                   "u16",
                                   "4",
                                   "y",
                                   "z",
                                   "scene",
                                   "mesh",
                                   "bind",
                                   "rest",
                                   "first-frame",
                                   "geometric",
                                   "skinned",
                                   "json",
                                   "npy",
                                   "glb:quantize=1",
                                   "glb:normals=1,meshopt=1",
                                   "npy:precision=half",
                                   "always",
                                   "never",
                                   "1M",
                                   "64M",
                                   "methods",
                                   "formats",
                                   "metrics",
                                   "clip",
                                   "30000/1001",
                                   ""};

// Words that a value is searched in for an option, by a part of the option's name.
struct Values {
  const char* option;
  std::span<const char* const> values;
};
constexpr const char *kMethods[] = {"lbs", "dqs", "cor", "dqs:sign=first", "sbs", "ddm", "lbs,dqs"},
                     *kNumbers[] = {"0", "1", "0.5", "1e-6", "30", "10"},
                     *kFrames[] = {"0:3", "1:2", "::2", "3"},
                     *kMetrics[] = {"all", "error", "volume,error", "bulge", "in_between"},
                     *kOutputs[] = {"x.pc2",  "x.glb", "x.npy",        "x.mdd",
                                    "x.usda", "x.exr", "{method}.npy", "{mesh}.{clip}.pc2",
                                    "a.pc2"},
                     *kReports[] = {"x.json", "-", "r.json"}, *kThreads[] = {"1", "2"};
constexpr Values kKnown[] = {
    {"--method", kMethods},  {"--reference", kMethods}, {"--fps", kNumbers},
    {"--fail", kNumbers},    {"--warn", kNumbers},      {"--frames", kFrames},
    {"--metrics", kMetrics}, {"--output", kOutputs},    {"--report", kReports},
    {"--threads", kThreads}, {"--scale", kNumbers},     {"--max-frames", kThreads}};

// Chooses by a seed.
class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}

  // Below `count`.
  std::size_t below(std::size_t count) { return random_() % count; }

  template <class All>
  const auto& one_of(const All& all) {
    return all[below(std::size(all))];
  }

 private:
  std::mt19937 random_;
};

std::string value_of(Chance& chance, const std::string& option) {
  for (const Values& known : kKnown) {
    if (option.starts_with(known.option) && chance.below(3) != 0) {
      return chance.one_of(known.values);
    }
  }
  return chance.below(3) == 0 ? chance.one_of(kPaths) : chance.one_of(kValues);
}

// The command of the words, or the one within it: `batch merge`.
const CLI::App& command_of(const Words& words) {
  const CLI::App* command = all_commands().get_subcommand(words.front());
  if (words.size() > 1) {
    for (const CLI::App* inner : command->get_subcommands({})) {
      if (inner->get_name() == words[1]) return *inner;
    }
  }
  return *command;
}

void add_option(Chance& chance, Words& words) {
  const auto options = command_of(words).get_options();
  const CLI::Option& option = *chance.one_of(options);
  if (option.get_lnames().empty()) return;
  words.push_back("--" + option.get_lnames().front());
  if (option.get_items_expected_max() > 0) words.push_back(value_of(chance, words.back()));
}

Words new_line(Chance& chance) {
  const auto commands = all_commands().get_subcommands({});
  Words words{chance.one_of(commands)->get_name()};
  for (const CLI::Option* option : command_of(words).get_options()) {
    if (option->get_positional()) {
      words.emplace_back(chance.below(2) == 0 ? "rig.gltf" : chance.one_of(kPaths));
    }
  }
  for (std::size_t count = chance.below(4); count > 0; --count) add_option(chance, words);
  return words;
}

// Replaces a word by bytes that need not be a value.
void change_bytes(std::string& word) {
  constexpr std::size_t kMostBytes = 40;
  const std::size_t size = std::min(word.size(), kMostBytes);
  word.resize(kMostBytes);
  word.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(word.data()), size, kMostBytes));
  std::replace(word.begin(), word.end(), '\n', ' ');
}

void change(Chance& chance, Words& words) {
  std::string& word = words[chance.below(words.size())];
  const bool is_command = &word == &words.front();
  switch (chance.below(8)) {
    case 0:
      words = new_line(chance);
      return;
    case 1:
      if (!is_command) words.erase(words.begin() + (&word - words.data()));
      return;
    case 2:
      if (!is_command) word = chance.below(2) == 0 ? chance.one_of(kPaths) : chance.one_of(kValues);
      return;
    case 3:
      if (!is_command) change_bytes(word);
      return;
    default:
      add_option(chance, words);
  }
}

}  // namespace

const CLI::App& all_commands() {
  static CLI::App app;
  static int exit_code = 0;
  if (app.get_subcommands({}).empty()) cli::add_program(app, exit_code);
  return app;
}

Words words_of(const std::uint8_t* data, std::size_t size) {
  Words words{""};
  for (std::size_t i = 0; i < size && words.size() <= kMostWords; ++i) {
    const char c = static_cast<char>(data[i]);
    if (c == '\n') {
      words.emplace_back();
    } else if (c != '/' && c != '\0') {
      words.back() += c;
    }
  }
  words.resize(std::min(words.size(), kMostWords));
  const auto commands = all_commands().get_subcommands({});
  const bool is_command =
      std::any_of(commands.begin(), commands.end(),
                  [&](const CLI::App* command) { return command->get_name() == words.front(); });
  return is_command ? words : Words{};
}

std::size_t mutate_words(std::uint8_t* data, std::size_t size, std::size_t max_size,
                         unsigned seed) {
  Chance chance(seed);
  Words words = words_of(data, size);
  if (words.empty()) words = new_line(chance);
  for (std::size_t changes = 1 + chance.below(3); changes > 0; --changes) change(chance, words);
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "\n") + word;
  text.resize(std::min(text.size(), max_size));
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace skinbake::fuzz
