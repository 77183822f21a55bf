// The report as one JSON document (lib/report/report.schema.json). It is printed, read back,
// rendered as a page and handed to Python.

#pragma once

#include "json/print.h"
#include "report/report.h"

namespace skinbake {

// Equal results give equal documents on every machine and with any thread count.
OrderedJson document_of(const Report& report);

}  // namespace skinbake
