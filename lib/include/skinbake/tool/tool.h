// All headers that only the command-line tool needs. They may change in any version.

#pragma once

#include "skinbake/tool/catalogue.h"
#include "skinbake/tool/comparison.h"
#include "skinbake/tool/error_matrix.h"
#include "skinbake/tool/explain.h"
#include "skinbake/tool/file_name.h"
#include "skinbake/tool/fit_report.h"
#include "skinbake/tool/hausdorff.h"
#include "skinbake/tool/inspect.h"
#include "skinbake/tool/output_file.h"
#include "skinbake/tool/parsed_report.h"
#include "skinbake/tool/printable.h"
#include "skinbake/tool/recommendation.h"
#include "skinbake/tool/report_text.h"
#include "skinbake/tool/rig_file.h"
#include "skinbake/tool/surface_report.h"
#include "skinbake/tool/surfaces.h"
#include "skinbake/tool/targets.h"
#include "skinbake/tool/temporary_frames.h"
#include "skinbake/tool/viewer.h"
