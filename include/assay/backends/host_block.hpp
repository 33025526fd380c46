#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

#include "assay/backends/matrix_share.hpp"
#include "assay/backends/multiply_shares.hpp"
#include "assay/core/config.hpp"

namespace assay::inline v0 {

/// In which order a block's threads run on the host. What a functor gives must not depend on it.
enum class ThreadOrder { ascending, descending };

/// A block of threads, run by one thread of the host, phase by phase: see `BlockBackend`.
template <int ThreadCount>
class HostBlock {
  static_assert(ThreadCount > 0 && ThreadCount <= 1024 && ThreadCount % 32 == 0, "a block has 32, 64, … 1024 threads");

 public:
  static constexpr int threads = ThreadCount;

  /// A variable that every thread of a block has for itself.
  template <class T>
  class PerThread {
   public:
    /// The variable of that thread.
    ASSAY_FUNCTION T& operator[](int thread) { return values_[thread]; }
    /// The variable of that thread.
    ASSAY_FUNCTION const T& operator[](int thread) const { return values_[thread]; }

   private:
    T values_[ThreadCount]{};
  };

  /// The block of number `index` of a launch; `multiprocessor` −1: none is emulated.
  ASSAY_FUNCTION HostBlock(std::size_t index, ThreadOrder order, int multiprocessor = -1)
      : index_(index), order_(order), multiprocessor_(multiprocessor) {}

  /// The number of the block in its launch.
  [[nodiscard]] ASSAY_FUNCTION std::size_t index() const { return index_; }
  /// The multiprocessor that the block runs on; −1 where there is none.
  [[nodiscard]] ASSAY_FUNCTION int multiprocessor() const { return multiprocessor_; }

  /// Runs `phase(thread)` for every thread, one after another in the order that was chosen.
  template <class Phase>
  ASSAY_FUNCTION void each(const Phase& phase) const {
    for (int i = 0; i < ThreadCount; ++i) phase(order_ == ThreadOrder::ascending ? i : ThreadCount - 1 - i);
  }

  /// Joins the values of all threads in groups of 32, as devices do; every thread gets the result.
  template <class T, class Join>
  [[nodiscard]] ASSAY_FUNCTION T reduce(const PerThread<T>& values, const Join& join) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32, "see BlockBackend");
    T total{};
    for (int group = 0; group < ThreadCount; group += 32) {
      T lanes[32];
      for (int lane = 0; lane < 32; ++lane) lanes[lane] = values[group + lane];
      for (int offset = 16; offset > 0; offset /= 2)
        for (int lane = 0; lane < offset; ++lane) lanes[lane] = join(lanes[lane], lanes[lane + offset]);
      total = group == 0 ? lanes[0] : join(total, lanes[0]);
    }
    return total;
  }

  /// Adds products of rows of `left` and columns of `right` to the shares; see `BlockBackend`.
  template <class Depth, int Rows, int Columns, class Left, class Right, class Before, class After>
  ASSAY_FUNCTION void multiply_accumulate(PerThread<MatrixShare<Rows, Columns>>& shares, Depth, const Left& left,
                                          const Right& right, const Before& before, const After& after) const {
    static_assert(Depth::value > 0 && Depth::value % 4 == 0, "see BlockBackend");
    // a group goes through all of the phase before the next one begins: what one of them spoils for another shows
    for (int i = 0; i < ThreadCount / 32; ++i) {
      const int group = order_ == ThreadOrder::ascending ? i : ThreadCount / 32 - 1 - i;
      const auto each_lane = [&](const auto& work) {
        for (int lane = 0; lane < 32; ++lane) work(32 * group + (order_ == ThreadOrder::ascending ? lane : 31 - lane));
      };
      each_lane(before);
      const auto share = [&](int lane) -> MatrixShare<Rows, Columns>& { return shares[32 * group + lane]; };
      detail::multiply_as_matrix_units<Depth::value, Rows, Columns>(group, share, left, right);
      each_lane(after);
    }
  }

 private:
  std::size_t index_;
  ThreadOrder order_;
  int multiprocessor_;
};

namespace detail {

/// Runs blocks of `functor` on the host. Shared memory begins as NaN in every format, so that what is read before it is
/// written shows.
template <class Functor>
struct RunHostBlock {
  Functor functor;
  ThreadOrder order;
  int (*multiprocessor_of)(std::size_t block) = nullptr;  ///< what blocks are told, where a test emulates a device

  void operator()(std::size_t index) const {
    using Shared = typename Functor::Shared;
    static_assert(std::is_trivially_copyable_v<Shared> && std::is_trivially_destructible_v<Shared>, "see BlockBackend");
    const auto shared = std::make_unique<Shared>();
    std::memset(static_cast<void*>(shared.get()), 0xFF, sizeof(Shared));
    HostBlock<Functor::threads> block(index, order, multiprocessor_of == nullptr ? -1 : multiprocessor_of(index));
    functor(block, *shared);
  }
};

}  // namespace detail

}  // namespace assay::inline v0
