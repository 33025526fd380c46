#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "assay/compare/any_expectation.hpp"
#include "assay/compare/compare.hpp"
#include "assay/formats/word_memory.hpp"
#include "assay/tolerance/chosen.hpp"

namespace assay::inline v0::detail {

/// What is expected of each code, and the value that it makes of a kernel which rounds correctly.
template <Format T>
struct CodeTable {
  using Stored = std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>;
  static constexpr Index block = expected_block_columns < 256 ? expected_block_columns : 256;

  std::vector<Stored> stored;
  std::vector<double> value, error;

  explicit CodeTable(int bytes) : stored(std::size_t{1} << (8 * bytes)), value(stored.size()), error(stored.size()) {}

  [[nodiscard]] double rounded(std::size_t code) const { return decode(std::bit_cast<T>(stored[code])); }
  /// Whether an element that is as expected is accepted with the ratio 0, and its errors can be told.
  [[nodiscard]] bool ordinary(std::size_t code) const {
    return is_finite(value[code]) && is_finite(error[code]) && error[code] >= 0 && is_finite(rounded(code));
  }
};

template <Format T>
struct FillCodeTable {
  AnyExpectation expected;
  CodeTable<T>* table;

  void operator()(std::size_t index) const {
    const auto first = static_cast<Index>(index) * table->block;
    expected.expected_of_codes(first, table->block, table->value.data() + first, table->error.data() + first);
    for (auto code = static_cast<std::size_t>(first); code < static_cast<std::size_t>(first + table->block); ++code)
      table->stored[code] = std::bit_cast<typename CodeTable<T>::Stored>(encode<T>(table->value[code]));
  }
};

/// How often each code came with the value that is expected of it. As many counts as threads are used at once; their
/// sums do not depend on who counted what.
class CodeCounts {
 public:
  explicit CodeCounts(std::size_t codes) : codes_(codes) {}

  [[nodiscard]] std::uint32_t* take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) {
      all_.push_back(std::make_unique<std::uint32_t[]>(codes_));
      return all_.back().get();
    }
    std::uint32_t* const counts = free_.back();
    free_.pop_back();
    return counts;
  }
  void give_back(std::uint32_t* counts) {
    const std::lock_guard lock(mutex_);
    free_.push_back(counts);
  }
  [[nodiscard]] std::uint64_t of(std::size_t code) const {
    std::uint64_t sum = 0;
    for (const auto& counts : all_) sum += counts[code];
    return sum;
  }

 private:
  std::size_t codes_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<std::uint32_t[]>> all_;
  std::vector<std::uint32_t*> free_;
};

/// Compares a chunk with what is expected of codes: counts elements that are as expected, and has the others compared.
template <Format T, class Code>
struct CompareCodesChunk {
  using Chunk = CompareChunk<T, 2, AnyExpectation, ChosenTolerance>;
  using Stored = typename CodeTable<T>::Stored;
  static constexpr Index block = 512;
  static constexpr std::size_t few = 32;  ///< of a block

  Chunk chunk;
  const CodeTable<T>* table;
  CodeCounts* counts;

  void operator()(std::size_t index, PartialComparison& partial) const {
    const typename Chunk::Window window = chunk.window_of(index);
    std::uint32_t* const own = counts->take();
    for (Index row = window.first_row; row < window.last_row; ++row)
      for (Index first = window.first_column; first < window.last_column; first += block) {
        const Index count = window.last_column - first < block ? window.last_column - first : block;
        const char* const codes = static_cast<const char*>(chunk.expected.codes(row, first));
        const T* const out = chunk.actual.data + row * chunk.actual.strides[0] + first;
        if (!count_all(codes, out, count, own))
          mend(codes, out, typename Chunk::Window{row, row + 1, first, first + count}, own, partial);
        else
          note_first(MatrixPosition{row, first}, partial);
        partial.elements += static_cast<std::uint64_t>(count);
      }
    counts->give_back(own);
  }

  [[nodiscard]] static Code code_at(const char* codes, Index i) {
    Code code;
    std::memcpy(&code, codes + i * static_cast<Index>(sizeof code), sizeof code);
    return code;
  }
  [[nodiscard]] bool as_expected(Code code, T out) const { return std::bit_cast<Stored>(out) == table->stored[code]; }

