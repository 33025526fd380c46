#include "suites/operation_families.hpp"

#include "assay/kernels.hpp"
#include "suites/operation_names.hpp"

namespace assay_program {

namespace {

/// Cases that have no family yet are of this one.
void label_family(assay::Suite& suite, std::size_t first, const std::string& family) {
  for (std::size_t i = first; i < suite.size(); ++i) suite[i].labels.try_emplace("family", family);
}

template <class Op>
void add_labeled_cases_of(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  const std::size_t first = suite.size();
  add_cases_of<Op>(suite, backend, options);
  label_family(suite, first, Op::name());
}

template <class... Ops>
std::vector<AddFamily> families_of(assay::Operations<Ops...>) {
  return {&add_labeled_cases_of<Ops>...};
}

}  // namespace

const std::map<std::string, std::string>& families_by_operation() {
  static const std::map<std::string, std::string> known = [] {
    std::map<std::string, std::string> families;
    assay::Suite cases;
    for (const AddFamily add : families_of(assay::AllOperations())) add(cases, "host", {});
    for (const assay::Case& entry : cases) families[entry.labels.at("operation")] = entry.labels.at("family");
    return families;
  }();
  return known;
}

namespace {

/// The cases of a function that adds those of many families.
template <AddFamily add>
[[maybe_unused]] void add_labeled_cases(assay::Suite& suite, std::string_view backend,
                                        const assay::OperationSuiteOptions& options) {
  const std::size_t first = suite.size();
  add(suite, backend, options);
  for (std::size_t i = first; i < suite.size(); ++i)
    if (const auto found = families_by_operation().find(suite[i].labels["operation"]);
        found != families_by_operation().end())
      suite[i].labels.try_emplace("family", found->second);
}

}  // namespace

const std::vector<AddFamily>& operation_families() {
  static const std::vector<AddFamily> all = [] {
    std::vector<AddFamily> families = families_of(assay::AllOperations());
#if defined(ASSAY_HAS_KOKKOS)
    families.push_back(&add_labeled_cases<add_kokkos_family>);
#endif
#if defined(ASSAY_HAS_CUDA_DEVICES)
    families.push_back(&add_labeled_cases<add_cuda_family>);
#endif
    return families;
  }();
  return all;
}

}  // namespace assay_program
