#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"
#include "assay/kernels/gemm/detail/blocked_reference.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// One row of weights times gathered columns, and the same of magnitudes: `count` columns, `pitch` between rows. Products of singles are exact, sums go from row to row.
struct RowProducts {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* weights, const float* columns, Index pitch, Index depth, Index count, double* products, double* magnitudes) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    using Long = typename Vector<std::int64_t, VectorBytes>::Type;
    constexpr Index lanes = VectorBytes / sizeof(double), parts = 4;
    Index first = 0;
    for (; first + parts * lanes <= count; first += parts * lanes) {
      Double product[parts] = {}, magnitude[parts] = {};
      const float* from = columns + first;
      for (Index row = 0; row < depth; ++row, from += pitch) {
        const double weight = static_cast<double>(weights[row]);
#pragma GCC unroll 4
        for (Index part = 0; part < parts; ++part) {
          Double value;
          WidenSingles<VectorBytes>::load(from + part * lanes, value);
          value *= weight;
          product[part] += value;
          magnitude[part] += Double(Long(value) & INT64_MAX);
        }
      }
      for (Index part = 0; part < parts; ++part) {
        *reinterpret_cast<Place*>(products + first + part * lanes) = product[part];
        *reinterpret_cast<Place*>(magnitudes + first + part * lanes) = magnitude[part];
      }
    }
    for (; first < count; ++first) {
      double product = 0, magnitude = 0;
      for (Index row = 0; row < depth; ++row) {
        const double value = static_cast<double>(weights[row]) * static_cast<double>(columns[row * pitch + first]);
        product += value;
        magnitude += absolute(value);
      }
      products[first] = product;
      magnitudes[first] = magnitude;
    }
  }
};

/// ‖column‖ over `depth` rows of a matrix, for `count` columns.
struct ColumnNorms {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* source, Index pitch, Index depth, Index count, double* norms) {
    constexpr std::size_t lanes = VectorBytes / sizeof(double);
    using Double = typename Vector<double, VectorBytes>::Type;
    using Floats = typename Vector<float, VectorBytes / 2>::Unaligned;
    constexpr Index width = 16;  // a line of the cache
    Index first = 0;
    for (; first + width <= count; first += width) {
      Double sums[16 / lanes] = {};
      for (Index row = 0; row < depth; ++row) {
        const float* const from = source + row * pitch + first;
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 16 / lanes; ++i) {
          const Double value = __builtin_convertvector(*reinterpret_cast<const Floats*>(from + i * lanes), Double);
          sums[i] += value * value;
        }
      }
      for (std::size_t i = 0; i < 16; ++i) norms[first + static_cast<Index>(i)] = std::sqrt(sums[i / lanes][i % lanes]) * norm_inflation;
    }
    for (; first < count; ++first) {
      double sum = 0;
      for (Index row = 0; row < depth; ++row) sum += static_cast<double>(source[row * pitch + first]) * static_cast<double>(source[row * pitch + first]);
      norms[first] = std::sqrt(sum) * norm_inflation;
    }
  }
};

/// The norms of a block of columns, a chunk of rows at a time.
struct ColumnNormsWork {
  static constexpr Index block = 512;
  const float* columns;
  Index width, depth, chunk_rows, pitch;
  double* norms;  ///< chunks × pitch
  InstructionSet set;

  [[nodiscard]] std::size_t tasks() const { return static_cast<std::size_t>((width + block - 1) / block); }
  void operator()(std::size_t task) const {
    const Index first = static_cast<Index>(task) * block;
    Index count = width - first < block ? width - first : block, own_pitch = width;
    for (Index start = 0; start < depth; start += chunk_rows) {
      Index rows = depth - start < chunk_rows ? depth - start : chunk_rows;
      const float* source = columns + start * width + first;
      double* to = norms + start / chunk_rows * pitch + first;
      run_variant<ColumnNorms>(set, source, own_pitch, rows, count, to);
    }
  }
};

/// ‖row‖ of a matrix over every chunk of its columns.
struct RowNormsWork {
  const float* matrix;
  Index depth, chunk_rows, chunks;
  double* norms;  ///< rows × chunks

  void operator()(std::size_t row) const {
    for (Index chunk = 0; chunk < chunks; ++chunk) {
      double sum = 0;
      for (Index i = chunk * chunk_rows; i < (chunk + 1) * chunk_rows && i < depth; ++i) {
        const double value = static_cast<double>(matrix[static_cast<Index>(row) * depth + i]);
        sum += value * value;
      }
      norms[static_cast<Index>(row) * chunks + chunk] = std::sqrt(sum) * norm_inflation;
    }
  }
};

