#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/heat_map.hpp"
#include "assay/report/chart_scale.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// A map of at most `most` cells a side: of the cells that fall together the largest counts, and a NaN counts as larger
/// than all. Values that are missing are NaN. O(cells).
[[nodiscard]] HeatMap reduced(const HeatMap& map, std::size_t most = 64);

namespace detail {

inline constexpr std::size_t heat_levels = 9;
/// What is left for a map on a phone, beside the labels of its rows; and the height of a label.
inline constexpr double phone_pixels = 240, line_pixels = 15;

/// The last value of each color but the last, in a map of error / allowed: four colors up to 1, five above.
inline constexpr std::array<double, heat_levels - 1> ratio_levels{0.25, 0.5, 0.75, 1, 2, 10, 100, 1000};
inline constexpr std::array<const char*, heat_levels + 1> ratio_level_names{
    "≤ ¼", "≤ ½", "≤ ¾", "≤ 1", "≤ 2", "≤ 10", "≤ 100", "≤ 10³", "> 10³", "NaN, ∞"};

/// Colors the cells of one map and draws them: a path a color, runs of equal cells joined.
class HeatMapDrawing {
 public:
  explicit HeatMapDrawing(const HeatMap& given)
      : map_(reduced(given)),
        scale_(chart_scale(map_.values)),
        ratios_(given.title.find("/ allowed") != std::string::npos) {
    draw();
  }

  [[nodiscard]] const HeatMap& map() const { return map_; }

  [[nodiscard]] std::string plot() const;

  [[nodiscard]] std::string legend() const;

  /// Where the first value is that is not finite, how many such there are, and the largest finite one.
  [[nodiscard]] std::string peak_text() const;

 private:
  using Cell = std::pair<std::size_t, std::size_t>;  ///< row and column

  [[nodiscard]] std::size_t level(std::size_t row, std::size_t column) const {
    const double value = map_.at(row, column);
    if (!std::isfinite(value)) return heat_levels;
    if (ratios_)
      return static_cast<std::size_t>(std::lower_bound(ratio_levels.begin(), ratio_levels.end(), value) -
                                      ratio_levels.begin());
    return std::min(static_cast<std::size_t>(scale_.position(value) * heat_levels), heat_levels - 1);
  }

  void draw();

  /// Up to five labels at cell edges, in elements, a power of two of cells apart; so few that none overlaps the next
  /// where `room` are as long as the axis.
  [[nodiscard]] static std::string axis(std::size_t cells, std::int64_t elements, const char* from, double room);

  [[nodiscard]] std::string values() const {
    std::string text;
    for (const double value : map_.values) text += (text.empty() ? "" : " ") + tick_text(value);
    return text;
  }

  HeatMap map_;
  ChartScale scale_;
  bool ratios_;
  std::array<std::string, heat_levels + 1> paths_;
  std::string crosses_;
  std::optional<Cell> first_odd_, largest_;
  std::size_t odd_cells_ = 0;  ///< NaN or infinite
};

}  // namespace detail

/// A heat map as SVG with axes in elements and a legend; 64 × 64 cells take some 60 kB at most. A map whose title names
/// "/ allowed" gets fixed colors that change at 1; others a scale of their own. Colors come from the page's style
/// sheet: classes h0 … h8 (light to heavy), hx (not finite, crossed out too). The script of the page tells the cell
/// under the pointer.
[[nodiscard]] std::string heat_map_svg(const HeatMap& given);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/heat_map_chart.ipp"
#endif
