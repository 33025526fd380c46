#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/formats/block_schemes.hpp"
#include "assay/suite/case.hpp"
#include "assay/validators/check_dequantise.hpp"
#include "assay/validators/check_quantise.hpp"
#include "assay/validators/quantise_shapes.hpp"

namespace assay::inline v0 {

/// How a suite of quantisers is made.
struct QuantiseSuiteOptions {
  std::vector<BlockScaling> schemes{all_block_schemes.begin(), all_block_schemes.end()};            ///< each becomes cases
  std::function<std::vector<QuantiseShape>(const BlockScaling&)> shapes = default_quantise_shapes;  ///< for each scheme
};

namespace detail {

template <class Op>
[[nodiscard]] Case quantise_case(const std::string& backend, const QuantiseShape& shape, const std::string& data) {
  Case entry;
  const std::string formats = Op::formats(shape.problem.scheme), name = name_of(shape.problem);
  entry.labels = {{"operation", Op::name()}, {"backend", backend}, {"formats", formats}, {"shape", name}, {"data", data}};
  entry.id = std::string(Op::name()) + "/" + backend + "/" + formats + "/" + name + "/" + data;
  if (shape.large) entry.tags.push_back("large");
  return entry;
}

}  // namespace detail

/// Adds a case for each scheme, shape and pattern. Ids are `quantise/<backend>/<input>.<scheme>/<shape>/<pattern>`. `worker`
/// gives out the memory and judges; copies of it are kept.
template <Format Input, ParallelBackend W>
void add_quantise_cases(Suite& suite, W worker, QuantiseSubject<Quantise<Input>> subject, const QuantiseSuiteOptions& options = {}) {
  using Op = Quantise<Input>;
  auto shared_worker = std::make_shared<W>(std::move(worker));
  auto shared_subject = std::make_shared<const QuantiseSubject<Op>>(std::move(subject));
  for (const BlockScaling& scheme : options.schemes)
    for (const QuantiseShape& shape : options.shapes(scheme))
      for (QuantiseFillKind fill : shape.fills) {
        Case entry = detail::quantise_case<Op>(shared_subject->name, shape, std::string(name_of(fill)));
        entry.run = [shared_worker, shared_subject, problem = shape.problem, fill](const CaseContext& context) {
          return check_quantise<Op>(*shared_worker, *shared_subject, problem, fill, context);
        };
        entry.explain = [shared_subject, problem = shape.problem](const CaseContext&) {
          return explain_quantise_bound(problem.scheme, shared_subject->arithmetic(problem));
        };
        suite.push_back(std::move(entry));
      }
}

/// The same for dequantisers. Ids are `dequantise/<backend>/<scheme>.<output>/<shape>/<pattern>`. Schemes that differ only in how
/// their scales come about are the same to them: those with given scales are left out.
template <Format Output, ParallelBackend W>
void add_dequantise_cases(Suite& suite, W worker, QuantiseSubject<Dequantise<Output>> subject, const QuantiseSuiteOptions& options = {}) {
  using Op = Dequantise<Output>;
  auto shared_worker = std::make_shared<W>(std::move(worker));
  auto shared_subject = std::make_shared<const QuantiseSubject<Op>>(std::move(subject));
  for (const BlockScaling& scheme : options.schemes) {
    if (scheme.rule == ScaleRule::given || scheme.tensor_scale == TensorScale::given) continue;
    for (const QuantiseShape& shape : options.shapes(scheme))
      for (DequantiseFillKind fill : all_dequantise_fills) {
        if (!fits(fill, scheme) || (fill != DequantiseFillKind::codes && shape.fills.size() < 3)) continue;
        Case entry = detail::quantise_case<Op>(shared_subject->name, shape, std::string(name_of(fill)));
        entry.run = [shared_worker, shared_subject, problem = shape.problem, fill](const CaseContext& context) {
          return check_dequantise<Op>(*shared_worker, *shared_subject, problem, fill, context);
        };
        entry.explain = [shared_subject, problem = shape.problem](const CaseContext&) {
          return explain_dequantise_bound(problem.scheme, shared_subject->arithmetic(problem));
        };
        suite.push_back(std::move(entry));
      }
  }
}

/// The same for the kernels that the trait `kernel<B, Op>` finds on a parallel backend, in that backend's own memory.
template <Format Input, ParallelBackend B>
void add_quantise_cases(Suite& suite, B backend, const QuantiseSuiteOptions& options = {}) {
  add_quantise_cases<Input>(suite, backend, quantise_subject<Quantise<Input>>(backend), options);
}
template <Format Output, ParallelBackend B>
void add_dequantise_cases(Suite& suite, B backend, const QuantiseSuiteOptions& options = {}) {
  add_dequantise_cases<Output>(suite, backend, quantise_subject<Dequantise<Output>>(backend), options);
}

}  // namespace assay::inline v0
