#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/convolution/detail/padded_images.hpp"
#include "assay/kernels/convolution/detail/scales.hpp"
#include "assay/kernels/detail/vector_exponential.hpp"
#include "assay/kernels/gemm/detail/blocked_reference.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// sums[i] += x[i]² for `count` numbers.
struct AddSquares {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* x, Index count, double* sums) {
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(double));
    Index i = 0;
    for (; i + lanes <= count; i += lanes) {
      typename WidenSingles<VectorBytes>::Doubles value;
      WidenSingles<VectorBytes>::load(x + i, value);
      *reinterpret_cast<Place*>(sums + i) += value * value;
    }
    for (; i < count; ++i) sums[i] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  }
};

/// Adds Σ x² of `count` numbers.
struct SumOfSquares {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* x, Index count, double& sum) {
    using Double = typename Vector<double, VectorBytes>::Type;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(double));
    Double sums[4] = {};
    Index i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes)
#pragma GCC unroll 4
      for (Index part = 0; part < 4; ++part) {
        Double value;
        WidenSingles<VectorBytes>::load(x + i + part * lanes, value);
        sums[part] += value * value;
      }
    const Double all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (Index lane = 0; lane < lanes; ++lane) sum += all[lane];
    for (; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  }
};

/// √ of the sums of `count` neighbors over all taps, inflated; and the largest of them.
struct NormsOfLine {
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const double* squares, const Index* taps, Index tap_count, Index count,
                                      double* norms) {
    using Double = typename Vector<double, VectorBytes>::Type;
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(double));
    Index i = 0;
    for (; i + lanes <= count; i += lanes) {
      Double sum{};
      for (Index tap = 0; tap < tap_count; ++tap) sum += *reinterpret_cast<const Place*>(squares + taps[tap] + i);
      for (Index lane = 0; lane < lanes; ++lane) norms[i + lane] = std::sqrt(sum[lane]) * norm_inflation;
    }
    for (; i < count; ++i) {
      double sum = 0;
      for (Index tap = 0; tap < tap_count; ++tap) sum += squares[taps[tap] + i];
      norms[i] = std::sqrt(sum) * norm_inflation;
    }
  }
};

/// ‖x_c‖ of every result of an image, for a chunk of channels.
struct ImageNorms {
  PaddedLayout layout;
  const float* images;  ///< image × group × channel
  const Index* taps;    ///< their places
  Index groups, channels, chunk_channels, chunks;
  double* squares;  ///< room for all of a task's image, for every task
  double* norms;    ///< group × chunk × pitch, of the first image
  Index pitch;
  double* largest;  ///< of every task; no number if one of the norms is none
  double* totals;   ///< Σ x² of every task, padding included
  InstructionSet set;

  void operator()(std::size_t task) const {
    const Index chunk = static_cast<Index>(task) % chunks, group = static_cast<Index>(task) / chunks % groups,
                image = static_cast<Index>(task) / chunks / groups;
    const Index places = layout.places(), first = chunk * chunk_channels,
                last = first + chunk_channels < channels ? first + chunk_channels : channels;
    double* const sums = squares + static_cast<Index>(task) * places;
    for (Index i = 0; i < places; ++i) sums[i] = 0;
    for (Index channel = first; channel < last; ++channel) {
      const float* const from = images + ((image * groups + group) * channels + channel) * places;
      run_variant<AddSquares>(set, from, places, sums);
    }
    totals[task] = 0;
    for (Index i = 0; i < places; ++i) totals[task] += sums[i];
    double* const own = norms + (group * chunks + chunk) * pitch + image * layout.positions();
    const Index count = layout.of.count[2], tap_count = layout.of.taps;
    for (Index line = 0; line < layout.of.lines(); ++line) {
      const double* const from = sums + layout.place_of_line(line);
      double* const to = own + line * count;
      run_variant<NormsOfLine>(set, from, taps, tap_count, count, to);
    }
    double most = 0, sum = 0;
    for (Index i = 0; i < layout.positions(); ++i) {
      most = own[i] > most ? own[i] : most;
      sum += own[i];
    }
    largest[task] = is_finite(sum) ? most : sum;
  }
};

/// ‖w_c‖ of a row of weights over every chunk, and the row as products read it.
struct ReadFilters {
  const float* matrix;  ///< group × own × depth
  Index own, depth, chunk_depth, chunks;
  double* packed;  ///< group × block of depth × padded rows × block_depth
  double* norms;   ///< group × own × chunks
  InstructionSet set;

