#pragma once

// Blocks of threads on CUDA and HIP devices. Empty for other compilers.

#if defined(__CUDACC__) || defined(__HIPCC__)

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "assay/backends/matrix_share.hpp"
#include "assay/backends/multiply_shares.hpp"
#include "assay/core/config.hpp"

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define ASSAY_DETAIL_ON_DEVICE 1
#else
#define ASSAY_DETAIL_ON_DEVICE 0
#endif

namespace assay::inline v0::detail {

template <class Functor>
__global__ void run_indexed(Functor functor, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t index = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; index < count; index += step)
    functor(index);
}

/// See `BlockBackend`: every thread runs the block's code, and is one of its threads in each phase.
template <int ThreadCount>
class DeviceBlock {
 public:
  static constexpr int threads = ThreadCount;
  static constexpr int groups = ThreadCount / 32;
  static constexpr std::size_t scratch_bytes = std::size_t{groups} * 32;

  template <class T>
  class PerThread {
   public:
    ASSAY_FUNCTION T& operator[](int) { return value_; }
    ASSAY_FUNCTION const T& operator[](int) const { return value_; }

   private:
    T value_{};
  };

  ASSAY_FUNCTION DeviceBlock(std::size_t index, unsigned char* scratch) : index_(index), scratch_(scratch) {}

  [[nodiscard]] ASSAY_FUNCTION std::size_t index() const { return index_; }

  /// Not counted densely. HIP: the bits of compute unit, array and engine in HW_ID, of gfx9 alone (`__smid` of HIP 5
  /// drops one).
  [[nodiscard]] ASSAY_FUNCTION int multiprocessor() const {
#if defined(__CUDA_ARCH__)
    unsigned number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return static_cast<int>(number);
#elif defined(__GFX9__)
    constexpr int hardware_id = 4, first_bit = 8, bits = 8, die_id = 20, die_bits = 4;
    unsigned number = __builtin_amdgcn_s_getreg(hardware_id | first_bit << 6 | (bits - 1) << 11);
#if defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx950__)
    number |= __builtin_amdgcn_s_getreg(die_id | (die_bits - 1) << 11) << bits;
#else
    static_cast<void>(die_id), static_cast<void>(die_bits);
#endif
    return static_cast<int>(number);
#else
    return -1;
#endif
  }

  template <class Phase>
  ASSAY_FUNCTION void each([[maybe_unused]] const Phase& phase) const {
#if ASSAY_DETAIL_ON_DEVICE
    phase(static_cast<int>(threadIdx.x));
    __syncthreads();
#endif
  }

  template <class T, class Join>
  [[nodiscard]] ASSAY_FUNCTION T reduce(const PerThread<T>& values, [[maybe_unused]] const Join& join) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 32, "see BlockBackend");
    T total = values[0];
#if ASSAY_DETAIL_ON_DEVICE
    for (int offset = 16; offset > 0; offset /= 2) total = join(total, from_lane(total, offset));
    T* const partials = reinterpret_cast<T*>(scratch_);
    if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = total;
    __syncthreads();
    total = partials[0];
    for (int group = 1; group < groups; ++group) total = join(total, partials[group]);
    __syncthreads();
#endif
    return total;
  }

  template <class Depth, int Rows, int Columns, class Left, class Right, class Before, class After>
  ASSAY_FUNCTION void multiply_accumulate([[maybe_unused]] PerThread<MatrixShare<Rows, Columns>>& shares, Depth,
                                          [[maybe_unused]] const Left& left, [[maybe_unused]] const Right& right,
                                          [[maybe_unused]] const Before& before,
                                          [[maybe_unused]] const After& after) const {
    static_assert(Depth::value > 0 && Depth::value % 4 == 0, "see BlockBackend");
#if ASSAY_DETAIL_ON_DEVICE
    const int thread = static_cast<int>(threadIdx.x);
    before(thread);
    multiply<Depth::value>(thread, shares[thread], left, right);
    after(thread);
    __syncthreads();
#endif
  }

 private:
