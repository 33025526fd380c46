#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/core/outcome.hpp"
#include "assay/kernels/operation.hpp"
#include "assay/tensor/fill_operand.hpp"
#include "assay/tensor/operand_tensor.hpp"
#include "assay/tensor/operand_values.hpp"
#include "assay/validators/operand_storage.hpp"

namespace assay::inline v0::detail {

/// Copies of operands for what is judged on the host alone.
struct OperandsOnHost {
  OperandArray after, before;  ///< the launch
  std::vector<std::vector<float64>> words;
};

/// The operands of one launch: filled, guarded, and inspected afterwards. What `create` and `reset_outputs` do is done
/// when they return, since kernels work on streams of their own.
template <ParallelBackend W>
class OperationMemory {
 public:
  using Stream = typename W::Stream;

  [[nodiscard]] static Result<OperationMemory> create(W& worker, Stream& stream, std::vector<OperandSpec> specs,
                                                      const OperationData& data, const OperandStorage& storage) {
    expect(specs.size() <= static_cast<std::size_t>(OperandArray::most) && data.operands.size() == specs.size(), [&] {
      return "an operation lists " + std::to_string(specs.size()) + " operands and data for " +
             std::to_string(data.operands.size()) + "; both must be the same, at most " +
             std::to_string(OperandArray::most);
    });
    OperationMemory memory(worker, stream, std::move(specs), data);
    for (const OperandSpec& spec : memory.specs_) {
      auto tensor =
          OperandTensor<W>::create(worker, stream, spec.format, spec.present ? spec.extents : std::vector<Index>{0},
                                   spec.extents.size() > 1 ? storage.row_padding : 0, storage.misalignment,
                                   spec.role == OperandRole::input ? Guard::input : Guard::output);
      if (!tensor) return tensor.propagate();
      memory.tensors_.push_back(std::move(tensor).value());
    }
    memory.fingerprints_.resize(memory.specs_.size());
    for (std::size_t operand = 0; operand < memory.specs_.size(); ++operand)
      if (auto filled = memory.restore(operand); !filled) return filled.propagate();
    if (auto done = worker.synchronize(stream); !done) return done.propagate();
    return Result<OperationMemory>(std::move(memory));
  }

  [[nodiscard]] OperandArray operands() {
    OperandArray array;
    array.count = static_cast<int>(specs_.size());
    for (std::size_t operand = 0; operand < specs_.size(); ++operand)
      if (specs_[operand].present) array[static_cast<int>(operand)] = tensors_[operand].view();
    return array;
  }
  /// As they were before the launch, for the reference: modified inputs are mended, updated operands copied anew.
  [[nodiscard]] Result<OperandArray> operands_before() {
    before_.clear();
    OperandArray array = operands();
    for (std::size_t operand = 0; operand < specs_.size(); ++operand) {
      const OperandSpec& spec = specs_[operand];
      if (!spec.present || spec.role == OperandRole::output) continue;
      if (spec.role == OperandRole::input) {
        if (modified(operand))
          if (auto filled = restore(operand); !filled) return filled.propagate();
        continue;
      }
      auto copy = OperandTensor<W>::create(*worker_, *stream_, spec.format, spec.extents);
      if (!copy) return copy.propagate();
      before_.push_back(std::move(copy).value());
      array[static_cast<int>(operand)] = before_.back().view();
      if (auto filled = fill_values(operand, before_.back().view()); !filled) return filled.propagate();
    }
    return array;
  }
  /// Copies of all operands, those before the launch as `operands_before` last made them.
  [[nodiscard]] Result<OperandsOnHost> copy_to_host() {
    OperandsOnHost copies;
    copies.after.count = copies.before.count = static_cast<int>(specs_.size());
    copies.words.reserve(specs_.size() + before_.size());
    const auto copy = [&](const OperandTensor<W>& tensor, Operand& view) -> Result<void> {
      auto copied = tensor.copy_to_host(*worker_, *stream_, copies.words.emplace_back());
      if (!copied) return copied.propagate();
      view = copied.value();
      return {};
    };
    std::size_t updated = 0;
    for (std::size_t operand = 0; operand < specs_.size(); ++operand) {
      if (!specs_[operand].present) continue;
      Operand &after = copies.after[static_cast<int>(operand)], &before = copies.before[static_cast<int>(operand)];
      if (auto done = copy(tensors_[operand], after); !done) return done.propagate();
      before = after;
      if (specs_[operand].role == OperandRole::updated && updated < before_.size())
        if (auto done = copy(before_[updated++], before); !done) return done.propagate();
    }
    return Result<OperandsOnHost>(std::move(copies));
  }
  /// Poison, and the former values of what is updated.
  [[nodiscard]] Result<void> reset_outputs() {
    for (std::size_t operand = 0; operand < specs_.size(); ++operand) {
      if (specs_[operand].role == OperandRole::input) continue;
      if (auto done = restore(operand); !done) return done;
    }
    return worker_->synchronize(*stream_);
  }
  /// Of all that was written, as a number.
  [[nodiscard]] Result<std::uint64_t> output_fingerprint() {
    std::uint64_t sum = 0;
    for (std::size_t operand = 0; operand < specs_.size(); ++operand) {
      if (specs_[operand].role == OperandRole::input) continue;
      const auto own = tensors_[operand].fingerprint(*worker_, *stream_);
      if (!own) return own.propagate();
      sum = sum * 0x9E3779B97F4A7C15u + own.value();
    }
    return sum;
  }

