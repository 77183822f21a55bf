// The formats of a page, and the parts that CMake embeds into the HTML page.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/read/parsed_report.h"

namespace skinbake {

std::string to_html(std::span<const ParsedReport> reports, const View* view,
                    std::string_view overview);
std::string to_markdown(std::span<const ParsedReport> reports);
std::string to_junit(std::span<const ParsedReport> reports);

std::string_view page_style();
std::string_view page_script();    // draws charts; the page is complete without it
std::string_view viewer_script();  // the 3D viewer; empty in a build without it
std::string_view view_elements();  // HTML that the viewer's script fills

std::string_view overview_script();
std::string_view overview_elements();  // HTML that the overview's script fills

// Base64 of the SHA-256 of the scripts, for the page's Content-Security-Policy.
std::string_view page_script_hash();
std::string_view viewer_script_hash();
std::string_view overview_script_hash();

// The page up to its body. `hashes`: of the scripts that its policy allows. `more`: what it allows
// beside them, "; frame-src blob:".
std::string page_head(const std::string& title, const std::vector<std::string_view>& hashes,
                      std::string_view more = "");

// The names of the characters, each once: "hero, fox". Not escaped.
std::string subject_of(std::span<const ParsedReport> reports);

// JSON that is safe between <script> tags, whatever names it contains.
std::string without_tags(const std::string& json);

}  // namespace skinbake