 private:
  /// Counts elements; false if one of them is not as expected.
  [[nodiscard]] bool count_all(const char* codes, const T* out, Index count, std::uint32_t* own) const {
    const Stored* const stored = table->stored.data();
    std::uint32_t different = 0;
    Index i = 0;
    foresee<block * sizeof(Code)>(codes);
    foresee<block * sizeof(T)>(out);
    if constexpr (sizeof(Code) == 2 && sizeof(T) == 2 && std::endian::native == std::endian::little)
      for (; i + 2 <= count; i += 2) {  // two at once: processors have few loads, and the tables need theirs
        std::uint32_t two_codes, two_outputs;
        std::memcpy(&two_codes, codes + 2 * i, sizeof two_codes);
        std::memcpy(&two_outputs, out + i, sizeof two_outputs);
        const std::uint32_t low = two_codes & 0xffff, high = two_codes >> 16;
        ++own[low];
        ++own[high];
        different |= (stored[low] | std::uint32_t{stored[high]} << 16) ^ two_outputs;
      }
    for (; i < count; ++i) {
      const Code code = code_at(codes, i);
      ++own[code];
      different |= static_cast<std::uint32_t>(std::bit_cast<Stored>(out[i]) ^ stored[code]);
    }
    return different == 0;
  }
  /// What is not as expected does not count, and is looked at; where it is much, all is.
  void mend(const char* codes, const T* out, const typename Chunk::Window& window, std::uint32_t* own,
            PartialComparison& partial) const {
    const Index count = window.last_column - window.first_column;
    Index place[few];
    std::size_t different = 0;
    for (Index i = 0; i < count; ++i)
      if (!as_expected(code_at(codes, i), out[i])) {
        if (different < few) place[different] = i;
        ++different;
      }
    if (different > few) {
      for (Index i = 0; i < count; ++i) --own[code_at(codes, i)];
      partial.elements -= static_cast<std::uint64_t>(count);  // which the window counts, too
      return chunk.compare_window(window, partial);
    }
    Index done = 0;
    for (std::size_t k = 0; k < different; ++k) {
      if (place[k] > done) note_first(MatrixPosition{window.first_row, window.first_column + done}, partial);
      done = place[k] + 1;
      --own[code_at(codes, place[k])];
      chunk.look_at(out[place[k]], MatrixPosition{window.first_row, window.first_column + place[k]}, true, partial);
    }
    if (done < count) note_first(MatrixPosition{window.first_row, window.first_column + done}, partial);
  }
  /// The first of all ratios stands, if it is 0 and no larger one comes.
  static void note_first(MatrixPosition position, PartialComparison& partial) {
    partial.max_ratio.consider(0, position);
  }
};

/// What the counts tell.
template <Format T, class Code>
class CodeFindings {
 public:
  CodeFindings(const CompareCodesChunk<T, Code>& work) : work_(work), table_(*work.table) {}

  /// Adds what was counted to the comparison; false if a code was counted of whose elements each must be looked at.
  [[nodiscard]] bool join(Comparison& comparison) {
    for (std::size_t code = 0; code < table_.stored.size(); ++code) {
      const std::uint64_t count = work_.counts->of(code);
      if (count == 0) continue;
      if (!table_.ordinary(code)) return false;
      const double reference = table_.value[code], error = table_.rounded(code) - reference, size = absolute(error),
                   place = unit_in_last_place<T>(reference), many = static_cast<double>(count);
      const double chance = table_.error[code] / place;
      statistics_.elements += count;
      statistics_.signed_error += many * error;
      statistics_.squared_error += many * (error * error);
      statistics_.squared_reference += many * (reference * reference);
      statistics_.expected_misrounded += many * (chance < 1 ? chance : 1);
      absolute_.consider(size, code);
      ulps_.consider(size / place, code);
      if (reference != 0) relative_.consider(size / absolute(reference), code);
    }
    comparison.statistics.join(statistics_);
    settle(absolute_, comparison.max_absolute_error);
    settle(relative_, comparison.max_relative_error);
    settle(ulps_, comparison.max_ulp_error);
    return true;
  }

 private:
  /// The largest of a measure, and the codes that have it.
  struct Largest {
    double value = -1;
    std::vector<Code> codes;
    void consider(double candidate, std::size_t code) {
      if (candidate < value) return;
      if (candidate > value) codes.clear();
      value = candidate;
      codes.push_back(static_cast<Code>(code));
    }
  };

