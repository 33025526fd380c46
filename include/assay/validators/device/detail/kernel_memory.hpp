#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/byte_work.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/core/assign.hpp"
#include "assay/validators/device/device_kernel.hpp"

namespace assay::inline v0::detail {

/// What comparing the outputs of two runs gave.
struct OutputDifferences {
  ElementDifferences differences;
  std::size_t output = 0;    ///< the first that differs
  std::size_t elements = 0;  ///< compared, of all outputs

  [[nodiscard]] bool same() const { return differences.count == 0; }
  /// "3 of 100 elements, the first is element 7 of output 0"
  [[nodiscard]] std::string text() const {
    return std::to_string(differences.count) + " of " + std::to_string(elements) + " elements, the first is element " +
           std::to_string(differences.first) + " of output " + std::to_string(output);
  }
};

/// The operands of a kernel in a backend's memory, each between margins that it has no business to write to. Margins
/// and outputs are written anew before each launch, and inputs copied from what was sent there once.
template <ParallelBackend B>
class KernelMemory {
 public:
  static constexpr std::size_t margin = 256;  ///< bytes on either side, a multiple of what memory is aligned to
  static constexpr unsigned char margin_byte = 0xC5;

  /// Every operand begins `shifts[i]` bytes behind where it would be aligned, inputs first. Synchronizes the stream.
  static Result<KernelMemory> make(B& backend, typename B::Stream& stream, const DeviceKernel<B>& kernel,
                                   const std::vector<std::size_t>& shifts = {}) {
    KernelMemory made;
    WaitAtEnd work_on_it(backend, stream);
    const std::size_t operands = kernel.inputs.size() + kernel.outputs.size();
    for (std::size_t i = 0; i < operands; ++i) {
      const bool input = i < kernel.inputs.size();
      const std::size_t bytes =
          input ? kernel.inputs[i].content.size() : kernel.outputs[i - kernel.inputs.size()].bytes();
      const std::size_t shift = i < shifts.size() ? shifts[i] : 0;
      auto buffer = backend.template allocate<unsigned char>(bytes + shift + 2 * margin);
      if (!buffer) return buffer.propagate();
      made.regions_.push_back({std::move(buffer).value(), bytes, shift});
      if (!input) continue;
      auto sent = backend.template allocate<unsigned char>(bytes);
      if (!sent) return sent.propagate();
      made.sent_.push_back(std::move(sent).value());
      if (auto copied =
              backend.copy_to_device(stream, made.sent_.back().data(), kernel.inputs[i].content.data(), bytes);
          !copied)
        return copied.propagate();
    }
    if (auto done = work_on_it.wait(); !done) return done.propagate();
    return Result<KernelMemory>(std::move(made));
  }

  [[nodiscard]] KernelOperands operands() {
    KernelOperands operands;
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      if (i < sent_.size())
        operands.inputs.push_back(address(i));
      else
        operands.outputs.push_back(address(i));
    }
    return operands;
  }
  [[nodiscard]] unsigned char* input(std::size_t i) { return address(i); }

  /// Makes ready for a launch. Asynchronous.
  [[nodiscard]] Result<void> prepare(B& backend, typename B::Stream& stream, unsigned char poison = 0xFF) {
    for (std::size_t i = 0; i < regions_.size(); ++i) {
      Region& region = regions_[i];
      const bool input = i < sent_.size();
      Result<void> done = fill_bytes(backend, stream, region.buffer.data(), region.shift + margin, margin_byte);
      if (done && region.bytes > 0)
        assign(done, input ? copy_bytes(backend, stream, address(i), sent_[i].data(), region.bytes)
                           : fill_bytes(backend, stream, address(i), region.bytes, poison));
      if (done) assign(done, fill_bytes(backend, stream, address(i) + region.bytes, margin, margin_byte));
      if (!done) return done;
    }
    return {};
  }
  /// Other inputs of the same sizes, from the next `prepare` on. Synchronizes the stream.
  [[nodiscard]] Result<void> change_inputs(B& backend, typename B::Stream& stream,
                                           const std::vector<KernelInput>& inputs) {
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      if (inputs.at(i).content.size() != regions_[i].bytes)
        misuse("input " + std::to_string(i) + " of a kernel has " + std::to_string(regions_[i].bytes) +
               " bytes, and other content of " + std::to_string(inputs[i].content.size()) + "; give it as many");
      if (auto copied = backend.copy_to_device(stream, sent_[i].data(), inputs[i].content.data(), regions_[i].bytes);
          !copied)
        return copied;
    }
    return backend.synchronize(stream);
  }
  /// Takes the outputs of `other` as its own, to be compared with. Asynchronous.
  [[nodiscard]] Result<void> take_outputs(B& backend, typename B::Stream& stream, KernelMemory& other) {
    for (std::size_t i = sent_.size(); i < regions_.size(); ++i)
      if (regions_[i].bytes > 0)
        if (auto copied = copy_bytes(backend, stream, address(i), other.address(i), regions_[i].bytes); !copied)
          return copied;
    return {};
  }

  /// The outputs beside those of `expected`. `exactly`: whatever the kernel allows. Synchronizes the stream.
  [[nodiscard]] Result<OutputDifferences> compare(B& backend, typename B::Stream& stream, const DeviceKernel<B>& kernel,
                                                  KernelMemory& expected, bool exactly) {
    OutputDifferences all;
    for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
      const KernelOutput& output = kernel.outputs[i];
      const std::size_t at = sent_.size() + i;
      auto found =
          compare_elements(backend, stream,
                           CompareElements{address(at), expected.address(at), output.elements, output.element_bytes,
                                           exactly ? 0 : output.allowed_ulps, output.infinity, 0});
      if (!found) return found.propagate();
      all.elements += output.elements;
      if (all.same()) all.output = i;
      if (all.same())
        all.differences = found.value();
      else
        all.differences.count += found.value().count,
            all.differences.farthest = std::max(all.differences.farthest, found.value().farthest);
    }
    return all;
  }

  /// What was written beside an operand, in words; empty: nothing. Synchronizes the stream.
  [[nodiscard]] Result<std::string> altered_margin(B& backend, typename B::Stream& stream) {
    for (std::size_t i = 0; i < regions_.size(); ++i)
      for (const bool before : {true, false}) {
        const unsigned char* const at = before ? regions_[i].buffer.data() : address(i) + regions_[i].bytes;
        const std::size_t bytes = before ? margin + regions_[i].shift : margin;
        auto found = find_altered_bytes(backend, stream, at, bytes, margin_byte);
        if (!found) return found.propagate();
        if (found.value().count == 0) continue;
        const std::string which =
            i < sent_.size() ? "input " + std::to_string(i) : "output " + std::to_string(i - sent_.size());
        return std::to_string(found.value().count) + (found.value().count == 1 ? " byte was" : " bytes were") +
               " written " + (before ? "before" : "behind") + " " + which + ", the first " +
               (before ? std::to_string(bytes - found.value().first) + " before its start"
                       : std::to_string(found.value().first + 1) + " past its end");
      }
    return std::string();
  }

 private:
  struct Region {
    typename B::template Buffer<unsigned char> buffer;
    std::size_t bytes = 0, shift = 0;
  };
  [[nodiscard]] unsigned char* address(std::size_t i) { return regions_[i].buffer.data() + margin + regions_[i].shift; }

  std::vector<Region> regions_;  ///< inputs, then outputs
  std::vector<typename B::template Buffer<unsigned char>> sent_;
};

}  // namespace assay::inline v0::detail
