#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/suite/case.hpp"
#include "assay/suite/glob.hpp"
#include "assay/validators/check_operation.hpp"
#include "assay/validators/detail/operation_case.hpp"
#include "assay/validators/minimize/recorded_operation.hpp"
#include "assay/validators/suite_coverage.hpp"

namespace assay::inline v0 {

/// How the suite of an operation is made.
struct OperationSuiteOptions {
  std::vector<ElementFormat> formats = {element_format<float32>(), element_format<bfloat16>(),
                                        element_format<float16>()};
  OperationCheckOptions check;
  /// Every problem of two dimensions or more once more on the first pattern of its list, with gaps between rows and odd
  /// addresses.
  bool unusual_storage = true;
  /// Operations, as globs of names, to whose own problems small ones are added until every class of lengths is reached,
  /// which takes several times as long: see suite_coverage.hpp. None by default.
  std::vector<std::string> covered;
};

namespace detail {

/// Adds the case of one problem, pattern and storage; its id is followed by /padded for unusual storage;
/// unless there is one of that id.
template <Operation Op, ParallelBackend W>
void add_operation_case(Suite& suite, const std::shared_ptr<W>& worker,
                        const std::shared_ptr<const OperationSubject<Op>>& subject,
                        const OperationShape<typename Op::Problem>& given, FillKind fill,
                        const OperationCheckOptions& check, std::set<std::string>& ids) {
  OperationShape<typename Op::Problem> shape = given;
  std::optional<Error> refusal;  // of a problem that the contract does not go with
  if constexpr (NamesItsFields<typename Op::Problem>)
    if (const KernelContract contract = subject->contract ? subject->contract(given.problem) : KernelContract{};
        !contract.empty()) {
      auto changed = under_contract(given.problem, contract,
                                    [](const typename Op::Problem& problem) { return Op::operands(problem); });
      if (changed)
        shape.problem = std::move(changed).value();
      else
        refusal = changed.error();
    }
  const bool padded = check.storage.row_padding != 0 || check.storage.misalignment != 0;
  Case entry =
      operation_case<Op>(subject->name, shape.problem, std::string(assay::name_of(fill)) + (padded ? "/padded" : ""));
  if (!ids.insert(entry.id).second) return;
  if (shape.large) entry.tags.push_back("large");
  if (refusal) {
    entry.run = [refusal](const CaseContext&) { return refused(Outcome{}, *refusal); };
    entry.explain = [refusal](const CaseContext&) { return std::vector<std::string>{refusal->message}; };
    suite.push_back(std::move(entry));
    return;
  }
  entry.run = [worker, subject, problem = shape.problem, fill, check](const CaseContext& context) {
    return check_operation<Op>(*worker, *subject, problem, fill, check, context);
  };
  entry.explain = [subject, problem = shape.problem, fill, tolerance = check.tolerance](const CaseContext& context) {
    const Arithmetic arithmetic = subject->arithmetic(problem);
    std::vector<std::string> steps =
        Op::derivation(problem, Op::data(problem, fill, arithmetic, context.seed).model, arithmetic);
    steps.push_back(tolerance.describe());
    return steps;
  };
  if constexpr (NamesItsFields<typename Op::Problem>)
    entry.kernel = std::make_shared<RecordedOperation<Op, W>>(worker, subject, shape.problem, fill, check);
  suite.push_back(std::move(entry));
}

/// Whether covering problems are asked for, of an operation or one of its family.
template <Operation Op>
[[nodiscard]] bool covers(const OperationSuiteOptions& options,
                          const std::vector<OperationShape<typename Op::Problem>>& shapes) {
  return std::any_of(options.covered.begin(), options.covered.end(), [&](const std::string& glob) {
    return std::any_of(shapes.begin(), shapes.end(), [&](const auto& shape) {
      return glob_matches(glob, operation_name<Op>(shape.problem)) || glob_matches(glob, Op::name());
    });
  });
}

template <Operation Op, ParallelBackend W>
void add_operation_cases_on(Suite& suite, W worker, OperationSubject<Op> subject,
                            const OperationSuiteOptions& options) {
  const auto shared_worker = std::make_shared<W>(std::move(worker));
  const auto shared_subject = std::make_shared<const OperationSubject<Op>>(std::move(subject));
  std::set<std::string> ids;
  for (const ElementFormat& format : options.formats) {
    const auto shapes = Op::shapes(format);
    for (const OperationShape<typename Op::Problem>& shape : shapes) {
      for (const FillKind fill : shape.fills)
        add_operation_case<Op>(suite, shared_worker, shared_subject, shape, fill, options.check, ids);
      if (!options.unusual_storage || shape.fills.empty() || shape.large) continue;
      OperationCheckOptions padded = options.check;
      padded.storage = {3, 1};
      add_operation_case<Op>(suite, shared_worker, shared_subject, shape, shape.fills.front(), padded, ids);
    }
    if constexpr (NamesItsFields<typename Op::Problem>)
      if (covers<Op>(options, shapes))
        for (const OperationShape<typename Op::Problem>& shape : covering_shapes<Op>(format))
          add_operation_case<Op>(suite, shared_worker, shared_subject, shape, shape.fills.front(), options.check, ids);
  }
}

}  // namespace detail

/// Adds a case for each format, shape and fill of an operation's default suite; once where shapes of several formats
/// are the same. `worker` gives out the memory and runs fills, references and comparisons; copies of it are kept.
template <Operation Op, ParallelBackend W>
void add_operation_cases(Suite& suite, W worker, OperationSubject<Op> subject,
                         const OperationSuiteOptions& options = {}) {
  if constexpr (works_as_host<W> && !std::is_same_v<W, Host>)
    add_operation_cases<Op>(suite, Host(static_cast<Host&>(worker)), std::move(subject), options);
  else if constexpr (detail::compiled_on_host<Op, W>)
    detail::OperationOnHost<Op>::add_cases(suite, std::move(worker), std::move(subject), options);
  else
    detail::add_operation_cases_on<Op>(suite, std::move(worker), std::move(subject), options);
}

}  // namespace assay::inline v0
