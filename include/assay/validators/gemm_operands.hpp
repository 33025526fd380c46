#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "assay/backends/wait_at_end.hpp"
#include "assay/core/outcome.hpp"
#include "assay/kernels/gemm/fill.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/tensor/fill_tensor.hpp"
#include "assay/tensor/tensor.hpp"
#include "assay/validators/check_steps.hpp"

namespace assay::inline v0::detail {

/// What a kernel did to memory that is not its output.
struct MemoryFindings {
  bool a_modified = false;
  bool b_modified = false;
  CanaryReport a, b, c;
  std::uint64_t gaps_overwritten = 0;  ///< elements between the rows, columns or matrices of C
  std::uint64_t unwritten = 0;         ///< elements of C that still hold the poison, where C was not an input
};

/// Writes the guard between the rows of C; counts stored elements that still hold the poison (`inside`), or elements
/// between its rows that no longer hold the guard.
template <Format T>
struct GemmPoison {
  static constexpr Index chunk = 4096;
  T* data;
  GemmOperandLayout layout;
  Index vectors;  ///< rows or columns as stored
  Index width;    ///< elements of a vector that belong to the matrix
  bool inside;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    for (Index element = begin(index); element < end(index); ++element)
      if (!stored(element)) data[element] = FormatTraits<T>::from_bits(guard_bits<T>(Guard::output));
  }
  ASSAY_FUNCTION void operator()(std::size_t index, Tally& tally) const {
    for (Index element = begin(index); element < end(index); ++element) {
      const auto found = FormatTraits<T>::to_bits(data[element]);
      tally.count += inside ? (stored(element) && found == poison_bits<T>(0))
                            : (!stored(element) && found != guard_bits<T>(Guard::output));
    }
  }
  [[nodiscard]] std::size_t chunks() const { return static_cast<std::size_t>((layout.elements + chunk - 1) / chunk); }

 private:
  ASSAY_FUNCTION static Index begin(std::size_t index) { return static_cast<Index>(index) * chunk; }
  ASSAY_FUNCTION Index end(std::size_t index) const {
    return begin(index) + chunk < layout.elements ? begin(index) + chunk : layout.elements;
  }
  ASSAY_FUNCTION bool stored(Index element) const {
    const Index within = element % layout.batch_stride;
    return within / layout.leading_dimension < vectors && within % layout.leading_dimension < width;
  }
};

template <class T>
[[nodiscard]] StridedView<T, 3> matrix_view(T* data, const GemmOperandLayout& layout, Index batch) {
  return {data, {batch, layout.rows, layout.columns}, {layout.batch_stride, layout.row_stride, layout.column_stride}};
}

/// The operands of one GEMM under test: filled, guarded, and inspected afterwards.
template <class Op, ParallelBackend W>
class GemmOperands {
 public:
  using Stream = typename W::Stream;
  using A = typename Op::FormatA;
  using B = typename Op::FormatB;
  using C = typename Op::FormatC;

  [[nodiscard]] static Result<GemmOperands> create(W& worker, Stream& stream, const GemmProblem& problem,
                                                   const GemmLayout& layout, const GemmData& data) {
    auto a = Tensor<A, W>::create(worker, stream, layout.a.elements);
    if (!a) return a.propagate();
    auto b = Tensor<B, W>::create(worker, stream, layout.b.elements);
    if (!b) return b.propagate();
    auto c = Tensor<C, W>::create(worker, stream, layout.c.elements, 0, Guard::output);
    if (!c) return c.propagate();
    GemmOperands operands(worker, stream, problem, layout, data, std::move(a).value(), std::move(b).value(),
                          std::move(c).value());
    if (auto filled = operands.fill_inputs(); !filled) return filled.propagate();
    if (auto reset = operands.reset_output(); !reset) return reset.propagate();
    return Result<GemmOperands>(std::move(operands));
  }

  [[nodiscard]] GemmArguments<A, B, C> arguments() {
    return {matrix_view<const A>(a_.data(), layout_.a, problem_.batch),
            matrix_view<const B>(b_.data(), layout_.b, problem_.batch),
            matrix_view<C>(c_.data(), layout_.c, problem_.batch)};
  }

  /// After `inspect_memory`, the arguments as they were before the kernel ran: C anew where it is an input, never the
  /// kernel's output. What it names stays where it is in later calls.
  [[nodiscard]] Result<GemmArguments<A, B, C>> arguments_before() {
    if (inputs_modified_) {
      if (auto filled = fill_inputs(); !filled) return filled.propagate();
    }
    GemmArguments<A, B, C> before = arguments();
    before.c.data = nullptr;
    if (problem_.beta != 0 && !c_before_) {
      auto copy = Tensor<C, W>::create(*worker_, *stream_, layout_.c.elements);
      if (!copy) return copy.propagate();
      c_before_.emplace(std::move(copy).value());
      if (auto reset = reset_output_of(*c_before_); !reset) return reset.propagate();
    }
    if (c_before_) before.c.data = c_before_->data();
    return before;
  }