/// Products of a matrix with gathered columns that go where they belong, with an upper bound of S: by Cauchy and Schwarz over chunks of whole channels.
template <ParallelBackend B>
class WideProduct {
  using Op = Gemm<float32, float32, float32, float32>;
  template <class T>
  using Buffer = typename B::template Buffer<T>;

 public:
  /// Room for matrices of rows × depth, for every group, and columns that stand `pitch` apart in results.
  [[nodiscard]] static Result<WideProduct> create(B& backend, Index groups, Index rows, Index depth, Index taps, Index pitch) {
    WideProduct product;
    product.rows_ = rows;
    product.depth_ = depth;
    product.pitch_ = pitch;
    product.chunk_rows_ = taps * ((32 + taps - 1) / taps);
    product.chunks_ = (depth + product.chunk_rows_ - 1) / product.chunk_rows_;
    product.slots_ = backend.capabilities().concurrency > 0 ? static_cast<Index>(backend.capabilities().concurrency) : 1;
    product.shape_ = BlockShape::of(rows, pitch, groups, static_cast<unsigned>(product.slots_));
    const auto reserve = [&](auto& buffer, Index count) -> Result<void> {
      auto made = backend.template allocate<std::remove_pointer_t<decltype(buffer.data())>>(static_cast<std::size_t>(count));
      if (!made) return made.propagate();
      buffer = std::move(made).value();
      return {};
    };
    if (auto done = reserve(product.row_norms_, groups * rows * product.chunks_); !done) return done.propagate();
    if (auto done = reserve(product.column_norms_, product.chunks_ * pitch); !done) return done.propagate();
    if (auto done = reserve(product.memory_, product.slots_ * round_up(product.shape_.workspace(), 8)); !done) return done.propagate();
    if (auto done = reserve(product.taken_, product.slots_); !done) return done.propagate();
    for (Index slot = 0; slot < product.slots_; ++slot) product.taken_.data()[slot] = 0;
    return Result<WideProduct>(std::move(product));
  }

  [[nodiscard]] Result<void> read_matrices(B& backend, typename B::Stream& stream, const float* matrices, Index groups) {
    matrices_ = matrices;
    return backend.parallel_for(stream, static_cast<std::size_t>(groups * rows_), RowNormsWork{matrices, depth_, chunk_rows_, chunks_, row_norms_.data()});
  }

  /// r and E of one group, row after row `pitch` apart. False, and nothing written, if an operand is not finite.
  [[nodiscard]] Result<bool> run(B& backend, typename B::Stream& stream, Index group, const float* columns, Index width, const GemmBound& bound, double* value, double* error) {
    const InstructionSet set = instruction_set();
    const ColumnNormsWork norms{columns, width, depth_, chunk_rows_, pitch_, column_norms_.data(), set};
    if (auto done = backend.parallel_for(stream, norms.tasks(), norms); !done) return done.propagate();
    if (auto done = backend.synchronize(stream); !done) return done.propagate();
    const double* rows = row_norms_.data() + group * rows_ * chunks_;
    double all = 0;
    for (Index i = 0; i < rows_ * chunks_; ++i) all += rows[i];
    for (Index chunk = 0; chunk < chunks_; ++chunk)
      for (Index i = 0; i < width; ++i) all += column_norms_.data()[chunk * pitch_ + i];
    if (!is_finite(all)) return false;
    const Op::Arguments arguments{{matrices_ + group * rows_ * depth_, {1, rows_, depth_}, {rows_ * depth_, depth_, 1}}, {columns, {1, depth_, width}, {depth_ * width, width, 1}}, {nullptr, {1, rows_, pitch_}, {rows_ * pitch_, pitch_, 1}}};
    const ReferenceBlock<Op, false> block{arguments, bound, shape_, 0, 0, width, nullptr, {{rows, rows}, {column_norms_.data(), column_norms_.data()}, chunks_},
                                          {memory_.data(), taken_.data(), slots_, round_up(shape_.workspace(), 8)}, value, error, set};
    if (auto done = backend.parallel_for(stream, static_cast<std::size_t>(block.row_blocks() * block.column_blocks()), block); !done) return done.propagate();
    if (auto done = backend.synchronize(stream); !done) return done.propagate();
    return true;
  }

 private:
  Index rows_ = 0, depth_ = 0, pitch_ = 0, chunk_rows_ = 1, chunks_ = 0, slots_ = 1;
  BlockShape shape_;
  const float* matrices_ = nullptr;
  Buffer<double> row_norms_, column_norms_, memory_;
  Buffer<int> taken_;
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
