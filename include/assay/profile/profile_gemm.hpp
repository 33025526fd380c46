#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/backends/backend.hpp"
#include "assay/profile/profile_unit.hpp"
#include "assay/validators/gemm_operands.hpp"
#include "assay/validators/gemm_subject.hpp"

namespace assay::inline v0 {

/// How a GEMM is profiled.
struct GemmProfileOptions {
  ProfileOptions sums;  ///< how sums are looked at
  Index tile = 64;  ///< probes stand in products of tile × tile: kernels may choose another arithmetic for other sizes
  bool transpose_b = false;  ///< B is stored n×k: some units take 8-bit numbers in no other way
};

namespace detail {

/// One launch: C = A·B of codes that `a(row, k)` and `b(k, column)` give, the same in every matrix of a batch.
/// Every operand begins `offset` elements after an aligned address. The codes of the last matrix, row by row.
template <class Op, Backend W, class CodeA, class CodeB>
[[nodiscard]] Result<std::vector<std::uint64_t>> gemm_codes(W& worker, typename W::Stream& stream,
                                                            const GemmSubject<Op>& subject, const GemmProblem& problem,
                                                            Index offset, CodeA a, CodeB b) {
  const auto layout = lay_out(problem);
  if (!layout) return layout.propagate();
  const auto start = static_cast<std::size_t>(offset);
  const auto filled = [&]<class T>(const GemmOperandLayout& own, T,
                                   auto code) -> Result<typename W::template Buffer<T>> {
    std::vector<T> values(static_cast<std::size_t>(own.elements) + start, FormatTraits<T>::from_bits(0));
    const auto matrices = matrix_view(values.data() + start, own, problem.batch);
    for (Index row = 0; row < own.rows; ++row)
      for (Index column = 0; column < own.columns; ++column) {
        const T value = FormatTraits<T>::from_bits(static_cast<typename FormatTraits<T>::Bits>(code(row, column)));
        for (Index batch = 0; batch < problem.batch; ++batch) matrices(batch, row, column) = value;
      }
    auto buffer = worker.template allocate<T>(values.size());
    if (!buffer) return buffer;
    if (auto copied = worker.copy_to_device(stream, buffer.value().data(), values.data(), values.size()); !copied)
      return copied.propagate();
    if (auto done = worker.synchronize(stream); !done) return done.propagate();
    return buffer;
  };
  using C = typename Op::FormatC;
  auto left = filled(layout.value().a, typename Op::FormatA{}, a);
  if (!left) return left.propagate();
  auto right = filled(layout.value().b, typename Op::FormatB{}, b);
  if (!right) return right.propagate();
  auto product = filled(layout.value().c, C{}, [](Index, Index) { return 0; });
  if (!product) return product.propagate();
  const typename Op::Arguments arguments{
      matrix_view(std::as_const(left.value()).data() + start, layout.value().a, problem.batch),
      matrix_view(std::as_const(right.value()).data() + start, layout.value().b, problem.batch),
      matrix_view(product.value().data() + start, layout.value().c, problem.batch)};
  if (auto run = subject.run(problem, arguments); !run) return run.propagate();
  std::vector<C> written(static_cast<std::size_t>(layout.value().c.elements) + start);
  if (auto copied = worker.copy_to_host(stream, written.data(), product.value().data(), written.size()); !copied)
    return copied.propagate();
  if (auto done = worker.synchronize(stream); !done) return done.propagate();
  std::vector<std::uint64_t> codes;
  const auto matrices = matrix_view(written.data() + start, layout.value().c, problem.batch);
  for (Index row = 0; row < problem.m; ++row)
    for (Index column = 0; column < problem.n; ++column)
      codes.push_back(FormatTraits<C>::to_bits(matrices(problem.batch - 1, row, column)));
  return codes;
}

/// A product that is launched otherwise than the first.
struct OtherLaunch {
  std::string name;
  GemmProblem problem;
  Index offset = 0;
};

/// Ways to launch a product of tile × tile × k.
[[nodiscard]] std::vector<OtherLaunch> other_launches(const GemmProblem& first);

}  // namespace detail

/// Where in a product of tile × tile a kernel does the same arithmetic.
struct GemmPlaces {
  std::vector<std::pair<Index, Index>> chosen;  ///< row and column, each row and each column at most once
  double elsewhere = 0;  ///< share of the elements where other bits come out of equal rows and columns
};

namespace detail {

/// A random number of either sign and at least 2^−8.
[[nodiscard]] inline double probing_number(std::uint64_t seed, Index lane, Index position) {
  const auto bits = random_bits(seed, static_cast<std::uint64_t>(lane), static_cast<std::uint64_t>(position));
  return (static_cast<double>(bits.words[0]) * 0x1p-32 + 0x1p-8) * ((bits.words[1] & 1) != 0 ? 1 : -1);
}

}  // namespace detail

/// The places of a product of tile × tile × k where a kernel gives the bits that it gives in most places: kernels often
/// treat the last rows and columns of their own tiles differently. Found with products whose rows are all equal, and
/// whose columns are. Where not even two launches agree, the diagonal.
template <class Op, Backend W>
[[nodiscard]] Result<GemmPlaces> gemm_places(W& worker, typename W::Stream& stream, const GemmSubject<Op>& subject,
                                             Index tile, Index k, bool transpose_b = false) {
  constexpr std::uint64_t draws = 12;
  std::map<std::vector<std::uint64_t>, std::vector<std::size_t>> places;
  std::vector<std::vector<std::uint64_t>> seen(static_cast<std::size_t>(tile * tile));
  std::vector<std::uint64_t> first;
  bool repeatable = true;
  for (std::uint64_t draw = 0; draw <= draws; ++draw) {
    const std::uint64_t seed = draw < draws ? 2 * draw : 0;  // the last repeats the first
    const auto a = [&](Index, Index position) {
      return FormatTraits<typename Op::FormatA>::to_bits(
          encode<typename Op::FormatA>(detail::probing_number(seed, 0, position)));
    };
    const auto b = [&](Index position, Index) {
      return FormatTraits<typename Op::FormatB>::to_bits(
          encode<typename Op::FormatB>(detail::probing_number(seed + 1, 0, position)));
    };
    auto codes = detail::gemm_codes<Op>(worker, stream, subject,
                                        GemmProblem{.m = tile, .n = tile, .k = k, .transpose_b = transpose_b}, 0, a, b);
    if (!codes) return codes.propagate();
    if (draw == 0) first = codes.value();
    if (draw == draws) repeatable = codes.value() == first;
    for (std::size_t place = 0; place < seen.size(); ++place) seen[place].push_back(codes.value()[place]);
  }
  for (std::size_t place = 0; place < seen.size(); ++place) places[seen[place]].push_back(place);
  const auto most = std::max_element(places.begin(), places.end(), [](const auto& left, const auto& right) {
    return left.second.size() < right.second.size();
  });
  GemmPlaces found;
  const auto side = static_cast<std::size_t>(tile);
  if (!repeatable) {
    for (Index i = 0; i < tile; ++i) found.chosen.emplace_back(i, i);
    return found;
  }
  found.elsewhere = 1 - static_cast<double>(most->second.size()) / static_cast<double>(seen.size());
  std::vector<bool> row_taken(side), column_taken(side);
  for (const std::size_t place : most->second) {
    const std::size_t row = place / side, column = place % side;
    if (row_taken[row] || column_taken[column]) continue;
    row_taken[row] = column_taken[column] = true;
    found.chosen.emplace_back(static_cast<Index>(row), static_cast<Index>(column));
  }
  return found;
}

/// A GEMM kernel as a black box: probes stand in products of tile × tile, each in a row and a column of its own, where
/// the kernel does what it does in most places (`gemm_places`); in row-major matrices from aligned addresses, B as it
/// is or transposed. The unit keeps the worker, which gives out the memory that the kernel works on.
template <class Op, Backend W>
[[nodiscard]] MatrixUnit gemm_matrix_unit(W worker, GemmSubject<Op> subject, Index tile = 64,
                                          bool transpose_b = false) {
  MatrixUnit unit{subject.name,
                  element_format<typename Op::FormatA>(),
                  element_format<typename Op::FormatB>(),
                  element_format<typename Op::FormatC>(),
                  {}};
  unit.ask = [owned = std::make_shared<W>(std::move(worker)), subject = std::move(subject), tile, transpose_b,
              places = std::map<Index, GemmPlaces>()](
                 const std::vector<DotProbe>& probes) mutable -> Result<std::vector<std::uint64_t>> {
    std::vector<std::uint64_t> answers;
    if (probes.empty()) return answers;
    auto stream = owned->make_stream();
    if (!stream) return stream.propagate();
    const GemmProblem problem{
        .m = tile, .n = tile, .k = static_cast<Index>(probes.front().a.size()), .transpose_b = transpose_b};
    if (places.count(problem.k) == 0) {
      auto found = gemm_places<Op>(*owned, stream.value(), subject, tile, problem.k, transpose_b);
      if (!found) return found.propagate();
      places[problem.k] = std::move(found).value();
    }
    const auto& chosen = places[problem.k].chosen;
    for (std::size_t first = 0; first < probes.size(); first += chosen.size()) {
      const std::size_t count = std::min(chosen.size(), probes.size() - first);
      std::vector<const DotProbe*> of_row(static_cast<std::size_t>(tile), &probes[first]), of_column = of_row;
      for (std::size_t i = 0; i < count; ++i)
        of_row[static_cast<std::size_t>(chosen[i].first)] = of_column[static_cast<std::size_t>(chosen[i].second)] =
            &probes[first + i];
      auto codes = detail::gemm_codes<Op>(
          *owned, stream.value(), subject, problem, 0,
          [&](Index row, Index k) { return of_row[static_cast<std::size_t>(row)]->a[static_cast<std::size_t>(k)]; },
          [&](Index k, Index column) {
            return of_column[static_cast<std::size_t>(column)]->b[static_cast<std::size_t>(k)];
          });
      if (!codes) return codes.propagate();
      for (std::size_t i = 0; i < count; ++i)
        answers.push_back(codes.value()[static_cast<std::size_t>(chosen[i].first * tile + chosen[i].second)]);
    }
    return answers;
  };
  return unit;
}

/// Whether other ways to launch a product of random numbers give the same bits. Refusals are told, not counted.
template <class Op, Backend W>
[[nodiscard]] Result<std::vector<LaunchComparison>> compare_launches(W& worker, const GemmSubject<Op>& subject,
                                                                     Index tile, Index k, bool transpose_b = false) {
  auto stream = worker.make_stream();
  if (!stream) return stream.propagate();
  const auto a = [&](Index row, Index position) {
    return FormatTraits<typename Op::FormatA>::to_bits(
        encode<typename Op::FormatA>(detail::probing_number(1, row, position)));
  };
  const auto b = [&](Index position, Index column) {
    return FormatTraits<typename Op::FormatB>::to_bits(
        encode<typename Op::FormatB>(detail::probing_number(2, column, position)));
  };
  const GemmProblem problem{.m = tile, .n = tile, .k = k, .transpose_b = transpose_b};
  const auto first = detail::gemm_codes<Op>(worker, stream.value(), subject, problem, 0, a, b);
  if (!first) return first.propagate();
  const auto places = gemm_places<Op>(worker, stream.value(), subject, tile, k, transpose_b);
  if (!places) return places.propagate();
  std::vector<LaunchComparison> comparisons{
      {"elsewhere in the same launch, from equal rows and columns", places.value().elsewhere, ""}};
  for (const detail::OtherLaunch& other : detail::other_launches(problem)) {
    LaunchComparison comparison{other.name, std::nullopt, ""};
    const auto codes = detail::gemm_codes<Op>(worker, stream.value(), subject, other.problem, other.offset, a, b);
    if (codes) {
      const Index rows = std::min(tile, other.problem.m), columns = std::min(tile, other.problem.n);
      Index differing = 0;
      for (Index row = 0; row < rows; ++row)
        for (Index column = 0; column < columns; ++column)
          differing += codes.value()[static_cast<std::size_t>(row * other.problem.n + column)] !=
                               first.value()[static_cast<std::size_t>(row * tile + column)]
                           ? 1
                           : 0;
      comparison.differing = static_cast<double>(differing) / static_cast<double>(rows * columns);
    } else if (codes.error().kind == ErrorKind::unsupported) {
      comparison.note = codes.error().message;
    } else {
      return codes.propagate();
    }
    comparisons.push_back(std::move(comparison));
  }
  return comparisons;
}

/// The numeric profile of a GEMM kernel, from launches alone; see `profile_unit`. α = 1, β = 0.
template <class Op, Backend W>
[[nodiscard]] Result<NumericProfile> profile_gemm(W worker, const GemmSubject<Op>& subject,
                                                  const GemmProfileOptions& options = {}) {
  expect(options.tile >= 2, [&] {
    return "a profile with products of " + std::to_string(options.tile) +
           " rows and columns was asked for; they need at least 2";
  });
  auto compared = compare_launches<Op>(worker, subject, options.tile, options.sums.terms, options.transpose_b);
  if (!compared) return compared.propagate();
  auto profile =
      profile_unit(gemm_matrix_unit<Op>(std::move(worker), subject, options.tile, options.transpose_b), options.sums);
  if (profile) profile.value().launches = std::move(compared).value();
  return profile;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/profile/profile_gemm.ipp"
#endif
