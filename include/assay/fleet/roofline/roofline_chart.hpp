#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/table.hpp"
#include "assay/fleet/roofline/roofline.hpp"

namespace assay::inline v0 {

/// A problem in the picture: measured where `seconds` is above 0, else on its roof.
struct RooflinePoint {
  std::string name;  ///< for reports: the problem's
  OperationWork work;
  double seconds = 0;
  std::size_t machine = 0;  ///< its index
};

/// The roofs of several machines in one picture of both axes logarithmic, memory in full lines, other ceilings broken;
/// ridge points marked; points filled where they were measured. SVG in a figure, colored by classes of the report's
/// page and, beside color, by the machines' names at their roofs. Machines without a peak or memory are left out.
[[nodiscard]] std::string roofline_svg(const std::string& title, const std::vector<RooflineMachine>& machines,
                                       const std::vector<RooflinePoint>& points);

/// A page that loads nothing: the picture, the ridge points, the points with their bounds.
[[nodiscard]] std::string roofline_page(const std::string& title, const std::vector<RooflineMachine>& machines,
                                        const std::vector<RooflinePoint>& points);

/// A machine and ceiling a line.
[[nodiscard]] Table ridge_table(const std::vector<RooflineMachine>& machines);

/// A point and machine a line: what bounds it, what was reached.
[[nodiscard]] Table bound_table(const std::vector<RooflineMachine>& machines, const std::vector<RooflinePoint>& points);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/roofline/roofline_chart.ipp"
#endif
