#pragma once

#include <cstddef>
#include <string>

#include "assay/core/run.hpp"
#include "assay/report/html_parts.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// What a reader must know of a run, in a line.
struct RunVerdict {
  const char* style;  ///< class of its color
  const char* symbol;
  std::string text;
};

[[nodiscard]] RunVerdict run_verdict(const Run& run);

/// The top of the page: what came of the run, in how far to believe it, and what was run.
[[nodiscard]] std::string head_markup(const Run& run);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/html_head.ipp"
#endif
