#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "assay/backends/wait_at_end.hpp"
#include "assay/compare/expected_row.hpp"
#include "assay/kernels/convolution/detail/host_reference.hpp"
#include "assay/kernels/convolution/detail/scales.hpp"
#include "assay/kernels/convolution/finish.hpp"
#include "assay/kernels/convolution/portable.hpp"
#include "assay/kernels/operation.hpp"
#if ASSAY_DETAIL_VECTOR_VARIANTS
#include "assay/kernels/convolution/detail/wide_reference.hpp"
#endif

namespace assay::inline v0 {

/// References and bounds of a convolution, of the result and of the gradient of the bias. Bounds of the result may be
/// too large, stored or made of norms, and are then refined for elements in doubt.
struct ConvolutionExpected {
  static constexpr bool runs_on = true;
  const double* value[2] = {nullptr, nullptr};
  const double* error[2] = {nullptr, nullptr};
  Index columns[2] = {1, 1};  ///< the last extent
  int output = 0;
  detail::ConvolutionScales scales{};          ///< where error[0] is null
  const ConvolutionFinish* exactly = nullptr;  ///< what refines, on the host; null where error[0] is E

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    const Index element = row * columns[output] + column;
    return {value[output][element], error[output] != nullptr ? error[output][element] : scales.error(element)};
  }
  /// See `RefinableExpectation`. O(terms).
  [[nodiscard]] bool refines() const { return output == 0 && exactly != nullptr; }
  [[nodiscard]] double doubt_ratio() const { return refines() ? 1 / scales.looseness : 2; }
  /// All: nothing else decides what is in doubt.
  [[nodiscard]] static constexpr std::uint64_t most_refinements() { return ~std::uint64_t{0}; }
  [[nodiscard]] ExpectedElement refine(Index row, Index column) const {
    if (!refines()) return (*this)(row, column);
    const Index element = row * columns[output] + column;
    return {value[output][element], exactly->of(element).error};
  }
  void expected_block(Index row, Index first, Index count, double* values, double* errors) const {
    const ExpectedRow<double> stored = placed_block(row, first, count, values, errors);
    std::memcpy(values, stored.value, static_cast<std::size_t>(count) * sizeof(double));
    if (stored.error != errors) std::memcpy(errors, stored.error, static_cast<std::size_t>(count) * sizeof(double));
  }
  /// See `BlockExpectation`.
  [[nodiscard]] ExpectedRow<double> placed_block(Index row, Index first, Index count, double*, double* errors) const {
    const Index start = row * columns[output] + first;
    if (error[output] != nullptr) return {value[output] + start, error[output] + start, 0};
    scales.errors(start, count, errors);
    return {value[output] + start, errors, 0};
  }
};

namespace detail {

template <ParallelBackend B>
struct ConvolutionStorage {
  typename B::template Buffer<double> results{}, errors{};
  typename B::template Buffer<double> bias_gradients{};               ///< values, then errors
  typename B::template Buffer<double> filters{}, images{}, biases{};  ///< norms, in place of errors
  ConvolutionFinish finish{};
};

/// Values with norms in place of errors, where that suits: false where it does not.
template <ParallelBackend B>
[[nodiscard]] Result<bool> wide_convolution([[maybe_unused]] B& backend, [[maybe_unused]] typename B::Stream& stream,
                                            [[maybe_unused]] const ConvolutionFinish& finish,
                                            [[maybe_unused]] ConvolutionStorage<B>& storage,
                                            [[maybe_unused]] ConvolutionScales& scales) {
#if ASSAY_DETAIL_VECTOR_VARIANTS
  if constexpr (backend_runs_on_host<B>) {
    const ConvolutionGeometry& geometry = finish.terms.geometry;
    if (!WideConvolution<B>::suits(finish) ||
        static_cast<double>(geometry.results()) * static_cast<double>(geometry.terms()) < bounded_products)
      return false;
    typename WideConvolution<B>::Norms norms;
    const auto done = WideConvolution<B>(backend, stream, finish).run(storage.results.data(), norms, scales);
    storage.filters = std::move(norms.filters);
    storage.images = std::move(norms.images);
    storage.biases = std::move(norms.biases);
    return done;
  }
#endif
  return false;
}

/// Whether every number of the format is one of float32's.
[[nodiscard]] inline bool fits_float32(const ElementFormat& format) {
  constexpr ElementFormat single = element_format<float32>();
  return format.unit_roundoff() >= single.unit_roundoff() && format.max_finite() <= single.max_finite() &&
         format.min_subnormal() >= single.min_subnormal();
}

/// What errors of the problem's algorithm are relative to, for every result, and behind them what underflow to
/// multiples of `least` may change of results.
template <ParallelBackend B>
[[nodiscard]] Result<void> convolution_norms(B& backend, typename B::Stream& stream, const ConvolutionProblem& problem,
                                             const ConvolutionFinish& finish, double least, double* magnitudes) {
  const ConvolutionGeometry& geometry = finish.terms.geometry;
  double* const losses = magnitudes + geometry.results();
  if (problem.algorithm == ConvolutionAlgorithm::winograd) {
    const WinogradMagnitudes work{
        finish.terms, WinogradTransform::of(problem.winograd_tile), finish.bound.accumulator_max, magnitudes, least,
        losses};
    return backend.parallel_for(stream, work.count(), work);
  }
  const Index images = problem.batch * problem.input_channels,
              filters = problem.output_channels * geometry.fine_channels;
  auto norms = backend.template allocate<double>(static_cast<std::size_t>(images + filters));
  if (!norms) return norms.propagate();
  WaitAtEnd work_on_them(backend, stream);
  double* of_images = norms.value().data();
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(images + filters),
                                      ConvolutionNorms{finish.terms, of_images});
      !run)
    return run;
  const double underflow = fourier_underflow(geometry, least);
  const FourierMagnitudes work{geometry, of_images, of_images + images, magnitudes, underflow, losses};
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(geometry.results()), work); !run) return run;
  return work_on_them.wait();
}

}  // namespace detail