  [[nodiscard]] Index padded_rows() const { return round_up(own, row_multiple); }
  [[nodiscard]] Index blocks_of_depth() const { return (depth + block_depth - 1) / block_depth; }
  [[nodiscard]] Index blocks_of_rows() const { return padded_rows() / row_multiple; }

  void operator()(std::size_t task) const {
    const Index group = static_cast<Index>(task) / blocks_of_rows(),
                first = static_cast<Index>(task) % blocks_of_rows() * row_multiple;
    Index count = own - first < row_multiple ? own - first : row_multiple, stride = depth, one = 1;
    const float* const rows = matrix + (group * own + first) * depth;
    for (Index start = 0; start < depth; start += block_depth) {
      Index length = depth - start < block_depth ? depth - start : block_depth;
      const float* from = rows + start;
      double* to = packed + ((group * blocks_of_depth() + start / block_depth) * padded_rows() + first) * block_depth;
      run_variant<PackRows>(set, from, stride, one, count, length, to);
    }
    for (Index row = 0; row < count; ++row)
      for (Index chunk = 0; chunk < chunks; ++chunk) {
        const Index begin = chunk * chunk_depth;
        Index length = (begin + chunk_depth < depth ? begin + chunk_depth : depth) - begin;
        const float* from = rows + row * depth + begin;
        double sum = 0;
        run_variant<SumOfSquares>(set, from, length, sum);
        norms[(group * own + first + row) * chunks + chunk] = std::sqrt(sum) * norm_inflation;
      }
  }
};

/// Sums of packed rows times columns that are read from padded images, block by block in ascending depth.
struct MultiplyColumns {
  static constexpr Index rows_at_once = 96;

  /// Where a task's sums go: to `sums`, rows × stride, rows padded; `straight` rows, a multiple of `rows_written`, to
  /// the results, whose rows lie `pitch` apart.
  struct Target {
    double* sums;
    Index stride;
    double* results;
    Index pitch, straight;
  };

  /// `bases`: places of the columns, as many as fill whole panels. `depth` > 0; one block of it where rows go straight
  /// to the results.
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void run(const float* images, const Index* bases, Index columns, const Index* terms,
                                      Index depth, const double* rows, Index row_pitch, Index count, double* panels,
                                      const Target& target) {
    for (Index start = 0; start < depth; start += block_depth) {
      const Index length = depth - start < block_depth ? depth - start : block_depth;
      for (Index column = 0; column < columns; column += panel_columns)
        pack<VectorBytes>(images, bases + column, terms + start, length, panels + column * block_depth);
      for (Index row = 0, part = 0; row < count; row += part) {
        const bool straight = row < target.straight;
        const Index left = (straight ? target.straight : count) - row;
        part = left < rows_at_once ? left : rows_at_once;
        MultiplyBlock::add<VectorBytes, Summand::product>(
            rows + start / block_depth * row_pitch + row * block_depth, panels, block_depth * panel_columns, length,
            part, columns, straight ? target.results + row * target.pitch : target.sums + row * target.stride,
            straight ? target.pitch : target.stride, start == 0);
      }
    }
  }

 private:
  template <std::size_t VectorBytes>
  ASSAY_DETAIL_INLINE static void pack(const float* images, const Index* bases, const Index* terms, Index length,
                                       double* packed) {
    using Widen = WidenSingles<VectorBytes>;
    using Place = typename Vector<double, VectorBytes>::Unaligned;
    constexpr Index lanes = static_cast<Index>(VectorBytes / sizeof(double));
    Index run = 1;  // columns that are neighbors, before those of the next line, if there are such
    while (run < panel_columns && bases[run] == bases[0] + run) ++run;
    const Index rest = panel_columns - run;
    const float* const first = images + bases[0];
    if (rest == 0) {
      for (Index term = 0; term < length; ++term, packed += panel_columns) {
#pragma GCC unroll 4
        for (Index lane = 0; lane < panel_columns; lane += lanes) {
          typename Widen::Doubles values;
          Widen::load(first + terms[term] + lane, values);
          *reinterpret_cast<Place*>(packed + lane) = values;
        }
      }
      return;
    }
    if (bases[run] > bases[run - 1] && bases[panel_columns - 1] == bases[run] + rest - 1) {
      using Bits = typename Vector<std::int64_t, VectorBytes>::Type;
      const float* const second = images + (bases[run] - run);
      alignas(64) std::int64_t of_second[panel_columns];
      for (Index column = 0; column < panel_columns; ++column)
        of_second[column] = -static_cast<std::int64_t>(column >= run);
      for (Index term = 0; term < length; ++term, packed += panel_columns) {
#pragma GCC unroll 4
        for (Index lane = 0; lane < panel_columns; lane += lanes) {
          typename Widen::Doubles values, others;
          Widen::load(first + terms[term] + lane, values);
          Widen::load(second + terms[term] + lane, others);
          const Bits mask = *reinterpret_cast<const Bits*>(of_second + lane);
          *reinterpret_cast<Place*>(packed + lane) =
              typename Widen::Doubles((Bits(values) & ~mask) | (Bits(others) & mask));
        }
      }
      return;
    }
    for (Index term = 0; term < length; ++term, packed += panel_columns) {
      const float* const from = images + terms[term];
#pragma GCC unroll 8
      for (Index column = 0; column < panel_columns; ++column)
        packed[column] = static_cast<double>(from[bases[column]]);
    }
  }
};

