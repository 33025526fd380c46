#include "suites/operation_families.hpp"

#include "assay/kernels/all_operations.hpp"

namespace assay_program {

namespace {

template <class... Ops>
std::vector<AddFamily> families_of(assay::Operations<Ops...>) {
  return {&add_cases_of<Ops>...};
}

}  // namespace

const std::vector<AddFamily>& operation_families() {
  static const std::vector<AddFamily> all = [] {
    std::vector<AddFamily> families = families_of(assay::AllOperations());
#if defined(ASSAY_HAS_KOKKOS)
    families.push_back(&add_kokkos_family);
#endif
#if defined(ASSAY_HAS_CUDA_DEVICES)
    families.push_back(&add_cuda_family);
#endif
    return families;
  }();
  return all;
}

}  // namespace assay_program
