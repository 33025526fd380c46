#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::inline v0::detail {

/// What a program wrote, as lines that any report can hold: control characters and bytes that are not UTF-8 become
/// "\x1b". Tabs become spaces and carriage returns before a newline go. An empty text has no lines.
[[nodiscard]] std::vector<std::string> printable_lines(std::string_view text);

/// The last `size` bytes of an output, begun at a line if one begins among them.
[[nodiscard]] std::string_view tail_of(std::string_view output, std::size_t size);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/suite/detail/output_tail.ipp"
#endif
