#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/wait_at_end.hpp"
#include "assay/kernels/quantize/clear_rows.hpp"
#include "assay/kernels/quantize/dequantize_fill.hpp"
#include "assay/kernels/quantize/problem.hpp"
#include "assay/validators/detail/quantized_memory.hpp"

namespace assay::inline v0::detail {

struct FillCodes {
  MutableQuantizedView quantized;
  DequantizeFill pattern;
  Index columns;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index);
    for (Index column = 0; column < columns; ++column)
      write_code(quantized.codes + row * quantized.layout.code_row_bytes, pattern.scheme.packing,
                 pattern.scheme.element.bits, column, pattern.code(row, column));
  }
};

struct FillScales {
  MutableQuantizedView quantized;
  DequantizeFill pattern;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const ScaleLayout& table = quantized.layout.scales;
    const Index row = static_cast<Index>(index) / table.columns, column = static_cast<Index>(index) % table.columns,
                place = table.offset(row, column);
    store_scale(quantized.scales, pattern.scheme.scale.bits, place, pattern.scale(row, column));
    if (pattern.scheme.zero_points)
      quantized.zero_points[place] = static_cast<std::uint8_t>(pattern.zero_point(row, column));
    if (index == 0 && pattern.scheme.tensor_scale != TensorScale::none)
      *quantized.tensor_scale = pattern.tensor_scale();
  }
};

/// Counts elements of a row of the output that still hold the poison (where no poison can be due), and elements between
/// rows that no longer do.
template <Format Output>
struct CountOutputPoison {
  const Output* data;
  Index columns, leading_dimension, rows;

  ASSAY_FUNCTION void operator()(std::size_t index, ByteTally& tally) const {
    const Index row = static_cast<Index>(index);
    for (Index column = 0; column < leading_dimension; ++column) {
      if (row + 1 == rows && column >= columns) break;
      const bool poisoned =
          FormatTraits<Output>::to_bits(data[row * leading_dimension + column]) == poison_bits<Output>(0);
      if (column < columns)
        tally.unwritten += poisoned ? 1 : 0;
      else
        tally.overwritten += poisoned ? 0 : 1;
    }
  }
};

/// The quantized matrix that a dequantizer under test reads, and the output that it writes, guarded.
template <Format Output, ParallelBackend W>
class DequantizeOperands {
 public:
  using Stream = typename W::Stream;
  using Bytes = Tensor<GuardedByte, W>;

  [[nodiscard]] static Result<DequantizeOperands> create(W& worker, Stream& stream, const QuantizeProblem& problem,
                                                         const QuantizeLayout& layout, const DequantizeFill& pattern) {
    std::vector<Bytes> arrays;
    for (Index bytes : {layout.code_bytes, layout.scale_bytes,
                        problem.scheme.zero_points ? layout.scales.elements() : Index{0}, Index{sizeof(float)}}) {
      auto array = Bytes::create(worker, stream, bytes);
      if (!array) return array.propagate();
      arrays.push_back(std::move(array).value());
    }
    auto output = Tensor<Output, W>::create(worker, stream, layout.elements, 0, Guard::output);
    if (!output) return output.propagate();
    DequantizeOperands operands(worker, stream, problem, layout, std::move(arrays), std::move(output).value());
    if (auto filled = operands.fill_inputs(pattern); !filled) return filled.propagate();
    return Result<DequantizeOperands>(std::move(operands));
  }

  [[nodiscard]] DequantizeArguments<Output> arguments() {
    return {read_only(quantized()),
            {output_.data(), {problem_.rows, problem_.columns}, {layout_.leading_dimension, 1}}};
  }
  [[nodiscard]] Result<void> reset_output() { return output_.poison(*worker_, *stream_); }

