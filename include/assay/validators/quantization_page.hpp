#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/core/version.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/page_style.hpp"
#include "assay/report/scatter_chart.hpp"
#include "assay/validators/detail/magnitude_chart.hpp"
#include "assay/validators/quantization_report.hpp"

namespace assay::inline v0 {

namespace detail {

/// What this page adds to the style of the reports.
inline constexpr const char* quantization_style = R"css(
svg.scatter{width:100%;max-width:62rem;min-width:42rem}svg.scatter text{font-size:12px}.whisker{stroke:var(--idle);stroke-width:1;opacity:.5;fill:none}.leader{stroke:var(--rule);fill:none}
.scatter circle{fill:var(--paper);stroke:var(--soft);stroke-width:1.5}.scatter .best circle{fill:var(--link);stroke:var(--link)}.scatter .best text{fill:var(--ink);font-weight:600}
.scatter g text{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}
.matrix{font-size:.78rem}.matrix th,.matrix td{padding:.2rem .3rem}.matrix td{text-align:right;min-width:2.2rem}.matrix thead th{vertical-align:bottom;border:0}
.matrix thead th span{writing-mode:vertical-rl;transform:rotate(180deg);white-space:nowrap}.matrix tbody th{white-space:nowrap;padding-right:.8rem}
.matrix .h6,.matrix .h7,.matrix .h8{color:var(--paper)}.matrix tr.bits td{color:var(--soft);border-bottom:1px solid var(--rule)}.matrix tr.bits th{color:var(--soft);border-bottom:1px solid var(--rule)}
.data th,.data td{padding-right:.8rem}.data td:first-child{white-space:nowrap}
.tensor{border-top:1px solid var(--rule)}.tensor>summary{padding:.38rem 0;overflow-wrap:anywhere}.tensor>summary small{color:var(--soft);margin-left:.5rem}
)css";

/// The class of a cell's color, in steps of 5 dB below 30.
[[nodiscard]] const char* noise_class(double ratio);

}  // namespace detail

/// The report as one HTML page that loads nothing and needs no JavaScript: light and dark, for screens of any width.
/// Beyond `most_bytes` tensors have no details, which the page says.
[[nodiscard]] std::string quantization_page(const QuantizationReport& report, std::size_t most_bytes = 10'000'000);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/validators/quantization_page.ipp"
#endif
