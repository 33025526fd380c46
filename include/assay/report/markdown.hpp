#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/misuse.hpp"
#include "assay/core/result.hpp"
#include "assay/core/run.hpp"
#include "assay/report/detail/account.hpp"
#include "assay/report/markdown_text.hpp"
#include "assay/report/summary.hpp"
#include "assay/report/write_file.hpp"

/// A run as GitHub Flavored Markdown: for a comment on a pull request, a note on a merge request, or a job's summary
/// page.
namespace assay::inline v0 {

/// What GitHub takes in one comment: 65,536 characters. Counted in bytes, which is never fewer.
inline constexpr std::size_t markdown_comment_bytes = 65'536;
/// What GitHub takes in one step's summary (GITHUB_STEP_SUMMARY): 1 MiB.
inline constexpr std::size_t markdown_step_summary_bytes = 1'048'576;
/// The least that holds what every summary says.
inline constexpr std::size_t markdown_least_bytes = 8'192;

namespace detail {

inline constexpr std::size_t markdown_footer_bytes = 512;

/// Adds whole pieces while they fit.
struct BoundedText {
  std::string text;
  std::size_t most_bytes;

  bool add(std::string_view piece) {
    const bool fits = piece.size() <= most_bytes && text.size() <= most_bytes - piece.size();
    if (fits) text += piece;
    return fits;
  }
};

}  // namespace detail

/// The run as Markdown: whether it passed and the closing line, whose kernels passed, the findings, a table by backend, operation and formats, each
/// failure, error and undecided case folded with its diagnosis, tolerance and the command that runs it alone, and the
/// reasons of what was not judged. Whatever the outcomes hold, they show as text: no markup, links or notifications
/// come of it. At most `most_bytes`; what has no room is counted in its place. O(n log n). Precondition: `most_bytes`
/// is `markdown_least_bytes` or more.
[[nodiscard]] std::string markdown_text(const Run& run, std::size_t most_bytes = markdown_comment_bytes);

/// Writes `markdown_text` to a file, whole or not at all (`write_file`).
[[nodiscard]] inline Result<void> write_markdown(const Run& run, const std::filesystem::path& path,
                                                 std::size_t most_bytes = markdown_comment_bytes) {
  return write_file(path, markdown_text(run, most_bytes));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/report/markdown.ipp"
#endif
