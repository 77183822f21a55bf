// Common parts of the HTML pages. Every text from a report is escaped.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/pages/tables.h"

namespace skinbake {

// The page up to its body. `hashes`: of the scripts that its policy allows. `more`: what it allows
// beside them, "; frame-src blob:". `mark`: another element of the head.
std::string page_head(const std::string& title, const std::vector<std::string_view>& hashes,
                      std::string_view more = "", std::string_view mark = "");

// A section with a heading; empty without content.
std::string section_html(std::string_view title, const std::string& content);

// A table; rows after the first 24 are folded away. Empty without rows. `reports`: of several, the
// first column has the letter. `kind`: a class of page.css, or empty.
std::string table_html(const PageTable& table, std::size_t reports, std::string_view kind = "");

// A name whose direction of writing does not change the text around it. The end of a very long one
// is left out.
std::string isolated(std::string_view name);

// <span class="verdict fail">fail</span>
std::string verdict_badge(VerdictStatus status);

// Names the reference, from which errors are distances; empty: the reports do not have one.
std::string references_html(std::span<const NamedReport> reports);

// JSON that is safe between <script> tags, whatever names it contains.
std::string without_tags(const std::string& json);

// ---- Parts of the page that are drawn

// Values over the frames: a <figure> of a series, one curve per run; empty: no run has it.
std::string line_chart(const std::string& path, std::span<const Run> runs);

// The parts that joints name, over the frames: one drawing per run.
std::string heat_maps(std::span<const Run> runs);

// The worst places of the runs, as cards that lead to them.
std::string worst_places(std::span<const Pair> pairs);

// One decimal: a tenth of a drawing's unit is not visible.
std::string coordinate(double value);

// Whether a value can be drawn: an untrusted report may contain any number.
bool is_drawable(const Json& value);

// ---- Parts that CMake embeds

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

}  // namespace skinbake