#if ASSAY_DETAIL_ON_DEVICE
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  template <int Depth, int Rows, int Columns, class Left, class Right>
  static __device__ __forceinline__ void multiply(int thread, MatrixShare<Rows, Columns>& share, const Left& left,
                                                  const Right& right) {
    using Share = MatrixShare<Rows, Columns>;
    const int group = thread / 32, lane = thread % 32;
    ASSAY_DETAIL_UNROLL
    for (int start = 0; start < Depth; start += 4) {
      double rows[Share::row_parts], columns[Share::column_parts];
      ASSAY_DETAIL_UNROLL
      for (int i = 0; i < Share::row_parts; ++i) rows[i] = left(group, 8 * i + lane / 4, start + lane % 4);
      ASSAY_DETAIL_UNROLL
      for (int j = 0; j < Share::column_parts; ++j) columns[j] = right(group, start + lane % 4, 8 * j + lane / 4);
      ASSAY_DETAIL_UNROLL
      for (int i = 0; i < Share::row_parts; i += 2) ASSAY_DETAIL_UNROLL
      for (int j = 0; j < Share::column_parts; ++j)
        multiply_parts(share.values[i][j], share.values[i + 1][j], rows[i], rows[i + 1], columns[j]);
    }
  }
  /// Two parts, one above the other.
  static __device__ __forceinline__ void multiply_parts(double (&upper)[2], double (&lower)[2], double upper_row,
                                                        double lower_row, double column) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(upper[0]), "+d"(upper[1]), "+d"(lower[0]), "+d"(lower[1])
                 : "d"(upper_row), "d"(lower_row), "d"(column));
#else
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(upper[0]), "+d"(upper[1])
                 : "d"(upper_row), "d"(column));
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(lower[0]), "+d"(lower[1])
                 : "d"(lower_row), "d"(column));
#endif
  }
#else
  template <int Depth, int Rows, int Columns, class Left, class Right>
  static __device__ void multiply(int thread, MatrixShare<Rows, Columns>& share, const Left& left, const Right& right) {
    multiply_one_by_one<Depth>(thread, share, left, right);
  }
#endif

  /// The value of the thread `offset` further in this group of 32, word by word.
  template <class T>
  [[nodiscard]] static __device__ T from_lane(const T& value, int offset) {
    constexpr int words = static_cast<int>((sizeof(T) + 3) / 4);
    unsigned own[words] = {}, other[words];
    memcpy(own, &value, sizeof(T));
    for (int word = 0; word < words; ++word)
#if defined(__CUDACC__)
      other[word] = __shfl_down_sync(0xFFFFFFFFu, own[word], static_cast<unsigned>(offset), 32);
#else
      other[word] = __shfl_down(own[word], static_cast<unsigned>(offset), 32);
#endif
    T result;
    memcpy(&result, other, sizeof(T));
    return result;
  }
#endif

  std::size_t index_;
  unsigned char* scratch_;
};

template <class Functor>
inline constexpr std::size_t block_shared_bytes =
    (sizeof(typename Functor::Shared) + 31) / 32 * 32 + DeviceBlock<Functor::threads>::scratch_bytes;

/// How many blocks of a functor are to fit a multiprocessor of CUDA, which limits their registers: what it says, if
/// anything.
template <class Functor>
inline constexpr int blocks_at_once = [] {
  if constexpr (requires { Functor::blocks_at_once; })
    return Functor::blocks_at_once;
  else
    return 1;
}();

template <class Functor>
#if defined(__CUDACC__)  // functors whose address is taken are not copied to each thread
__global__ void __launch_bounds__(Functor::threads, blocks_at_once<Functor>)
    run_blocks(const __grid_constant__ Functor functor, std::size_t blocks) {
#else
__global__ void __launch_bounds__(Functor::threads) run_blocks(Functor functor, std::size_t blocks) {
#endif
  extern __shared__ __align__(128) unsigned char assay_block_memory[];
  auto& shared = *reinterpret_cast<typename Functor::Shared*>(assay_block_memory);
  unsigned char* const scratch = assay_block_memory + (sizeof(typename Functor::Shared) + 31) / 32 * 32;
  for (std::size_t index = blockIdx.x; index < blocks; index += gridDim.x) {
    DeviceBlock<Functor::threads> block(index, scratch);
    functor(block, shared);
    __syncthreads();
  }
}

}  // namespace assay::inline v0::detail

#endif