/// One block of results, of several images: whole panels of columns of a group, and some of its rows.
struct ColumnsTask {
  static constexpr Index most_columns = 96;
  PaddedLayout layout;
  const float* images;  ///< image × group × channel
  const Index* terms;   ///< places of (channel, tap)
  ReadFilters filters;
  Index groups, channels, image_count;
  Index columns, rows;  ///< of a task
  Workspaces workspaces;
  const double* biases;  ///< of every channel of the results, or null
  double* value;         ///< of the first image

  [[nodiscard]] Index all_columns() const { return image_count * layout.positions(); }
  [[nodiscard]] Index column_blocks() const { return (all_columns() + columns - 1) / columns; }
  [[nodiscard]] Index row_blocks() const { return (filters.own + rows - 1) / rows; }
  [[nodiscard]] std::size_t tasks() const { return static_cast<std::size_t>(groups * column_blocks() * row_blocks()); }
  [[nodiscard]] static Index workspace(Index columns, Index rows) {
    return columns * block_depth + round_up(rows, row_multiple) * columns;
  }

  void operator()(std::size_t task) const {
    const Index row = static_cast<Index>(task) % row_blocks() * rows,
                first = static_cast<Index>(task) / row_blocks() % column_blocks() * columns;
    const Index group = static_cast<Index>(task) / row_blocks() / column_blocks();
    Index width = all_columns() - first < columns ? all_columns() - first : columns,
          count = filters.own - row < rows ? filters.own - row : rows;
    Index own_bases[most_columns];
    place_columns(group, first, width, own_bases);
    Index depth = filters.depth, row_pitch = filters.padded_rows() * block_depth;
    const double* packed = filters.packed + group * filters.blocks_of_depth() * row_pitch + row * block_depth;
    const Index* bases = own_bases;
    const float* from = images;
    const Index slot = workspaces.claim();
    double* panels = workspaces.memory + slot * workspaces.size;
    double* sums = panels + columns * block_depth;
    const Index positions = layout.positions(), channel = group * filters.own + row;
    const bool straight = depth <= block_depth && biases == nullptr && width % panel_columns == 0 &&
                          first % positions + width <= positions;
    const MultiplyColumns::Target target{
        sums, columns, place_of(channel, first), positions,
        straight ? count / MultiplyBlock::rows_written * MultiplyBlock::rows_written : 0};
    run_variant<MultiplyColumns>(filters.set, from, bases, width, terms, depth, packed, row_pitch, count, panels,
                                 target);
    for (Index placed = target.straight; placed < count; ++placed)
      place_row(channel + placed, first, width, sums + placed * columns);
    workspaces.release(slot);
  }

 private:
  /// Where the columns' first element stands; columns that only fill the last panel repeat the last one.
  void place_columns(Index group, Index first, Index width, Index* bases) const {
    const Index positions = layout.positions(), line = layout.of.count[2];
    for (Index column = 0; column < round_up(width, panel_columns); ++column) {
      const Index at = first + (column < width ? column : width - 1), position = at % positions;
      bases[column] = (at / positions * groups + group) * channels * layout.places() +
                      layout.place_of_line(position / line) + position % line;
    }
  }
  /// Of a channel's result in that column.
  [[nodiscard]] double* place_of(Index channel, Index column) const {
    const Index positions = layout.positions();
    return value + (column / positions * groups * filters.own + channel) * positions + column % positions;
  }
  void place_row(Index channel, Index first, Index width, const double* sums) const {
    const Index positions = layout.positions();
    for (Index done = 0, part = 0; done < width; done += part) {
      const Index at = first + done, left = width - done;
      part = positions - at % positions < left ? positions - at % positions : left;
      double* const to = place_of(channel, at);
      if (biases == nullptr)
        std::memcpy(to, sums + done, static_cast<std::size_t>(part) * sizeof(double));
      else
        for (Index i = 0; i < part; ++i) to[i] = sums[done + i] + biases[channel];
    }
  }
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT
}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
