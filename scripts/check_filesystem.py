#!/usr/bin/env python3
"""Enforces calls of std::filesystem that return errors: each has an argument of type std::error_code.

The other calls throw std::filesystem::filesystem_error, whose text names neither the file's role nor a remedy.
Functions of std::filesystem::path are calls on a path alone, and do not access the disk.

Exit status: 0 every call returns its error, 1 some throw (one line each), 2 wrong usage.
"""

import re
import sys

import source_check

# Functions with and without an error code. The names of the standard, [fs.op.funcs].
FUNCTIONS = ("absolute canonical weakly_canonical relative proximate copy copy_file copy_symlink create_directory "
             "create_directories create_directory_symlink create_hard_link create_symlink current_path equivalent exists "
             "file_size hard_link_count is_block_file is_character_file is_directory is_empty is_fifo is_other "
             "is_regular_file is_socket is_symlink last_write_time permissions read_symlink remove remove_all rename "
             "resize_file space status symlink_status temp_directory_path directory_iterator "
             "recursive_directory_iterator directory_entry").split()
CALL = re.compile(r"\b(?:std::)?filesystem::(" + "|".join(FUNCTIONS) + r")\b(?:\s+\w+)?\s*[({]")
# Other names for the namespace would hide calls.
ALIAS = re.compile(r"\bnamespace\s+\w+\s*=\s*(?:::)?std::filesystem\b|\busing\s+(?:namespace\s+)?(?:::)?std::filesystem\b")
ERROR_CODE = re.compile(r"\bstd::error_code\s+(\w+(?:\s*,\s*\w+)*)\s*[;,)]")
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'')
# These take a status and do not access the disk: status of a file that was asked for with an error code.
OF_A_STATUS = re.compile(r"^(?:status|std::filesystem::(?:symlink_)?status\(.*\))$", re.S)
SOURCES = {".h", ".hpp", ".cpp", ".cc", ".in"}


def arguments_of(text, start):
    """The arguments of a call; text[start - 1] is the opening bracket."""
    depth, found, begin = 1, [], start
    for at in range(start, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and text[at] == ","):
            found.append(" ".join(text[begin:at].split()))
            begin = at + 1
        if depth == 0:
            break
    return found


def problems_of(text):
    """(line, problem) of every call in a file that throws."""
    text = COMMENT_OR_TEXT.sub(lambda match: " " * len(match[0]), text)
    codes = {name.strip() for names in ERROR_CODE.findall(text) for name in names.split(",")}
    for match in ALIAS.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, "write std::filesystem:: before each name"
    for match in CALL.finditer(text):
        arguments = arguments_of(text, match.end())
        if arguments[-1] in codes or (len(arguments) == 1 and OF_A_STATUS.match(arguments[0])):
            continue
        yield text.count("\n", 0, match.start()) + 1, f"{match[1]} throws; pass a std::error_code as its last argument"


def check(root):
    """(the number of files, all problems below `root`, as lines)."""
    files, problems = 0, []
    for path, text in source_check.sources(root, SOURCES):
        files += 1
        problems += [f"{path}:{line}: {problem}" for line, problem in problems_of(text)]
    return files, problems


def self_test():
    declared = "std::error_code failed, missing;\n"
    allowed = [
        declared + "std::filesystem::create_directories(folder, failed);",
        declared + "if (std::filesystem::equivalent(a(b, c),\n    d, missing)) return;",
        declared + "for (const auto& e : std::filesystem::directory_iterator(folder, failed)) {}",
        declared + "const std::filesystem::directory_iterator all(folder, failed);",
        declared + "return std::filesystem::is_directory(std::filesystem::symlink_status(path, missing));",
        declared + "const auto status = std::filesystem::status(path, failed);\nstd::filesystem::exists(status);",
        "void f(const std::string& path, std::error_code failed) { std::filesystem::remove(path, failed); }",
        "return std::filesystem::path(path).parent_path() / std::filesystem::path(file).filename();",
        "// std::filesystem::remove(path)",
        'throw Error("std::filesystem::remove(path)");',
    ]
    forbidden = [
        "std::filesystem::create_directories(folder);",
        declared + "std::filesystem::rename(a, b);",
        declared + "std::filesystem::remove(\n    path);",
        declared + "std::filesystem::exists(path(failed));",
        declared + "std::filesystem::is_symlink(path) && f(failed);",
        "std::filesystem::file_size(path, size);",
        "std::filesystem::directory_iterator all(folder);",
        "for (const auto& e : std::filesystem::recursive_directory_iterator{folder}) {}",
        "std::filesystem::current_path();",
        "filesystem::canonical(path);",
        declared + "std::filesystem::is_directory(std::filesystem::status(path));",
        "namespace fs = std::filesystem;",
        "using std::filesystem::remove;",
    ]
    wrong = [f"caught: {text!r}" for text in allowed if list(problems_of(text))]
    wrong += [f"not caught: {text!r}" for text in forbidden if len(list(problems_of(text))) != 1]
    return len(allowed) + len(forbidden), wrong


if __name__ == "__main__":
    sys.exit(source_check.run(__doc__, check, self_test))