  /// What the kernel did to memory that is not its to write, and what it left unwritten, most telling last.
  [[nodiscard]] Result<std::vector<std::string>> inspect() {
    std::vector<std::string> findings;
    modified_.assign(specs_.size(), false);
    for (std::size_t operand = 0; operand < specs_.size(); ++operand) {
      const OperandSpec& spec = specs_[operand];
      if (!spec.present) continue;
      OperandTensor<W>& tensor = tensors_[operand];
      if (spec.role == OperandRole::input) {
        const auto now = tensor.fingerprint(*worker_, *stream_);
        if (!now) return now.propagate();
        modified_[operand] = now.value() != fingerprints_[operand];
        if (modified_[operand])
          findings.push_back((spec.name == "input" ? "" : "input ") + spec.name + " was modified");
      } else {
        if (spec.role == OperandRole::output) {
          const auto unwritten = tensor.count_unwritten(*worker_, *stream_);
          if (!unwritten) return unwritten.propagate();
          if (unwritten.value() > 0)
            findings.push_back(std::to_string(unwritten.value()) + " elements of " + spec.name + " were never written");
        }
        const auto gaps = tensor.count_overwritten_gaps(*worker_, *stream_);
        if (!gaps) return gaps.propagate();
        if (gaps.value() > 0)
          findings.push_back(
              std::to_string(gaps.value()) +
              (has_gaps(tensor.view())
                   ? " elements between the rows of " + spec.name + " were overwritten: its strides are ignored"
                   : " elements beside those of " + spec.name + " were overwritten: it ends before them"));
      }
      const auto canaries = tensor.check_canaries(*worker_, *stream_);
      if (!canaries) return canaries.propagate();
      if (!canaries.value().intact())
        findings.push_back("canary of " + spec.name +
                           " overwritten: " + std::to_string(canaries.value().overwritten_before) + " words before, " +
                           std::to_string(canaries.value().overwritten_after) + " behind it");
    }
    return findings;
  }
  [[nodiscard]] const std::vector<OperandSpec>& specs() const { return specs_; }

 private:
  OperationMemory(W& worker, Stream& stream, std::vector<OperandSpec> specs, const OperationData& data)
      : worker_(&worker), stream_(&stream), specs_(std::move(specs)), data_(data), wait_(worker, stream) {}

  [[nodiscard]] static bool has_gaps(const Operand& view) {
    return view.size() > 0 && view.offset_of(view.size() - 1) != view.size() - 1;
  }
  [[nodiscard]] bool modified(std::size_t operand) const { return !modified_.empty() && modified_[operand]; }

  [[nodiscard]] Result<void> restore(std::size_t operand) {
    OperandTensor<W>& tensor = tensors_[operand];
    if (auto poisoned = tensor.poison(*worker_, *stream_); !poisoned) return poisoned;
    if (!specs_[operand].present || specs_[operand].role == OperandRole::output) return {};
    if (auto filled = fill_values(operand, tensor.view()); !filled) return filled;
    const auto fingerprint = tensor.fingerprint(*worker_, *stream_);
    if (!fingerprint) return fingerprint.propagate();
    fingerprints_[operand] = fingerprint.value();
    return {};
  }
  [[nodiscard]] Result<void> fill_values(std::size_t operand, const Operand& view) {
    const OperandFill& fill = data_.operands[operand];
    OperandValues values = fill.values();
    if (!fill.given) return fill_operand(*worker_, *stream_, view, values);
    expect(static_cast<Index>(fill.given->size()) == view.size(), [&] {
      return "the data of " + specs_[operand].name + " are " + std::to_string(fill.given->size()) + " values for " +
             std::to_string(view.size()) + " elements";
    });
    auto buffer = worker_->template allocate<double>(fill.given->size() + 1);
    if (!buffer) return buffer.propagate();
    WaitAtEnd work_on_it(*worker_, *stream_);
    if (auto copied = worker_->copy_to_device(*stream_, buffer.value().data(), fill.given->data(), fill.given->size());
        !copied)
      return copied;
    values.given = buffer.value().data();
    if (auto filled = fill_operand(*worker_, *stream_, view, values); !filled) return filled;
    return work_on_it.wait();
  }

  W* worker_;
  Stream* stream_;
  std::vector<OperandSpec> specs_;
  OperationData data_;
  std::vector<OperandTensor<W>> tensors_;
  std::vector<OperandTensor<W>> before_;
  std::vector<std::uint64_t> fingerprints_;
  std::vector<bool> modified_;
  WaitAtEnd<W> wait_;  ///< last: before the tensors end
};

#if defined(ASSAY_COMPILED)
extern template class OperationMemory<Host>;
#endif

}  // namespace assay::inline v0::detail
