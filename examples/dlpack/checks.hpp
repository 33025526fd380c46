#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "assay/compare/compare.hpp"
#include "assay/compare/compare_operand.hpp"
#include "assay/kernels/gemm/reference.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/tensor/operand.hpp"
#include "assay/validators/describe_comparison.hpp"
#include "request.hpp"

/// Is what stands in these tensors right? Checks of results that somebody else computed, where they lie. Nothing is
/// copied; work goes to `stream`.
namespace example {

/// What the kernel promises: how it keeps its sums, and how its rounding errors behave. Of data that nobody knows, the
/// worst must be allowed for.
struct Promise {
  assay::Arithmetic arithmetic = assay::arithmetic_in<float>();
  assay::RoundingModel errors = assay::RoundingModel::worst_case;
};

inline std::string shape_of(const assay::Operand& operand) {
  std::string text = operand.format.name + std::string(" (");
  for (int d = 0; d < operand.rank; ++d) text += (d > 0 ? ", " : "") + std::to_string(operand.extents[d]);
  return text + ")";
}

/// Joins the dimensions [first, last) to one, where one stride leads through all of them.
inline bool join(const assay::Operand& operand, int first, int last, assay::Index& extent, assay::Index& stride) {
  extent = 1;
  stride = 1;
  bool any = false;
  for (int d = last - 1; d >= first; --d) {
    if (operand.extents[d] == 1) continue;
    if (any && operand.strides[d] != stride * extent) return false;
    if (!any) stride = operand.strides[d];
    any = true;
    extent *= operand.extents[d];
  }
  return true;
}

/// The operand as (outer, length, inner), or (outer, length) without inner ones, which is how a softmax takes it. No
/// dimension if gaps forbid it.
inline std::optional<assay::Operand> around(const assay::Operand& operand, int dimension) {
  assay::Operand rows = operand;
  assay::Index inner = 1, inner_stride = 1;
  rows.extents[1] = operand.extents[dimension];
  rows.strides[1] = operand.strides[dimension];
  if (!join(operand, 0, dimension, rows.extents[0], rows.strides[0]) ||
      !join(operand, dimension + 1, operand.rank, inner, inner_stride))
    return std::nullopt;
  rows.rank = inner == 1 ? 2 : 3;
  rows.extents[2] = inner;
  rows.strides[2] = inner_stride;
  return rows;
}

/// Is `output` the softmax of `input` along a dimension, or its logarithm?
template <assay::ParallelBackend B>
assay::Outcome check_softmax(B& backend, typename B::Stream& stream, const assay::Operand& input,
                             const assay::Operand& output, int dimension, bool logarithm, const Promise& promise) {
  bool same = input.rank == output.rank;
  for (int d = 0; same && d < input.rank; ++d) same = input.extents[d] == output.extents[d];
  if (!same)
    return refused(assay::ErrorKind::invalid, "input is " + shape_of(input) + " and output " + shape_of(output) +
                                                  "; they must have the same shape");
  const int own = dimension < 0 ? dimension + input.rank : dimension;
  if (own < 0 || own >= input.rank)
    return refused(assay::ErrorKind::invalid,
                   "dimension " + std::to_string(dimension) + " was given for " + shape_of(input));
  const auto in = around(input, own), out = around(output, own);
  if (!in || !out)
    return refused(assay::ErrorKind::unsupported, "the dimensions before or behind dimension " + std::to_string(own) +
                                                      " cannot be walked with one stride; make the tensors contiguous");

  assay::SoftmaxProblem problem;
  problem.outer = in->extents[0];
  problem.length = in->extents[1];
  problem.inner = in->extents[2];
  problem.logarithm = logarithm;
  problem.input = in->format;
  problem.output = out->format;
  if (auto valid = assay::check(problem); !valid) return refused(valid.error());
  assay::OperandArray operands;
  operands.count = 3;
  operands[assay::Softmax::input] = *in;
  operands[assay::Softmax::output] = *out;
  auto reference = assay::Softmax::reference(backend, stream, problem, operands, promise.errors, promise.arithmetic);
  if (!reference) return refused(reference.error());
  auto compared = assay::compare_operand(backend, stream, *out, reference.value().expected, assay::ChosenTolerance{});
  if (!compared) return refused(compared.error());
  assay::Outcome outcome;
  assay::describe(compared.value(), {}, outcome);
  outcome.id = "softmax/" + std::string(backend.name()) + "/" + assay::Softmax::formats_of(problem) + "/" +
               assay::name_of(problem);
  outcome.derivation = assay::Softmax::derivation(problem, promise.errors, promise.arithmetic);
  return outcome;
}

/// Is C = A·B? Matrices, or batches of them, all in format T.
template <assay::Format T, assay::ParallelBackend B>
assay::Outcome check_gemm_of(B& backend, typename B::Stream& stream, const assay::Operand& a, const assay::Operand& b,
                             const assay::Operand& c, const Promise& promise) {
  using Op = assay::Gemm<T, T, float, T>;
  const auto matrices = []<class Element>(const assay::Operand& operand, Element*) {
    assay::StridedView<Element, 3> view;
    view.data = static_cast<Element*>(operand.data);
    const int first = operand.rank - 2;
    view.extents[0] = first == 1 ? operand.extents[0] : 1;
    view.strides[0] = first == 1 ? operand.strides[0] : 0;
    for (int d = 0; d < 2; ++d) {
      view.extents[d + 1] = operand.extents[first + d];
      view.strides[d + 1] = operand.strides[first + d];
    }
    return view;
  };
  const typename Op::Arguments arguments{matrices(a, static_cast<const T*>(nullptr)),
                                         matrices(b, static_cast<const T*>(nullptr)),
                                         matrices(c, static_cast<T*>(nullptr))};
  assay::GemmProblem problem;
  problem.batch = arguments.c.extents[0];
  problem.m = arguments.c.extents[1];
  problem.n = arguments.c.extents[2];
  problem.k = arguments.a.extents[2];
  if (arguments.a.extents[0] != problem.batch || arguments.b.extents[0] != problem.batch ||
      arguments.a.extents[1] != problem.m || arguments.b.extents[1] != problem.k || arguments.b.extents[2] != problem.n)
    return refused(assay::ErrorKind::invalid,
                   "A is " + shape_of(a) + ", B " + shape_of(b) + " and C " + shape_of(c) + ", which do not multiply");
  const assay::ExplainedGemmBound explained = assay::gemm_bound(
      problem, promise.arithmetic.accumulation, promise.errors, problem.k, assay::gemm_needs_double_double<Op>);
  std::optional<assay::Comparison> comparison;
  // The cheap scale decides almost always; where elements stay in doubt, the exact one does.
  for (const assay::GemmScales scales : {assay::GemmScales::automatic, assay::GemmScales::exact}) {
    auto reference = assay::gemm_reference<Op>(backend, stream, problem, arguments, explained.bound, {scales});
    if (!reference) return refused(reference.error());
    auto compared =
        assay::compare(backend, stream, arguments.c, reference.value().expected(), assay::ChosenTolerance{});
    if (!compared) return refused(compared.error());
    comparison = std::move(compared).value();
    if (comparison->in_doubt == 0 || comparison->violations > 0 || reference.value().exact_scales) break;
  }
  assay::Outcome outcome;
  assay::ComparisonContext context;
  context.rows_per_batch = problem.m;
  assay::describe(*comparison, context, outcome);
  outcome.id =
      "gemm/" + std::string(backend.name()) + "/" + assay::FormatTraits<T>::name() + "/" + assay::name_of(problem);
  outcome.derivation = explained.derivation;
  return outcome;
}

template <assay::ParallelBackend B>
assay::Outcome check_gemm(B& backend, typename B::Stream& stream, const assay::Operand& a, const assay::Operand& b,
                          const assay::Operand& c, const Promise& promise) {
  for (const assay::Operand* operand : {&a, &b, &c})
    if (operand->rank != c.rank || (operand->rank != 2 && operand->rank != 3))
      return refused(assay::ErrorKind::invalid, "A is " + shape_of(a) + ", B " + shape_of(b) + " and C " + shape_of(c) +
                                                    "; all must be matrices, or all batches of matrices");
  if (a.format == c.format && b.format == c.format) {
    const auto is = [&]<class T>(T) { return c.format == assay::element_format<T>(); };
    if (is(assay::float32{})) return check_gemm_of<assay::float32>(backend, stream, a, b, c, promise);
    if (is(assay::bfloat16{})) return check_gemm_of<assay::bfloat16>(backend, stream, a, b, c, promise);
    if (is(assay::float16{})) return check_gemm_of<assay::float16>(backend, stream, a, b, c, promise);
    if constexpr (assay::backend_runs_on_host<B>)
      if (is(assay::float64{})) return check_gemm_of<assay::float64>(backend, stream, a, b, c, promise);
  }
  return refused(
      assay::ErrorKind::unsupported,
      "A is " + shape_of(a) + ", B " + shape_of(b) + " and C " + shape_of(c) +
          "; this example has products whose formats are all f32, all bf16, or all f16, and on the host all f64");
}

/// Takes the tensors over and runs the check that is asked for.
template <class B>
assay::Outcome answer(B& backend, Request& request) {
  auto stream = assay::borrow_dlpack_stream(backend, request.stream);
  if (!stream) return refused(stream.error());
  std::vector<assay::ImportedTensor> tensors;
  for (auto& [name, given] : request.tensors) {
    auto taken = given.take(backend);
    if (!taken) return refused(taken.error().kind, name + (": " + taken.error().message));
    tensors.push_back(std::move(taken).value());
  }
  const assay::Operand& output = tensors.back().operand();
  Promise promise;
  promise.errors = request.errors;
  if (request.accumulator == "f64" || (request.accumulator.empty() && output.format == assay::element_format<double>()))
    promise.arithmetic = assay::arithmetic_in<double>();
  assay::Outcome outcome =
      request.operation == Request::Operation::softmax
          ? check_softmax(backend, stream.value(), tensors[0].operand(), output, request.dimension, request.logarithm,
                          promise)
          : check_gemm(backend, stream.value(), tensors[0].operand(), tensors[1].operand(), output, promise);
  // Tensors go back when nothing reads them any more, also where a check gave up on the way.
  if (auto done = backend.synchronize(stream.value()); !done) return refused(done.error());
  return outcome;
}

}  // namespace example
