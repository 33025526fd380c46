#pragma once

#include <string>
#include <vector>

namespace assay::inline v0 {

/// A table without a medium: reports decide how it looks. Every row has as many cells as there are columns.
struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

}  // namespace assay::inline v0
