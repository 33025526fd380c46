#pragma once

#include "assay/fleet/chips/chip_catalog.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/fleet/chips/chip_data.hpp"
#include "assay/report/csv.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0 {

namespace detail {

/// The cells of one line by column, and what is wrong with the first that cannot be meant.
struct ChipLine {
  const std::vector<std::string>& columns;
  const CsvRow& row;
  std::string refusal;

  [[nodiscard]] std::string text(std::string_view column) const {
    const auto found = std::find(columns.begin(), columns.end(), column);
    return found == columns.end() ? std::string() : row.cells[static_cast<std::size_t>(found - columns.begin())];
  }
  [[nodiscard]] std::optional<double> number(std::string_view column, double unit) {
    const std::string cell = text(column);
    if (cell.empty()) return std::nullopt;
    const auto value = csv_number(cell);
    if (value && std::isfinite(*value) && *value > 0) return *value * unit;
    if (refusal.empty())
      refusal = std::string(column) + " is '" + clipped(visible(cell), 40) +
                "'; give a number above 0, or leave the cell empty where nothing is known";
    return std::nullopt;
  }
};

/// Lower-case letters and digits alone.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    if ((letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9')) plain += letter;
    if (letter >= 'A' && letter <= 'Z') plain += static_cast<char>(letter - 'A' + 'a');
  }
  return plain;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<Chip> chip_of(ChipLine line, const std::string& origin) {
  Chip chip;
  chip.name = line.text("chip");
  chip.vendor = line.text("vendor");
  if (plain_name(chip.name).empty()) return failure(ErrorKind::invalid, "the chip has no name");
  chip.year = static_cast<int>(line.number("year", 1).value_or(0));
  for (std::size_t i = 0; i < chip_formats.size(); ++i) chip.peaks[i] = line.number(chip_formats[i], 1e12);
  chip.memory_bytes = line.number("memory_gb", 1e9);
  chip.memory_type = line.text("memory_type");
  chip.memory_bandwidth = line.number("bandwidth_gbps", 1e9);
  chip.power_watts = line.number("tdp_w", 1);
  chip.link_bandwidth = line.number("interconnect_gbps", 1e9);
  const auto clock = line.number("clock_mhz", 1e6), units = line.number("units", 1),
             fma = line.number("fma_per_clock", 1);
  const std::string format = line.text("checked_format");
  if (!line.refusal.empty()) return failure(ErrorKind::invalid, line.refusal);
  if (clock || units || fma || !format.empty()) {
    if (!(clock && units && fma && !format.empty()))
      return failure(ErrorKind::invalid,
                     "clock_mhz, units, fma_per_clock and checked_format are one derivation; give all or none");
    if (!chip.peak(format))
      return failure(ErrorKind::invalid, "checked_format is '" + visible(format) + "', of which no peak is given");
    chip.derivation = Chip::Derivation{*clock, *units, *fma, format};
  }
  chip.as_of = line.text("as_of");
  const std::string confidence = line.text("confidence");
  bool known = false;
  for (const SourceConfidence one : {SourceConfidence::low, SourceConfidence::medium, SourceConfidence::high})
    if (name_of(one) == confidence) chip.confidence = one, known = true;
  if (!known) return failure(ErrorKind::invalid, unknown_name("confidence", confidence, {"low", "medium", "high"}));
  chip.source = line.text("source");
  if (chip.source.empty()) return failure(ErrorKind::invalid, "the source is empty; say where the figures come from");
  chip.origin = origin;
  return chip;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<Chip>> parse_chips(std::string_view csv, const std::string& origin) {
  const std::string file = origin.empty() ? "chips" : "'" + origin + "'";
  const auto rows = csv_rows(csv);
  if (!rows) return failure(rows.error().kind, file + ": " + rows.error().message);
  if (rows.value().empty()) return failure(ErrorKind::malformed, file + ": it is empty; the first line names columns");
  std::vector<std::string> known{"chip", "vendor", "year"};
  known.insert(known.end(), chip_formats.begin(), chip_formats.end());
  for (const char* name : {"memory_gb", "memory_type", "bandwidth_gbps", "tdp_w", "interconnect_gbps", "clock_mhz",
                           "units", "fma_per_clock", "checked_format", "as_of", "confidence", "source"})
    known.emplace_back(name);
  const std::vector<std::string>& columns = rows.value().front().cells;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::find(known.begin(), known.end(), columns[i]) == known.end())
      return failure(ErrorKind::not_found, file + ": line 1: " + unknown_name("column", columns[i], known));
    if (std::find(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(i), columns[i]) !=
        columns.begin() + static_cast<std::ptrdiff_t>(i))
      return failure(ErrorKind::malformed, file + ": line 1: two columns are headed '" + columns[i] + "'");
  }
  for (const char* required : {"chip", "confidence", "source"})
    if (std::find(columns.begin(), columns.end(), required) == columns.end())
      return failure(ErrorKind::malformed, file + ": line 1: no column '" + std::string(required) + "'");
  std::vector<Chip> chips;
  for (std::size_t i = 1; i < rows.value().size(); ++i) {
    const CsvRow& row = rows.value()[i];
    const std::string place = file + ": line " + std::to_string(row.line) + ": ";
    if (row.cells.size() != columns.size())
      return failure(ErrorKind::malformed, place + std::to_string(row.cells.size()) + " cells, where line 1 names " +
                                               std::to_string(columns.size()) + " columns");
    auto chip = detail::chip_of({columns, row, {}}, origin);
    if (!chip) return failure(chip.error().kind, place + chip.error().message);
    for (const Chip& other : chips)
      if (detail::plain_name(other.name) == detail::plain_name(chip.value().name))
        return failure(ErrorKind::invalid, place + "'" + visible(chip.value().name) + "' stands there twice");
    chips.push_back(std::move(chip).value());
  }
  return chips;
}

ASSAY_DETAIL_HEADER_INLINE ChipCatalog ChipCatalog::known() {
  ChipCatalog catalog;
  catalog.chips_ = parse_chips(chips_csv).value();
  return catalog;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> ChipCatalog::add(const std::filesystem::path& file) {
  const auto text = read_file(file, "a file of chips in CSV");
  if (!text) return text.propagate();
  auto added = parse_chips(text.value(), file.string());
  if (!added) return added.propagate();
  for (Chip& chip : added.value()) {
    const std::string plain = detail::plain_name(chip.name);
    const auto same = std::find_if(chips_.begin(), chips_.end(),
                                   [&](const Chip& other) { return detail::plain_name(other.name) == plain; });
    if (same == chips_.end())
      chips_.push_back(std::move(chip));
    else
      *same = std::move(chip);
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE Result<Chip> ChipCatalog::find(std::string_view name) const {
  const std::string plain = detail::plain_name(name);
  std::vector<std::string> names;
  std::vector<const Chip*> begun;
  for (const Chip& chip : chips_) {
    const std::string other = detail::plain_name(chip.name);
    if (other == plain) return chip;
    if (!plain.empty() && other.compare(0, plain.size(), plain) == 0) begun.push_back(&chip);
    names.push_back(chip.name);
  }
  if (begun.size() == 1) return *begun.front();
  if (begun.empty())
    return failure(ErrorKind::not_found, unknown_name("chip", name, names) + "; others are added from a file (CSV)");
  std::string list;
  for (const Chip* chip : begun) list += (list.empty() ? "" : ", ") + chip->name;
  return failure(ErrorKind::invalid,
                 "'" + std::string(name) + "' is the beginning of several chips: " + list + "; give more of the name");
}

}  // namespace assay::inline v0