  /// What a run did to memory that it should not have. Empty if all is well.
  [[nodiscard]] Result<std::vector<std::string>> inspect() {
    std::vector<std::string> findings;
    auto inputs = fingerprint();
    if (!inputs) return inputs.propagate();
    if (inputs.value() != inputs_) findings.push_back("an input was modified: codes, scales or zero points");
    auto canaries = output_.check_canaries(*worker_, *stream_);
    if (!canaries) return canaries.propagate();
    if (!canaries.value().intact())
      findings.push_back("canary of the output overwritten: " + std::to_string(canaries.value().overwritten_before) +
                         " elements before, " + std::to_string(canaries.value().overwritten_after) + " behind it");
    const CountOutputPoison<Output> work{output_.data(), problem_.columns, layout_.leading_dimension, problem_.rows};
    auto tally = parallel_reduce<ByteTally>(*worker_, *stream_,
                                            static_cast<std::size_t>(layout_.elements > 0 ? problem_.rows : 0), work);
    if (!tally) return tally.propagate();
    if (tally.value().unwritten > 0)
      findings.push_back(std::to_string(tally.value().unwritten) + " elements of the output were never written");
    if (tally.value().overwritten > 0)
      findings.push_back(std::to_string(tally.value().overwritten) +
                         " elements between the rows of the output were overwritten: leading_dimension is ignored");
    return findings;
  }

 private:
  DequantizeOperands(W& worker, Stream& stream, const QuantizeProblem& problem, const QuantizeLayout& layout,
                     std::vector<Bytes> arrays, Tensor<Output, W> output)
      : worker_(&worker),
        stream_(&stream),
        problem_(problem),
        layout_(layout),
        arrays_(std::move(arrays)),
        output_(std::move(output)),
        wait_(worker, stream) {}

  [[nodiscard]] MutableQuantizedView quantized() {
    const auto bytes = [&](std::size_t array) { return reinterpret_cast<std::uint8_t*>(arrays_[array].data()); };
    MutableQuantizedView view;
    view.codes = bytes(0);
    view.scales = bytes(1);
    view.zero_points = problem_.scheme.zero_points ? bytes(2) : nullptr;
    view.tensor_scale =
        problem_.scheme.tensor_scale != TensorScale::none ? reinterpret_cast<float*>(bytes(3)) : nullptr;
    view.layout = layout_;
    return view;
  }

  [[nodiscard]] Result<void> fill_inputs(const DequantizeFill& pattern) {
    const Index blocks = layout_.scales.rows * layout_.scales.columns;
    if (layout_.scales.order == ScaleOrder::tiles_128x4)
      if (auto cleared = worker_->parallel_for(*stream_, static_cast<std::size_t>(layout_.scale_bytes / 512),
                                               ClearRows{static_cast<std::uint8_t*>(quantized().scales), 512, 512});
          !cleared)
        return cleared;
    if (auto filled = worker_->parallel_for(*stream_, static_cast<std::size_t>(problem_.rows),
                                            FillCodes{quantized(), pattern, problem_.columns});
        !filled)
      return filled;
    if (auto filled =
            worker_->parallel_for(*stream_, static_cast<std::size_t>(blocks), FillScales{quantized(), pattern});
        !filled)
      return filled;
    auto inputs = fingerprint();
    if (!inputs) return inputs.propagate();
    inputs_ = inputs.value();
    return {};
  }

  [[nodiscard]] Result<std::uint64_t> fingerprint() {
    std::uint64_t total = 0;
    for (std::size_t array = 0; array < arrays_.size(); ++array) {
      auto part = arrays_[array].fingerprint(*worker_, *stream_);
      if (!part) return part;
      total += part.value() * (2 * array + 1);
    }
    return total;
  }

  W* worker_;
  Stream* stream_;
  QuantizeProblem problem_;
  QuantizeLayout layout_;
  std::vector<Bytes> arrays_;
  Tensor<Output, W> output_;
  std::uint64_t inputs_ = 0;
  WaitAtEnd<W> wait_;  ///< last: before the tensors end
};

}  // namespace assay::inline v0::detail
