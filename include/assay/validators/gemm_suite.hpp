#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/suite/case.hpp"
#include "assay/validators/check_gemm.hpp"
#include "assay/validators/check_gemm_residual.hpp"
#include "assay/validators/check_gemm_sampled.hpp"
#include "assay/validators/detail/gemm_on_host.hpp"
#include "assay/validators/explain_gemm.hpp"
#include "assay/validators/gemm_shapes.hpp"
#include "assay/validators/minimize/recorded_gemm.hpp"

namespace assay::inline v0 {

namespace detail {
/// A copy in a backend's memory, never empty.
template <ParallelBackend W>
[[nodiscard]] Result<typename W::template Buffer<double>> upload(W& backend, typename W::Stream& stream,
                                                                 const std::vector<double>& values) {
  auto buffer = backend.template allocate<double>(values.size() + 1);
  if (!buffer) return buffer.propagate();
  if (auto copied = backend.copy_to_device(stream, buffer.value().data(), values.data(), values.size()); !copied)
    return copied.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  return Result<typename W::template Buffer<double>>(std::move(buffer).value());
}
}  // namespace detail

/// How a GEMM suite is made.
struct GemmSuiteOptions {
  std::vector<GemmShape> shapes = default_gemm_shapes();
  GemmCheckOptions check;
};

namespace detail {

/// A case on given data, without its function: labels and id gemm/<backend>/<formats>/<shape>/<data>, with the method
/// as a last part where it is not the full check.
template <class Op>
[[nodiscard]] Case gemm_case(const std::string& backend, const GemmProblem& problem, const std::string& data,
                             GemmCheckMethod method) {
  Case entry;
  entry.labels = {{"operation", Op::name()},
                  {"backend", backend},
                  {"formats", Op::formats()},
                  {"shape", name_of(problem)},
                  {"data", data}};
  entry.id = std::string(Op::name()) + "/" + backend + "/" + Op::formats() + "/" + name_of(problem) + "/" + data;
  if (method != GemmCheckMethod::full) {
    entry.labels["check"] = name_of(method);
    entry.id += "/" + std::string(name_of(method));
  }
  return entry;
}

/// Runs the check that the options name.
template <class Op, ParallelBackend W>
[[nodiscard]] Outcome check_gemm_by_method(W& worker, const GemmSubject<Op>& subject, const GemmProblem& problem,
                                           const GemmData& data, const GemmCheckOptions& options,
                                           const CaseContext& context) {
  switch (options.method) {
    case GemmCheckMethod::full: return check_gemm<Op>(worker, subject, problem, data, options, context);
    case GemmCheckMethod::residual: return check_gemm_residual<Op>(worker, subject, problem, data, options, context);
    case GemmCheckMethod::sampled: return check_gemm_sampled<Op>(worker, subject, problem, data, options, context);
  }
  misuse("GemmCheckOptions::method is not one of full, residual and sampled");
}

template <class Op, ParallelBackend W>
void add_gemm_cases_on(Suite& suite, W worker, GemmSubject<Op> subject, const GemmSuiteOptions& options) {
  auto shared_worker = std::make_shared<W>(std::move(worker));
  auto shared_subject = std::make_shared<const GemmSubject<Op>>(std::move(subject));
  std::set<std::string> ids;  // problems that a contract makes the same are asked for once
  for (GemmShape shape : options.shapes) {
    const KernelContract contract =
        shared_subject->contract ? shared_subject->contract(shape.problem) : KernelContract{};
    std::optional<Error> refusal;  // of a problem that the contract does not go with
    if (!contract.empty()) {
      const auto changed =
          under_contract(shape.problem, contract, [](const GemmProblem& problem) { return lay_out(problem); });
      if (changed)
        shape.problem = changed.value();
      else
        refusal = changed.error();
    }
    for (FillKind fill : shape.fills) {
      if (options.check.method == GemmCheckMethod::residual && fill == FillKind::special) continue;
      Case entry =
          detail::gemm_case<Op>(shared_subject->name, shape.problem, std::string(name_of(fill)), options.check.method);
      if (!contract.empty() && !ids.insert(entry.id).second) continue;
      if (shape.large) entry.tags.push_back("large");
      if (refusal) {
        entry.run = [refusal](const CaseContext&) { return refused(Outcome{}, *refusal); };
        entry.explain = [refusal](const CaseContext&) { return std::vector<std::string>{refusal->message}; };
        suite.push_back(std::move(entry));
        continue;
      }
      entry.run = [shared_worker, shared_subject, problem = shape.problem, fill,
                   check = options.check](const CaseContext& context) {
        const GemmData data = gemm_data<Op>(fill, problem, shared_subject->accumulation(problem), context.seed);
        return detail::check_gemm_by_method<Op>(*shared_worker, *shared_subject, problem, data, check, context);
      };
      entry.explain = [shared_subject, problem = shape.problem, fill,
                       check = options.check](const CaseContext& context) {
        return explain_gemm<Op>(problem, fill, shared_subject->accumulation(problem), check, context.seed);
      };
      if (options.check.method == GemmCheckMethod::full)
        entry.kernel =
            std::make_shared<RecordedGemm<Op, W>>(shared_worker, shared_subject, shape.problem, fill, options.check);
      suite.push_back(std::move(entry));
    }
  }
}
}  // namespace detail

/// Adds a case for each shape and fill. Ids are `gemm/<backend>/<formats>/<shape>/<fill>`, followed by /residual or
/// /sampled for these checks. `worker` gives out the memory and runs fills, reference and comparison; copies of it are
/// kept. The residual check leaves the fill `special` out: its rows with NaN or infinities could not be judged.
template <class Op, ParallelBackend W>
void add_gemm_cases(Suite& suite, W worker, GemmSubject<Op> subject, const GemmSuiteOptions& options = {}) {
  if constexpr (works_as_host<W> && !std::is_same_v<W, Host>)
    add_gemm_cases<Op>(suite, Host(static_cast<Host&>(worker)), std::move(subject), options);
  else if constexpr (detail::gemm_compiled_on_host<Op, W>)
    detail::GemmOnHost<Op>::add_cases(suite, std::move(worker), std::move(subject), options);
  else
    detail::add_gemm_cases_on<Op>(suite, std::move(worker), std::move(subject), options);
}

/// The same for the kernel that the trait `kernel<B, Op>` finds on a parallel backend, in that backend's own memory.
template <class Op, ParallelBackend B>
void add_gemm_cases(Suite& suite, B backend, const GemmSuiteOptions& options = {}) {
  add_gemm_cases<Op>(suite, backend, gemm_subject<Op>(backend), options);
}

/// Matrices of the user's own: op(A) is m×k, op(B) is k×n, row-major.
struct GemmMatrices {
  /// Extents of the product.
  Index m = 0, n = 0, k = 0;
  /// Row-major.
  std::vector<double> a, b;
  std::string name = "given";  ///< the last part of the case's id
};

namespace detail {
template <class Op, ParallelBackend W>
void add_gemm_case_on(Suite& suite, W worker, GemmSubject<Op> subject, std::shared_ptr<const GemmMatrices> matrices,
                      const GemmCheckOptions& check) {
  GemmProblem problem;
  problem.m = matrices->m;
  problem.n = matrices->n;
  problem.k = matrices->k;
  expect(static_cast<Index>(matrices->a.size()) == checked_product(problem.m, problem.k) &&
             static_cast<Index>(matrices->b.size()) == checked_product(problem.k, problem.n),
         [&] {
           return "matrices of " + std::to_string(matrices->a.size()) + " and " + std::to_string(matrices->b.size()) +
                  " elements were given for m, n, k = " + std::to_string(problem.m) + ", " + std::to_string(problem.n) +
                  ", " + std::to_string(problem.k) + "; A has m*k and B k*n elements";
         });
  Case entry = detail::gemm_case<Op>(subject.name, problem, matrices->name, check.method);
  entry.explain = [accumulation = subject.accumulation, matrices, problem, check](const CaseContext&) {
    return explain_gemm<Op>(problem, GemmData::given(problem, matrices->a.data(), matrices->b.data()),
                            accumulation(problem), check);
  };
  entry.run = [shared_worker = std::make_shared<W>(std::move(worker)), subject = std::move(subject), matrices, problem,
               check](const CaseContext& context) {
    W& backend = *shared_worker;
    auto stream = backend.make_stream();
    if (!stream) return detail::refused({}, stream.error());
    auto a = detail::upload(backend, stream.value(), matrices->a);
    if (!a) return detail::refused({}, a.error());
    auto b = detail::upload(backend, stream.value(), matrices->b);
    if (!b) return detail::refused({}, b.error());
    return detail::check_gemm_by_method<Op>(
        backend, subject, problem, GemmData::given(problem, a.value().data(), b.value().data()), check, context);
  };
  suite.push_back(std::move(entry));
}
}  // namespace detail

/// Adds one case: C = A·B on the user's own matrices, rounded to the formats of `Op`. Misuse: vectors that do not have
/// m·k and k·n elements.
template <class Op, ParallelBackend W>
void add_gemm_case(Suite& suite, W worker, GemmSubject<Op> subject, std::shared_ptr<const GemmMatrices> matrices,
                   const GemmCheckOptions& check = {}) {
  if constexpr (works_as_host<W> && !std::is_same_v<W, Host>)
    add_gemm_case<Op>(suite, Host(static_cast<Host&>(worker)), std::move(subject), std::move(matrices), check);
  else if constexpr (detail::gemm_compiled_on_host<Op, W>)
    detail::GemmOnHost<Op>::add_case(suite, std::move(worker), std::move(subject), std::move(matrices), check);
  else
    detail::add_gemm_case_on<Op>(suite, std::move(worker), std::move(subject), std::move(matrices), check);
}

}  // namespace assay::inline v0
