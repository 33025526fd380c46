#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "assay/kernels/convolution/detail/host_reference.hpp"
#include "assay/kernels/convolution/finish.hpp"
#include "assay/kernels/convolution/portable.hpp"
#include "assay/kernels/operation.hpp"

namespace assay {

/// References and bounds of a convolution, stored: of the result, and of the gradient of the bias.
struct ConvolutionExpected {
  const double* value[2] = {nullptr, nullptr};
  const double* error[2] = {nullptr, nullptr};
  Index columns[2] = {1, 1};  ///< the last extent
  int output = 0;

  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index row, Index column) const {
    const Index element = row * columns[output] + column;
    return {value[output][element], error[output][element]};
  }
  void expected_block(Index row, Index first, Index count, double* values, double* errors) const {
    const Index start = row * columns[output] + first;
    for (Index i = 0; i < count; ++i) values[i] = value[output][start + i];
    for (Index i = 0; i < count; ++i) errors[i] = error[output][start + i];
  }
};

namespace detail {

template <ParallelBackend B>
struct ConvolutionStorage {
  typename B::template Buffer<double> results;         ///< values, then errors
  typename B::template Buffer<double> bias_gradients;  ///< values, then errors
};

/// Whether every number of the format is one of float32's.
[[nodiscard]] inline bool fits_float32(const ElementFormat& format) {
  constexpr ElementFormat single = element_format<float32>();
  return format.unit_roundoff() >= single.unit_roundoff() && format.max_finite() <= single.max_finite() && format.min_subnormal() >= single.min_subnormal();
}

/// What errors of the problem's algorithm are relative to, for every result.
template <ParallelBackend B>
[[nodiscard]] Result<void> convolution_norms(B& backend, typename B::Stream& stream, const ConvolutionProblem& problem, const ConvolutionFinish& finish, double* magnitudes) {
  const ConvolutionGeometry& geometry = finish.terms.geometry;
  if (problem.algorithm == ConvolutionAlgorithm::winograd) {
    const WinogradMagnitudes work{finish.terms, WinogradTransform::of(problem.winograd_tile), finish.bound.accumulator_max, magnitudes};
    return backend.parallel_for(stream, work.count(), work);
  }
  const Index images = problem.batch * problem.input_channels, filters = problem.output_channels * geometry.fine_channels;
  auto norms = backend.template allocate<double>(static_cast<std::size_t>(images + filters));
  if (!norms) return norms.propagate();
  double* of_images = norms.value().data();
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(images + filters), ConvolutionNorms{finish.terms, of_images}); !run) return run;
  const FourierMagnitudes work{geometry, of_images, of_images + images, magnitudes};
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(geometry.results()), work); !run) return run;
  return backend.synchronize(stream);
}

}  // namespace detail

/// The results of a convolution in float64, with S and E.
///
/// On the host, with operands that float32 holds, by matrix products at the speed of a dgemm (above 2^26 products with an upper bound of S that
/// is 1.3 to 1.6 times as large on dense data, in corners up to 2.7 times); else by the definition. O(results × terms) time, 16 bytes a result.
template <ParallelBackend B>
[[nodiscard]] Result<OperationReference<ConvolutionExpected>> convolution_reference(B& backend, typename B::Stream& stream, const ConvolutionProblem& problem, const OperandArray& operands,
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
  auto stored = backend.template allocate<double>(2 * results);
  if (!stored) return stored.propagate();
  const std::size_t channels = problem.bias && !finish.adds_bias ? static_cast<std::size_t>(problem.output_channels) : 0;
  auto gradients = backend.template allocate<double>(2 * channels);
  if (!gradients) return gradients.propagate();
  auto norms = backend.template allocate<double>(problem.algorithm == ConvolutionAlgorithm::direct ? 0 : results);
  if (!norms) return norms.propagate();
  if (problem.algorithm != ConvolutionAlgorithm::direct) {
    if (auto run = detail::convolution_norms(backend, stream, problem, finish, norms.value().data()); !run) return run.propagate();
    finish.norms = norms.value().data();
  }

  double* value = stored.value().data();
  double* error = value + results;
  const auto computed = [&]() -> Result<void> {
    if constexpr (backend_runs_on_host<B>) {
      if (detail::fits_float32(problem.input) && detail::fits_float32(problem.weights) && detail::fits_float32(problem.output))
        return detail::HostConvolution<B>(backend, stream, finish).run(value, error);
    }
    return backend.parallel_for(stream, results, FinishConvolution{finish, value, error});
  }();
  if (!computed) return computed.propagate();
  ConvolutionExpected expected;
  if (channels > 0) {
    const Index(&extents)[3] = problem.transposed ? geometry.fine : geometry.coarse;
    double* gradient = gradients.value().data();
    const FinishBiasGradient work{problem.transposed ? finish.terms.fine : finish.terms.coarse, problem.batch, {extents[0], extents[1], extents[2]},
                                  bias_gradient_bound(problem, model, arithmetic), operands[Operands::bias].format.max_finite(), gradient, gradient + channels};
    if (auto run = backend.parallel_for(stream, channels, work); !run) return run.propagate();
    expected.value[1] = gradient;
    expected.error[1] = gradient + channels;
    expected.columns[1] = problem.output_channels;
  }
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  expected.value[0] = value;
  expected.error[0] = error;
  expected.columns[0] = result.extents[result.rank - 1];
  using Storage = detail::ConvolutionStorage<B>;
  return OperationReference<ConvolutionExpected>{expected, std::make_shared<Storage>(Storage{std::move(stored).value(), std::move(gradients).value()})};
}

}  // namespace assay
