#pragma once

#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/detail/ordered_element.hpp"
#include "assay/kernels/pooling/problem.hpp"

namespace assay::inline v0 {

/// One output: the window's maximum and its place, or its average in single precision.
struct PortablePooling {
  PoolingProblem problem;
  Operand input, output, indices;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index element = static_cast<Index>(index);
    const PoolingPlace place = PoolingPlace::of(element, problem, true);
    const PoolingWindow window = PoolingWindow::of(problem, place.position);
    float sum = 0;
    detail::OrderedElement maximum;
    Index where = -1, source = 0;
    for (Index a = 0; a < window.count[0]; ++a)
      for (Index b = 0; b < window.count[1]; ++b)
        for (Index c = 0; c < window.count[2]; ++c) {
          const Index i = window.first[0] + a * window.step[0], j = window.first[1] + b * window.step[1],
                      k = window.first[2] + c * window.step[2];
          const Index own = place.element(problem, false, i, j, k);
          const auto x = detail::OrderedElement::of(input, own);
          sum += static_cast<float>(x.value);
          if (where >= 0 && (is_nan(maximum.value) || !(x.exceeds(maximum) || is_nan(x.value)))) continue;
          maximum = x;
          source = own;
          where = (i * problem.input[1] + j) * problem.input[2] + k;
        }
    if (problem.kind == PoolingKind::maximum)
      output.format.store_code(output.data, output.offset_of(element),
                               input.format.load_code(input.data, input.offset_of(source)));
    else
      output.store(element, static_cast<double>(sum / static_cast<float>(window.divisor)));
    if (indices.present()) indices.store(element, static_cast<double>(where));
  }
};

/// The gradient of one channel of one image, window after window.
struct PortablePoolingGradient {
  PoolingProblem problem;
  Operand gradient, indices, output;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    PoolingPlace place;
    place.batch = static_cast<Index>(index) / problem.channels;
    place.channel = static_cast<Index>(index) % problem.channels;
    for (Index i = 0; i < problem.input[0]; ++i)
      for (Index j = 0; j < problem.input[1]; ++j)
        for (Index k = 0; k < problem.input[2]; ++k)
          output.store(place.element(problem, false, i, j, k), static_cast<double>(gathered(place, i, j, k)));
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION float gathered(const PoolingPlace& place, Index i, Index j, Index k) const {
    float sum = 0;
    for (Index a = 0; a < problem.output(0); ++a)
      for (Index b = 0; b < problem.output(1); ++b)
        for (Index c = 0; c < problem.output(2); ++c) {
          const PoolingWindow window = PoolingWindow::of(problem, {a, b, c});
          if (!window.covers(0, i) || !window.covers(1, j) || !window.covers(2, k)) continue;
          const Index source = place.element(problem, true, a, b, c);
          const float g = static_cast<float>(gradient.load(source));
          if (problem.kind == PoolingKind::average)
            sum += g / static_cast<float>(window.divisor);
          else if (static_cast<Index>(indices.load(source)) == (i * problem.input[1] + j) * problem.input[2] + k)
            sum += g;
        }
    return sum;
  }
};

/// Pooling for any parallel backend and format, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_pooling(B& backend, typename B::Stream& stream, const PoolingProblem& problem,
                                            const OperandArray& operands) {
  if (problem.backward)
    return backend.parallel_for(stream, static_cast<std::size_t>(problem.batch * problem.channels),
                                PortablePoolingGradient{problem, operands[0], operands[1], operands[2]});
  return backend.parallel_for(stream, static_cast<std::size_t>(operands[2].size()),
                              PortablePooling{problem, operands[0], operands[2], operands[3]});
}

}  // namespace assay::inline v0
