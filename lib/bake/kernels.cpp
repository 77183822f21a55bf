// Where formulas meet instruction sets: this file is compiled once per Highway target.

#include "bake/kernels.h"

#include <array>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bake/kernels.cpp"
#include <hwy/foreach_target.h>

#include "bake/driver-inl.h"
#include "methods/all-inl.h"

HWY_BEFORE_NAMESPACE();
namespace skinbake::HWY_NAMESPACE {

template <class T, template <class> class... Methods>
constexpr auto kernels_of(MethodList<Methods...>) {
  using Real = Lanes<T>;
  return std::array<MethodKernels<T>, sizeof...(Methods)>{
      MethodKernels<T>{Elements<typename Methods<Real>::Joint>::kCount, kIsRigid<Methods<Real>>,
                       prepare<Methods, Real>, skin<Methods, Real>}...};
}

std::span<const MethodKernels<float>> float_table() {
  static constexpr auto kTable = kernels_of<float>(AllMethods{});
  return kTable;
}

std::span<const MethodKernels<double>> double_table() {
  static constexpr auto kTable = kernels_of<double>(AllMethods{});
  return kTable;
}

const char* name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace skinbake::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace skinbake {

HWY_EXPORT(float_table);
HWY_EXPORT(double_table);
HWY_EXPORT(name);

std::span<const MethodKernels<float>> float_kernels() {
  return HWY_DYNAMIC_DISPATCH(float_table)();
}

std::span<const MethodKernels<double>> double_kernels() {
  return HWY_DYNAMIC_DISPATCH(double_table)();
}

const char* target_name() {
  return HWY_DYNAMIC_DISPATCH(name)();
}

}  // namespace skinbake
#endif  // HWY_ONCE