  [[nodiscard]] Result<void> reset_output() { return reset_output_of(c_); }
  [[nodiscard]] Result<std::uint64_t> output_fingerprint() const { return c_.fingerprint(*worker_, *stream_); }

  [[nodiscard]] Result<MemoryFindings> inspect_memory() {
    MemoryFindings findings;
    const auto fingerprint_a = a_.fingerprint(*worker_, *stream_);
    if (!fingerprint_a) return fingerprint_a.propagate();
    const auto fingerprint_b = b_.fingerprint(*worker_, *stream_);
    if (!fingerprint_b) return fingerprint_b.propagate();
    findings.a_modified = fingerprint_a.value() != fingerprint_a_;
    findings.b_modified = fingerprint_b.value() != fingerprint_b_;
    inputs_modified_ = findings.a_modified || findings.b_modified;
    const auto canaries_a = a_.check_canaries(*worker_, *stream_);
    if (!canaries_a) return canaries_a.propagate();
    const auto canaries_b = b_.check_canaries(*worker_, *stream_);
    if (!canaries_b) return canaries_b.propagate();
    const auto canaries_c = c_.check_canaries(*worker_, *stream_);
    if (!canaries_c) return canaries_c.propagate();
    findings.a = canaries_a.value();
    findings.b = canaries_b.value();
    findings.c = canaries_c.value();
    const auto gaps = count_poison(false);
    if (!gaps) return gaps.propagate();
    findings.gaps_overwritten = gaps.value();
    if (problem_.beta == 0) {
      const auto unwritten = count_poison(true);
      if (!unwritten) return unwritten.propagate();
      findings.unwritten = unwritten.value();
    }
    return findings;
  }

 private:
  GemmOperands(W& worker, Stream& stream, const GemmProblem& problem, const GemmLayout& layout, const GemmData& data,
               Tensor<A, W> a, Tensor<B, W> b, Tensor<C, W> c)
      : worker_(&worker),
        stream_(&stream),
        problem_(problem),
        layout_(layout),
        data_(data),
        a_(std::move(a)),
        b_(std::move(b)),
        c_(std::move(c)),
        wait_(worker, stream) {}

  [[nodiscard]] Result<void> fill_inputs() {
    if (auto filled = fill(*worker_, *stream_, matrix_view<A>(a_.data(), layout_.a, problem_.batch), data_.a); !filled)
      return filled;
    if (auto filled = fill(*worker_, *stream_, matrix_view<B>(b_.data(), layout_.b, problem_.batch), data_.b,
                           assay::Lanes::columns);
        !filled)
      return filled;
    const auto fingerprint_a = a_.fingerprint(*worker_, *stream_);
    if (!fingerprint_a) return fingerprint_a.propagate();
    const auto fingerprint_b = b_.fingerprint(*worker_, *stream_);
    if (!fingerprint_b) return fingerprint_b.propagate();
    fingerprint_a_ = fingerprint_a.value();
    fingerprint_b_ = fingerprint_b.value();
    return {};
  }

  [[nodiscard]] Result<void> reset_output_of(Tensor<C, W>& tensor) {
    if (auto poisoned = tensor.poison(*worker_, *stream_); !poisoned) return poisoned;
    const auto gaps = poison_of(tensor, false);
    if (layout_.c.elements > problem_.batch * problem_.m * problem_.n)
      if (auto guarded = worker_->parallel_for(*stream_, gaps.chunks(), gaps); !guarded) return guarded;
    if (problem_.beta == 0) return {};
    return fill(*worker_, *stream_, matrix_view<C>(tensor.data(), layout_.c, problem_.batch), data_.c);
  }

  [[nodiscard]] GemmPoison<C> poison_of(Tensor<C, W>& tensor, bool inside) const {
    const bool row_major = problem_.order == StorageOrder::row_major;
    return {tensor.data(), layout_.c, row_major ? problem_.m : problem_.n, row_major ? problem_.n : problem_.m, inside};
  }

  [[nodiscard]] Result<std::uint64_t> count_poison(bool inside) {
    const GemmPoison<C> work = poison_of(c_, inside);
    auto tally = parallel_reduce<Tally>(*worker_, *stream_, work.chunks(), work);
    if (!tally) return tally.propagate();
    return tally.value().count;
  }

  W* worker_;
  Stream* stream_;
  GemmProblem problem_;
  GemmLayout layout_;
  GemmData data_;
  Tensor<A, W> a_;
  Tensor<B, W> b_;
  Tensor<C, W> c_;
  std::optional<Tensor<C, W>> c_before_;
  std::uint64_t fingerprint_a_ = 0;
  std::uint64_t fingerprint_b_ = 0;
  bool inputs_modified_ = false;  ///< as `inspect_memory` last saw them
  WaitAtEnd<W> wait_;             ///< last: before the tensors end
};

/// Writes to foreign memory outweigh whatever the numbers say.
void judge_memory(const MemoryFindings& findings, Outcome& outcome);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/validators/gemm_operands.ipp"
#endif
