#pragma once

#include <cstdio>
#include <string>

#include "assay/report/terminal.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"

namespace assay_program {

/// Prints a table on the standard output, in its width and in letters that it has, each line behind the margin.
inline void print_table(const assay::Table& table, const std::string& margin = {}) {
  const std::size_t columns = assay::table_columns(stdout);
  for (const std::string& line : assay::text_lines(table, columns > 30 ? columns - margin.size() : columns)) {
    const std::string text = margin + (assay::ascii_asked_for() ? assay::ascii_text(line) : line);
    std::printf("%s\n", text.c_str());
  }
}

}  // namespace assay_program
