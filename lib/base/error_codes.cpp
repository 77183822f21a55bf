#include "base/error_codes.h"

#include <array>

namespace skinbake {

std::span<const ErrorInfo> error_table() {
  static constexpr auto kTable = std::to_array<ErrorInfo>({
#define SKINBAKE_ERROR_ROW(code, kind, meaning, remedy) {#code, ErrorKind::kind, meaning, remedy},
      SKINBAKE_ERRORS(SKINBAKE_ERROR_ROW)
#undef SKINBAKE_ERROR_ROW
  });
  return kTable;
}

}  // namespace skinbake