  void settle(const Largest& largest, Extremum& extremum) const {
    if (largest.codes.empty() || (extremum.position.row >= 0 && largest.value < extremum.value)) return;
    extremum.join(Extremum{largest.value, first_of(largest.codes)});
  }
  /// Where an element as expected of one of the codes comes first.
  [[nodiscard]] MatrixPosition first_of(const std::vector<Code>& codes) const {
    constexpr std::size_t few = 4;
    const Index rows = work_.chunk.grid.rows;
    MatrixPosition first{rows, 0};
    if (codes.size() > few) {
      std::vector<bool> wanted(table_.stored.size());
      for (const Code code : codes) wanted[code] = true;
      return search(
          first,
          [&](const char* from, Index count) {
            bool any = false;
            for (Index i = 0; i < count; ++i) any |= wanted[work_.code_at(from, i)];
            return any;
          },
          [&](Code code) { return bool{wanted[code]}; });
    }
    for (const Code wanted : codes)
      first = search(
          first,
          [&](const char* from, Index count) {
            Code same = 0;
            for (Index i = 0; i < count; ++i)
              same = static_cast<Code>(same | (work_.code_at(from, i) == wanted ? 1 : 0));
            return same != 0;
          },
          [&](Code code) { return code == wanted; });
    return first;
  }
  /// The first element as expected before `bound` whose code is wanted, else `bound`.
  [[nodiscard]] MatrixPosition search(MatrixPosition bound, const auto& any_wanted, const auto& wanted) const {
    const auto& actual = work_.chunk.actual;
    constexpr Index block = 256;
    for (Index row = 0; row < actual.extents[0] && row <= bound.row; ++row) {
      const Index columns = row == bound.row ? bound.column : actual.extents[1];
      for (Index at = 0; at < columns; at += block) {
        const char* const from = static_cast<const char*>(work_.chunk.expected.codes(row, at));
        const Index count = columns - at < block ? columns - at : block;
        // Of a length that the compiler knows, the search stays on vectors.
        if (count == block ? !any_wanted(from, block) : !any_wanted(from, count)) continue;
        for (Index i = 0; i < count; ++i) {
          const Code code = work_.code_at(from, i);
          if (wanted(code) && work_.as_expected(code, actual.data[row * actual.strides[0] + at + i]))
            return MatrixPosition{row, at + i};
        }
      }
    }
    return bound;
  }

  const CompareCodesChunk<T, Code>& work_;
  const CodeTable<T>& table_;
  ErrorStatistics statistics_;
  Largest absolute_, relative_, ulps_;
};

/// Whether it pays to make a table of what is expected of each code: outputs are much larger than that.
[[nodiscard]] inline bool suits_codes(const AnyExpectation& expected, const ChosenTolerance& tolerance,
                                      Index elements) {
  const int bytes = expected.code_bytes();
  return (bytes == 1 || bytes == 2) && tolerance.kind == ChosenTolerance::Kind::derived &&
         elements >= Index{8} << (8 * bytes) && elements < Index{1} << 32;
}

/// `compare` with an expectation of codes: each element is looked up in a table of all codes. The counts of codes tell
/// the sums of `ErrorStatistics`, which agree with those of other ways to 2e-7. Memory: 1.5 MiB, and 256 KiB a thread.
/// An empty result: elements are to be compared otherwise.
template <Format T, class Code, ParallelBackend B>
[[nodiscard]] Result<Comparison> compare_codes(B& backend, typename B::Stream& stream,
                                               const StridedView<const T, 2>& actual, const AnyExpectation& expected,
                                               const ChosenTolerance& tolerance) {
  CodeTable<T> table(static_cast<int>(sizeof(Code)));
  if (auto run = backend.parallel_for(stream, table.stored.size() / table.block, FillCodeTable<T>{expected, &table});
      !run)
    return run.propagate();
  if (auto done = backend.synchronize(stream); !done) return done.propagate();
  const ChunkGrid grid = ChunkGrid::over(actual.extents[0], actual.extents[1]);
  CodeCounts counts(table.stored.size());
  const CompareCodesChunk<T, Code> work{
      {actual, expected, tolerance, grid, {true, instruction_set()}}, &table, &counts};
  auto partials = parallel_partials<PartialComparison>(backend, stream, static_cast<std::size_t>(grid.chunks()), work);
  if (!partials) return partials.propagate();
  Comparison comparison;
  comparison.rows = actual.extents[0];
  comparison.columns = actual.extents[1];
  comparison.tiles.title = "largest error / allowed of each tile";
  fold(partials.value(), grid, comparison);
  if (!CodeFindings<T, Code>(work).join(comparison)) return compare(backend, stream, actual, expected, tolerance);
  return comparison;
}

}  // namespace assay::inline v0::detail
