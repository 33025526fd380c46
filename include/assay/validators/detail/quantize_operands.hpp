#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/wait_at_end.hpp"
#include "assay/kernels/quantize/fill.hpp"
#include "assay/kernels/quantize/reference.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/validators/detail/quantized_memory.hpp"

namespace assay::inline v0::detail {

/// The rule by which given scales are made for a check.
[[nodiscard]] constexpr ScaleRule rule_of_given_scales(const BlockScaling& scheme) {
  return scheme.scale.holds_only_powers_of_two() ? ScaleRule::exponent_floor
         : scheme.zero_points                    ? ScaleRule::range
                                                 : ScaleRule::maximum;
}

/// The matrix that a quantizer under test reads and the arrays that it writes, guarded, twice: each of two runs finds
/// another poison, so that what was not written shows whatever its value.
template <Format Input, ParallelBackend W>
class QuantizeOperands {
 public:
  using Stream = typename W::Stream;
  using Guarded = GuardedBytes<W>;

  [[nodiscard]] static Result<QuantizeOperands> create(W& worker, Stream& stream, const QuantizeProblem& problem,
                                                       const QuantizeLayout& layout, const QuantizeFill& pattern) {
    auto matrix = Tensor<Input, W>::create(worker, stream, layout.elements);
    if (!matrix) return matrix.propagate();
    auto codes = Guarded::create(worker, stream, layout.code_bytes);
    if (!codes) return codes.propagate();
    auto scales = Guarded::create(worker, stream, layout.scale_bytes);
    if (!scales) return scales.propagate();
    auto zeros = Guarded::create(worker, stream, problem.scheme.zero_points ? layout.scales.elements() : 0);
    if (!zeros) return zeros.propagate();
    auto whole = Guarded::create(
        worker, stream, problem.scheme.tensor_scale != TensorScale::none ? static_cast<Index>(sizeof(float)) : 0);
    if (!whole) return whole.propagate();
    QuantizeOperands operands(worker, stream, problem, layout, std::move(matrix).value(), std::move(codes).value(),
                              std::move(scales).value(), std::move(zeros).value(), std::move(whole).value());
    if (auto prepared = operands.prepare(pattern); !prepared) return prepared.propagate();
    return Result<QuantizeOperands>(std::move(operands));
  }

  [[nodiscard]] StridedView<const Input, 2> matrix() {
    return {matrix_.data(), {problem_.rows, problem_.columns}, {layout_.leading_dimension, 1}};
  }
  /// Of the first run, or of the second and later ones.
  [[nodiscard]] QuantizeArguments<Input> arguments(bool second) {
    const auto bytes = [&](Guarded& guarded, bool given) {
      return Guarded::bytes_of(second && !given ? guarded.second : guarded.first);
    };
    const bool given = problem_.scheme.rule == ScaleRule::given;
    MutableQuantizedView view;
    view.codes = bytes(codes_, false);
    view.scales = bytes(scales_, given);
    view.zero_points = problem_.scheme.zero_points ? bytes(zeros_, given) : nullptr;
    view.tensor_scale =
        problem_.scheme.tensor_scale != TensorScale::none
            ? reinterpret_cast<float*>(bytes(whole_, problem_.scheme.tensor_scale == TensorScale::given))
            : nullptr;
    view.layout = layout_;
    return {matrix(), view};
  }

  /// The second arrays as they were before the second run.
  [[nodiscard]] Result<void> reset_second() {
    for (Guarded* guarded : {&codes_, &scales_, &zeros_, &whole_})
      if (auto poisoned = guarded->second.poison(*worker_, *stream_, 1); !poisoned) return poisoned;
    return {};
  }

  /// Looks whether what the kernel is given is as it was; to be called after each run, since a second one may undo the
  /// first.
  [[nodiscard]] Result<void> inspect_inputs() {
    auto fingerprint = inputs_fingerprint();
    if (!fingerprint) return fingerprint.propagate();
    inputs_modified_ = inputs_modified_ || fingerprint.value() != inputs_;
    return {};
  }

  /// What the runs did to memory: lines of what they should not have done. Empty if all is well.
  [[nodiscard]] Result<std::vector<std::string>> inspect() {
    std::vector<std::string> findings;
    if (inputs_modified_) findings.push_back("an input was modified: the matrix, or what the scheme calls given");
    const bool given = problem_.scheme.rule == ScaleRule::given;
    struct Array {
      Guarded* guarded;
      const char* name;
      const char* remedy;
      bool written;
    };
    for (const Array& array :
         {Array{&codes_, "the codes", "code_row_bytes is ignored", true},
          Array{&scales_, "the table of scales", "strides of the scales are ignored", !given},
          Array{&zeros_, "the table of zero points", "strides of the scales are ignored", !given},
          Array{&whole_, "the scale of the tensor", "", problem_.scheme.tensor_scale == TensorScale::computed}}) {
      if (array.guarded->first.size() == 0) continue;
      for (auto* tensor : {&array.guarded->first, &array.guarded->second}) {
        auto canaries = tensor->check_canaries(*worker_, *stream_);
        if (!canaries) return canaries.propagate();
        if (canaries.value().intact()) continue;
        findings.push_back("canary of " + std::string(array.name) +
                           " overwritten: " + std::to_string(canaries.value().overwritten_before) + " bytes before, " +
                           std::to_string(canaries.value().overwritten_after) + " behind it");
        break;
      }
      if (!array.written) continue;
      auto bytes = array.guarded->count(*worker_, *stream_);
      if (!bytes) return bytes.propagate();
      if (bytes.value().unwritten > 0)
        findings.push_back(std::to_string(bytes.value().unwritten) + " bytes of " + array.name + " were never written");
      if (bytes.value().overwritten > 0)
        findings.push_back(std::to_string(bytes.value().overwritten) + " bytes in gaps of " + array.name +
                           " were overwritten: " + array.remedy);
    }
    return findings;
  }

