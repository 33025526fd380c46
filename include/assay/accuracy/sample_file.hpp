#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// One line of a file of predictions or references.
struct SampleRecord {
  std::string id;                     ///< as the line says; else the line's number
  std::size_t line = 0;               ///< from 1
  std::vector<std::string> texts;     ///< "text": one, "texts": several references
  std::optional<std::int64_t> label;  ///< "label"
  std::vector<double> numbers;        ///< "scores" of classes, or "losses" of tokens in nats; NaN as Python writes it
  std::optional<bool> passed;         ///< "passed": one attempt of `pass@k`
};

/// A file of samples: JSON lines, or one text a line.
struct SampleFile {
  std::string path;      ///< as it was given, for messages
  bool has_ids = false;  ///< every line says which sample it is
  std::vector<SampleRecord> records;
};

/// Reads samples: JSON lines where the name ends in .jsonl, .ndjson or .json, else one text a line (CR is no part of
/// it). Members of lines: `id` (text or number), `text` or `texts`, `label`, `scores`, `losses` or `logprobs` (whose
/// negatives are losses), `passed`; others are not looked at. Errors: `not_found`, `io`; `malformed` with the line: no
/// JSON object, a member of another kind, text that is not UTF-8, an id twice, ids on some lines only.
[[nodiscard]] Result<SampleFile> read_sample_file(const std::filesystem::path& path);

/// The same of a text in memory. `repeated_ids` takes ids twice, as of several attempts at one problem.
[[nodiscard]] Result<SampleFile> parse_sample_lines(std::string_view text, const std::string& name,
                                                    bool repeated_ids = false);
/// One text a line, of a text in memory.
[[nodiscard]] Result<SampleFile> parse_text_lines(std::string_view text, const std::string& name);

/// Brings `predictions` into the order of `references`: by id where both have ids, by line else. Error `malformed`:
/// numbers of lines that differ, ids that one side lacks; the message names the first and counts them.
[[nodiscard]] Result<void> align_samples(SampleFile& predictions, const SampleFile& references);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/sample_file.ipp"
#endif
