#pragma once

#include "assay/kernels/gemm/sample.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// The first and the last of `extent`, and both sides of the first and the last border of tiles of 8 to 256.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<Index> tile_edges(Index extent) {
  std::vector<Index> edges{0, extent - 1};
  for (Index tile = 8; tile <= 256; tile *= 2)
    for (Index border : {tile, (extent - 1) / tile * tile})
      for (Index edge : {border - 1, border})
        if (edge > 0 && edge < extent) edges.push_back(edge);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE GemmSamplePlaces gemm_sample_places(const GemmProblem& problem, Index count,
                                                               std::uint64_t seed) {
  GemmSamplePlaces places;
  const Index elements = problem.batch * problem.m * problem.n;
  count = std::min(count, elements);
  if (count <= 0) return places;
  auto& positions = places.positions;
  std::uint64_t draws = 0;
  const auto draw = [&](Index extent) {
    constexpr std::uint64_t key = 0x73616d706c653031u;
    return static_cast<Index>(random_bits(seed ^ key, draws++, key).low() % static_cast<std::uint64_t>(extent));
  };
  const auto add = [&](Index limit, GemmPosition position) {
    if (static_cast<Index>(positions.size()) < limit &&
        std::find(positions.begin(), positions.end(), position) == positions.end())
      positions.push_back(position);
  };
  const Index last_row = problem.m - 1, last_column = problem.n - 1;
  const Index matrices[] = {0, problem.batch - 1, draw(problem.batch)};
  for (Index batch : matrices)
    for (Index row : {Index{0}, last_row})
      for (Index column : {Index{0}, last_column}) add(count, {batch, row, column});
  if (problem.batch > 3) {
    const Index looked_at = std::min(problem.batch, std::max(count / 8, Index{1}));
    for (Index step = 0; step < looked_at; ++step) {
      const Index batch = step * problem.batch / looked_at;
      add(count * 3 / 8, {batch, 0, 0});
      add(count * 3 / 8, {batch, last_row, last_column});
    }
  }
  const std::vector<Index> rows = detail::tile_edges(problem.m), columns = detail::tile_edges(problem.n);
  const Index crossings = std::min(count / 4, static_cast<Index>(rows.size() * columns.size()));
  for (Index step = 0; step < crossings; ++step)
    add(count / 2, {matrices[step % 3], rows[static_cast<std::size_t>(draw(static_cast<Index>(rows.size())))],
                    columns[static_cast<std::size_t>(draw(static_cast<Index>(columns.size())))]});

  places.drawn = count - static_cast<Index>(positions.size());
  for (Index left = places.drawn; left > 0; --left)
    positions.push_back({draw(problem.batch), draw(problem.m), draw(problem.n)});
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return places;
}

}  // namespace assay::inline v0
