#pragma once

#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/backends/detail/emulated_memory.hpp"
#include "assay/backends/detail/host_address.hpp"

namespace assay::inline v0::detail {

/// At what the words of a functor point.
struct EmulatedUses {
  std::vector<EmulatedMemory::Block> blocks;  ///< allocations of emulated devices, which the work may use
  std::optional<std::size_t> host_pointer;    ///< the first byte of an address of the host's, if there is one
};

template <class Functor>
[[nodiscard]] EmulatedUses uses_of(Functor functor) {
  // What lay in padding before might look like an address: where a compiler cannot clear it, only functors without any
  // tell of the host.
  bool clear = std::has_unique_object_representations_v<Functor>;
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
  __builtin_clear_padding(&functor);
  clear = true;
#endif
#endif
  EmulatedUses uses;
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= sizeof(Functor); at += alignof(std::uintptr_t)) {
    std::uintptr_t word = 0;
    std::memcpy(&word, reinterpret_cast<const unsigned char*>(&functor) + at, sizeof word);
    if (const auto block = EmulatedMemory::find(word); block.owner != nullptr)
      uses.blocks.push_back(block);
    else if (clear && !uses.host_pointer && is_host_address(word))
      uses.host_pointer = at;
  }
  return uses;
}

/// For messages.
template <class Functor>
[[nodiscard]] std::string functor_name() {
#if defined(__GNUC__)
  const std::string_view name = __PRETTY_FUNCTION__;
  const std::size_t begin = name.find("Functor = ");
  if (begin != std::string_view::npos)
    return std::string(name.substr(begin + 10, name.find_first_of(";]", begin) - begin - 10));
#endif
  return "a functor";
}

/// What may be done wrong with a queue.
enum class EmulatedMisuse {
  freed_memory,         ///< work that is run or waited for uses memory that was freed
  freed_and_abandoned,  ///< so does work of a stream that ended
  abandoned_work        ///< a stream ended with work that nobody had waited for
};

/// What was submitted to a stream of an emulated device and has not run.
class EmulatedQueue {
 public:
  struct Operation {
    std::string name;  ///< "a launch", for messages
    std::vector<EmulatedMemory::Block> uses;
    std::function<void()> run;
  };

  /// `device` is kept alive; `report` is given a sentence on each misuse, and which it is.
  EmulatedQueue(std::shared_ptr<const void> device, std::function<void(const std::string&, EmulatedMisuse)> report)
      : device_(std::move(device)), report_(std::move(report)) {}
  EmulatedQueue(const EmulatedQueue&) = delete;
  EmulatedQueue& operator=(const EmulatedQueue&) = delete;
  ~EmulatedQueue();

  [[nodiscard]] const void* device() const noexcept { return device_.get(); }
  [[nodiscard]] std::size_t pending() const noexcept { return operations_.size(); }
  [[nodiscard]] std::uint64_t submitted() const noexcept { return done_ + operations_.size(); }

  /// Without running it.
  void lose() {
    done_ += operations_.size();
    operations_.clear();
  }
  /// Instead of waiting to be run, what is submitted goes into `graph` until it is given null.
  void capture(std::shared_ptr<std::vector<Operation>> graph) { captured_ = std::move(graph); }
  [[nodiscard]] const std::shared_ptr<std::vector<Operation>>& captured() const noexcept { return captured_; }
  void submit(Operation operation) {
    if (captured_)
      captured_->push_back(std::move(operation));
    else
      operations_.push_back(std::move(operation));
  }

  /// Runs what was submitted before the count of operations was `submitted`. An operation whose memory is gone is
  /// reported, and does not run.
  void run_until(std::uint64_t submitted);

 private:
  /// What an operation uses and is there no more; null: nothing.
  [[nodiscard]] static const EmulatedMemory::Block* freed_of(const Operation& operation) {
    for (const auto& block : operation.uses)
      if (!block.owner->is_alive(block)) return &block;
    return nullptr;
  }

  std::shared_ptr<const void> device_;
  std::function<void(const std::string&, EmulatedMisuse)> report_;
  std::deque<Operation> operations_;
  std::shared_ptr<std::vector<Operation>> captured_;
  std::uint64_t done_ = 0;
};

/// Where in a stream an event was recorded, and when that was reached.
struct EmulatedMark {
  std::shared_ptr<EmulatedQueue> queue;
  std::uint64_t submitted = 0;
  std::shared_ptr<std::optional<std::chrono::steady_clock::time_point>> reached;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/backends/detail/emulated_queue.ipp"
#endif
