#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "assay/backends/block_backend.hpp"
#include "assay/compare/detail/block_compare.hpp"
#include "assay/compare/detail/block_fold.hpp"

namespace assay::inline v0::detail {

/// Compares with blocks of threads on a device: a pass, and a second that joins what units of it tell to what travels,
/// 64 KiB at most. Memory of the device: 800 bytes a unit, of which there are 2048 to 65536.
template <BlockBackend B, class Work>
[[nodiscard]] Result<Comparison> compare_blocks(B& backend, typename B::Stream& stream, const Work& work,
                                                const BlockLayout& layout) {
  const auto units = static_cast<std::size_t>(layout.units()), bands = static_cast<std::size_t>(layout.grid.bands);
  auto findings = backend.template allocate<UnitFindings>(units);
  if (!findings) return findings.propagate();
  auto tiles = backend.template allocate<double>(units * static_cast<std::size_t>(layout.tiles_of_unit));
  if (!tiles) return tiles.propagate();
  auto worst = backend.template allocate<ComparedElement>(units * Comparison::worst_count);
  if (!worst) return worst.propagate();
  auto partials = backend.template allocate<PartialComparison>(bands);
  if (!partials) return partials.propagate();
  std::vector<PartialComparison> on_host(bands);
  const auto submitted = [&]() -> Result<void> {
    if (auto run = backend.parallel_blocks(
            stream, units,
            BlockCompare<Work>{work, layout, findings.value().data(), tiles.value().data(), worst.value().data()});
        !run)
      return run;
    if (auto run = backend.parallel_blocks(stream, bands,
                                           BlockFold{layout, findings.value().data(), tiles.value().data(),
                                                     worst.value().data(), partials.value().data()});
        !run)
      return run;
    return backend.copy_to_host(stream, on_host.data(), partials.value().data(), bands);
  }();
  const auto done =
      backend.synchronize(stream);  // also where something was refused: what was submitted before uses the memory
  if (!submitted) return submitted.propagate();
  if (!done) return done.propagate();
  Comparison comparison;
  comparison.rows = layout.grid.rows;
  comparison.columns = layout.grid.columns;
  comparison.tiles.title = "largest error / allowed of each tile";
  ChunkGrid whole_bands = layout.grid;
  whole_bands.segments = 1;
  fold(on_host, whole_bands, comparison);
  return comparison;
}

}  // namespace assay::inline v0::detail