/// The results of a convolution in float64, with S and E.
///
/// On the host, with operands that float32 holds, by matrix products at the speed of a dgemm; else by the definition.
/// Above 2^26 products with an upper bound of S by norms where shares of magnitudes prove by how much at most it is too
/// large (`MagnitudeShares`: 16 times, 64 channel by channel): on dense data it is 1.3 to 1.6 times, in corners up to
/// 3.3 times as large, and a comparison refines it for elements in doubt, for which operands must stay as they are. Of
/// sparse data, and of data of many magnitudes, S is summed. O(results × terms) time; 16 bytes a result, or 8 and
/// norms: 8 bytes for each position of results and each 64 terms (of 3x3 filters: each 8 channels).
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<ConvolutionExpected>> convolution_reference(
    B& backend, typename B::Stream& stream, const ConvolutionProblem& problem, const OperandArray& operands,
    RoundingModel model, const Arithmetic& arithmetic) {
  using Operands = ConvolutionOperands;
  const Operand& result = operands[Operands::result(problem)];
  ConvolutionFinish finish;
  finish.terms = Operands::terms(problem, operands);
  finish.bias = operands[Operands::bias];
  finish.adds_bias = problem.bias && problem.pass == ConvolutionPass::forward;
  finish.bound = convolution_bound(problem, model, arithmetic).bound;
  finish.output_max = result.format.max_finite();
  const ConvolutionGeometry& geometry = finish.terms.geometry;

  const auto results = static_cast<std::size_t>(geometry.results());
  auto stored = backend.template allocate<double>(results);
  if (!stored) return stored.propagate();
  auto storage = std::make_shared<detail::ConvolutionStorage<B>>();
  storage->results = std::move(stored).value();
  const std::size_t channels =
      problem.bias && !finish.adds_bias ? static_cast<std::size_t>(problem.output_channels) : 0;
  auto gradients = backend.template allocate<double>(2 * channels);
  if (!gradients) return gradients.propagate();
  auto norms = backend.template allocate<double>(problem.algorithm == ConvolutionAlgorithm::direct ? 0 : 2 * results);
  if (!norms) return norms.propagate();
  detail::WaitAtEnd work_on_them(backend, stream);
  if (problem.algorithm != ConvolutionAlgorithm::direct) {
    const double least = model == RoundingModel::exact ? 0 : arithmetic.accumulation.min_subnormal;
    if (auto run = detail::convolution_norms(backend, stream, problem, finish, least, norms.value().data()); !run)
      return run.propagate();
    finish.norms = norms.value().data();
    finish.losses = finish.norms + results;
  }

  ConvolutionExpected expected;
  const bool in_single = detail::fits_float32(problem.input) && detail::fits_float32(problem.weights) &&
                         detail::fits_float32(problem.output);
  double* const value = storage->results.data();
  const auto wide =
      in_single ? detail::wide_convolution(backend, stream, finish, *storage, expected.scales) : Result<bool>(false);
  if (!wide) return wide.propagate();
  storage->finish = finish;
  if (wide.value()) {
    expected.exactly = &storage->finish;
  } else {
    auto errors = backend.template allocate<double>(results);
    if (!errors) return errors.propagate();
    storage->errors = std::move(errors).value();
    double* const error = storage->errors.data();
    const auto computed = [&]() -> Result<void> {
      if constexpr (backend_runs_on_host<B>) {
        if (in_single) {
          detail::HostConvolution<B> reference(backend, stream, finish);
          auto done = reference.run(value, error);
          if (reference.bounded()) expected.exactly = &storage->finish;
          return done;
        }
      }
      return backend.parallel_for(stream, results, FinishConvolution{finish, value, error});
    }();
    if (!computed) return computed.propagate();
    expected.error[0] = error;
  }
  if (channels > 0) {
    const Index(&extents)[3] = problem.transposed ? geometry.fine : geometry.coarse;
    double* gradient = gradients.value().data();
    const FinishBiasGradient work{problem.transposed ? finish.terms.fine : finish.terms.coarse,
                                  problem.batch,
                                  {extents[0], extents[1], extents[2]},
                                  bias_gradient_bound(problem, model, arithmetic),
                                  operands[Operands::bias].format.max_finite(),
                                  gradient,
                                  gradient + channels};
    if (auto run = backend.parallel_for(stream, channels, work); !run) return run.propagate();
    expected.value[1] = gradient;
    expected.error[1] = gradient + channels;
    expected.columns[1] = problem.output_channels;
  }
  if (auto done = work_on_them.wait(); !done) return done.propagate();
  expected.value[0] = value;
  expected.columns[0] = result.extents[result.rank - 1];
  storage->bias_gradients = std::move(gradients).value();
  return OperationReference<ConvolutionExpected>{expected, std::move(storage)};
}

}  // namespace assay::inline v0
