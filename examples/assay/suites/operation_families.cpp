#include "suites/operation_families.hpp"

#include <algorithm>
#include <set>
#include <type_traits>

#include "assay/kernels.hpp"
#include "assay/suite/glob.hpp"
#include "suites/described_plugins.hpp"
#include "suites/doors.hpp"
#include "suites/operation_names.hpp"

namespace assay_program {

namespace {

/// Cases that have no family yet are of this one.
void label_family(assay::Suite& suite, std::size_t first, const std::string& family) {
  for (std::size_t i = first; i < suite.size(); ++i) suite[i].labels.try_emplace("family", family);
}

template <class Op>
void add_labeled_cases_of(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  if (plugin_lacks_family(backend, Op::name())) return;
  const std::size_t first = suite.size();
  add_cases_of<Op>(suite, backend, options);
  label_family(suite, first, Op::name());
}

template <class... Ops>
std::vector<AddFamily> families_of(assay::Operations<Ops...>) {
  return {&add_labeled_cases_of<Ops>...};
}

/// Adds the names that an operation has in ids of its default suite.
template <class Op>
void add_names_of(std::map<std::string, std::string>& families) {
  for (const assay::ElementFormat& format : assay::OperationSuiteOptions().formats)
    for (const auto& shape : Op::shapes(format))
      if (!shape.fills.empty()) families[assay::detail::operation_name<Op>(shape.problem)] = Op::name();
}

template <class... Ops>
std::map<std::string, std::string> names_of(assay::Operations<Ops...>) {
  std::map<std::string, std::string> families;
  (add_names_of<Ops>(families), ...);
  return families;
}

}  // namespace

const std::map<std::string, std::string>& families_by_operation() {
  static const std::map<std::string, std::string> known = names_of(assay::AllOperations());
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

namespace {

template <class... Ops>
std::map<std::string, assay::SuiteCoverage> coverage_of(const std::set<std::string>& families,
                                                        assay::Operations<Ops...>) {
  std::map<std::string, assay::SuiteCoverage> coverage;
  const auto add = [&]<class Op>(std::type_identity<Op>) {
    if (families.count(Op::name()) > 0)
      coverage[Op::name()] = assay::detail::OperationOnHost<Op>::coverage(assay::element_format<assay::float32>());
  };
  (add(std::type_identity<Ops>()), ...);
  return coverage;
}

}  // namespace

std::map<std::string, assay::SuiteCoverage> operation_coverage(const std::vector<std::string>& operations) {
  std::set<std::string> families;
  for (const auto& [operation, family] : families_by_operation())
    if (operations.empty() || std::any_of(operations.begin(), operations.end(), [&](const std::string& asked) {
          return assay::glob_matches(asked, operation) || assay::glob_matches(asked, family);
        }))
      families.insert(family);
  return coverage_of(families, assay::AllOperations());
}

const std::vector<AddFamily>& operation_families() {
  static const std::vector<AddFamily> all = [] {
    std::vector<AddFamily> families = families_of(assay::AllOperations());
    families.push_back(&add_door_family);
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
