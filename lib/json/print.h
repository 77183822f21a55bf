// Prints JSON whose bytes are a contract: keys in the order of the document, indentation of two
// spaces, the shortest decimals that read back as the same number, '\n' at the end. An array or an
// object that contains neither arrays nor objects is on one line, however long it is.
//
// NaN and infinities become null, -0 becomes 0. Text is UTF-8; an invalid byte becomes U+FFFD, so
// that the output is always valid JSON. Characters that are not printable are escaped, because JSON
// is also printed on terminals.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace skinbake {

using OrderedJson = nlohmann::ordered_json;

std::string print(const OrderedJson& document);
// The same on one line: a line of a file of JSON lines.
std::string print_line(const OrderedJson& document);

// The bytes of the library's dump(), on one line. An invalid byte of a text becomes U+FFFD. One
// unit compiles the library's printer.
std::string dumped(const nlohmann::json& value);
std::string dumped(const OrderedJson& value);

// A name; null if it is empty.
OrderedJson name_json(std::string_view name);

// The double nearest to the shortest decimal of a float: print() writes as many digits of it as the
// float needs. NaN if `value` is not finite.
double shortest(float value);

}  // namespace skinbake