 private:
  QuantizeOperands(W& worker, Stream& stream, const QuantizeProblem& problem, const QuantizeLayout& layout,
                   Tensor<Input, W> matrix, Guarded codes, Guarded scales, Guarded zeros, Guarded whole)
      : worker_(&worker),
        stream_(&stream),
        problem_(problem),
        layout_(layout),
        matrix_(std::move(matrix)),
        codes_(std::move(codes)),
        scales_(std::move(scales)),
        zeros_(std::move(zeros)),
        whole_(std::move(whole)),
        wait_(worker, stream) {}

  [[nodiscard]] Result<void> prepare(const QuantizeFill& pattern) {
    const StridedView<Input, 3> view{
        matrix_.data(), {1, problem_.rows, problem_.columns}, {layout_.elements, layout_.leading_dimension, 1}};
    if (auto filled = fill(*worker_, *stream_, view, pattern); !filled) return filled;
    if (auto marked = worker_->parallel_for(
            *stream_, static_cast<std::size_t>(layout_.code_bytes > 0 ? problem_.rows : 0),
            MarkCodes{Guarded::bytes_of(codes_.marks), layout_.bytes_of_row, layout_.code_row_bytes});
        !marked)
      return marked;
    const auto mark_table = [&](Guarded& guarded, Index bytes) -> Result<void> {
      if (guarded.first.size() == 0) return {};
      return worker_->parallel_for(*stream_, static_cast<std::size_t>(layout_.scales.padded_rows()),
                                   MarkScales{Guarded::bytes_of(guarded.marks), layout_.scales, bytes});
    };
    if (auto marked = mark_table(scales_, problem_.scheme.scale.bytes()); !marked) return marked;
    if (auto marked = mark_table(zeros_, 1); !marked) return marked;
    if (whole_.first.size() > 0)
      if (auto marked =
              worker_->parallel_for(*stream_, 1, MarkCodes{Guarded::bytes_of(whole_.marks), whole_.first.size(), 0});
          !marked)
        return marked;
    if (auto given = make_given(); !given) return given;
    auto fingerprint = inputs_fingerprint();
    if (!fingerprint) return fingerprint.propagate();
    inputs_ = fingerprint.value();
    return {};
  }

  /// What the kernel is given beside the matrix, made of the matrix as the definition has it.
  [[nodiscard]] Result<void> make_given() {
    if (problem_.scheme.tensor_scale == TensorScale::given) {
      auto extremes = matrix_extremes<Input>(*worker_, *stream_, matrix(),
                                             BlockGrid::over(problem_.scheme, problem_.rows, problem_.columns));
      if (!extremes) return extremes.propagate();
      const float scale = encode<float32>(ideal_tensor_scale(problem_.scheme, extremes.value().all.amax));
      if (auto copied =
              worker_->copy_to_device(*stream_, reinterpret_cast<float*>(Guarded::bytes_of(whole_.first)), &scale, 1);
          !copied)
        return copied;
      if (auto done = worker_->synchronize(*stream_); !done) return done;
    }
    if (problem_.scheme.rule != ScaleRule::given) return {};
    QuantizeProblem making = problem_;
    making.scheme.rule = rule_of_given_scales(making.scheme);
    if (auto made = quantize_reference<Input>(*worker_, *stream_, making, arguments(false)); !made) return made;
    return codes_.first.poison(*worker_, *stream_);
  }

  [[nodiscard]] Result<std::uint64_t> inputs_fingerprint() {
    auto sum = matrix_.fingerprint(*worker_, *stream_);
    if (!sum) return sum;
    std::uint64_t total = sum.value();
    const auto add = [&](Guarded& guarded, std::uint64_t factor) -> Result<void> {
      auto part = guarded.first.fingerprint(*worker_, *stream_);
      if (!part) return part.propagate();
      total += part.value() * factor;
      return {};
    };
    if (problem_.scheme.rule == ScaleRule::given)
      for (Guarded* guarded : {&scales_, &zeros_})
        if (auto added = add(*guarded, guarded == &scales_ ? 3 : 5); !added) return added.propagate();
    if (problem_.scheme.tensor_scale == TensorScale::given)
      if (auto added = add(whole_, 7); !added) return added.propagate();
    return total;
  }

  W* worker_;
  Stream* stream_;
  QuantizeProblem problem_;
  QuantizeLayout layout_;
  Tensor<Input, W> matrix_;
  Guarded codes_, scales_, zeros_, whole_;
  std::uint64_t inputs_ = 0;
  bool inputs_modified_ = false;
  WaitAtEnd<W> wait_;  ///< last: before the tensors end
};

}  // namespace assay::inline v0::detail
