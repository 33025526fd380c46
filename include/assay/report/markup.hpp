#pragma once

#include <string>
#include <string_view>

#include "assay/report/text.hpp"

namespace assay::inline v0 {

/// Text made safe between tags and inside quoted attributes of HTML and SVG. Control characters (but for tab and
/// newline), noncharacters and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string escaped_markup(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/markup.ipp"
#endif
