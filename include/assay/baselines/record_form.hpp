#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/baselines/baseline_record.hpp"
#include "assay/baselines/detail/baseline_key.hpp"
#include "assay/baselines/detail/little_endian.hpp"
#include "assay/baselines/detail/record_reader.hpp"
#include "assay/baselines/sha256.hpp"
#include "assay/baselines/store.hpp"
#include "assay/core/result.hpp"
#include "assay/report/json.hpp"

/// The form in which all stores keep records. README.md beside this header states it.
namespace assay::inline v0 {

/// The number of the form that this version writes and reads.
inline constexpr int record_schema = 1;

/// The key of what a baseline is of: SHA-256 of its canonical text, 64 hexadecimal digits. A key of a store.
[[nodiscard]] inline std::string baseline_key(const BaselineSubject& subject) {
  return detail::sha256(detail::canonical_text(subject));
}

namespace detail {

[[nodiscard]] nlohmann::ordered_json json_of(const BaselineRecord& record);

/// Codes; of a sampled tensor their positions and the sums besides.
[[nodiscard]] std::string data_of(const GoldenTensor& tensor);

/// The first line of a record: where its parts lie, and their digests. Its own digest comes last in every schema.
struct RecordFrame {
  std::string_view schema;
  std::size_t header_bytes = 0;
  std::string_view header_digest;
  std::size_t data_bytes = 0;
  std::string_view data_digest;
  std::string_view header;
  std::string_view data;
};

inline constexpr std::string_view record_magic = "assay-baseline/";

/// A record of these parts: its first line tells where they lie, and their digests.
[[nodiscard]] inline std::string framed(std::string_view header, std::string_view data) {
  std::string text = std::string(record_magic) + std::to_string(record_schema) +
                     " header:" + std::to_string(header.size()) + ":" + sha256(header) +
                     " data:" + std::to_string(data.size()) + ":" + sha256(data);
  text += " line:" + sha256(text) + "\n";
  return text.append(header).append(data);
}

}  // namespace detail

/// The record as stores keep it. Text that is not UTF-8 has U+FFFD in the place of bytes that are none. O(bytes).
[[nodiscard]] inline std::string record_text(const BaselineRecord& record) {
  return detail::framed(
      detail::json_of(record).dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n",
      detail::data_of(record.tensor));
}

/// Reads a record, after a check of every byte of it. Errors: `malformed` for one that is damaged, naming the part;
/// `unsupported` for a newer schema. O(bytes).
[[nodiscard]] Result<BaselineRecord> record_from_text(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/baselines/record_form.ipp"
#endif
