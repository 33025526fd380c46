#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/bytes.hpp"

namespace assay::inline v0::detail {

template <class Record, class Wanted>
concept record_of = std::is_same_v<std::remove_const_t<Record>, Wanted>;

// One function a record for both directions. The structured bindings make a field that is added to a record and
// forgotten here an error of compilation.

template <class Archive, record_of<Measurement> Record>
void exchange(Archive& archive, Record& record) {
  auto& [name, value, unit] = record;
  archive(name, value, unit);
}
template <class Archive, record_of<Table> Record>
void exchange(Archive& archive, Record& record) {
  auto& [title, columns, rows] = record;
  archive(title, columns, rows);
}
template <class Archive, record_of<Series> Record>
void exchange(Archive& archive, Record& record) {
  auto& [title, x_label, y_label, points] = record;
  archive(title, x_label, y_label, points);
}
template <class Archive, record_of<HeatMap> Record>
void exchange(Archive& archive, Record& record) {
  auto& [title, rows, columns, rows_per_cell, columns_per_cell, values] = record;
  archive(title, rows, columns, rows_per_cell, columns_per_cell, values);
}
template <class Archive, record_of<Outcome> Record>
void exchange(Archive& archive, Record& record) {
  auto& [id, verdict, reason, diagnosis, derivation, measurements, tables, series, heat_maps, labels, seed,
         duration_seconds, reproduce] = record;
  archive(id, verdict, reason, diagnosis, derivation, measurements, tables, series, heat_maps, labels, seed,
          duration_seconds, reproduce);
}

/// The outcome as bytes: every field, every double bit for bit. O(size).
[[nodiscard]] inline std::string encode_outcome(const Outcome& outcome) {
  ByteWriter writer;
  writer(outcome);
  return writer.take();
}

/// Whether the numbers of rows and columns are what reports rely on when they index the values.
[[nodiscard]] inline bool is_whole(const HeatMap& map) {
  return map.columns == 0 ? map.values.empty()
                          : map.values.size() % map.columns == 0 && map.values.size() / map.columns == map.rows;
}

/// The outcome that `encode_outcome` made these bytes of. Fails (malformed) for any that no outcome has: cut short,
/// with a rest, with sizes, a verdict or a heat map that cannot be.
[[nodiscard]] inline Result<Outcome> decode_outcome(std::string_view bytes) {
  ByteReader reader(bytes);
  Outcome outcome;
  reader(outcome);
  const bool known = std::find(all_verdicts.begin(), all_verdicts.end(), outcome.verdict) != all_verdicts.end();
  if (!reader.complete() || !known || !std::all_of(outcome.heat_maps.begin(), outcome.heat_maps.end(), is_whole))
    return failure(ErrorKind::malformed, std::to_string(bytes.size()) + " bytes are not an outcome");
  return outcome;
}

}  // namespace assay::inline v0::detail
