#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay matrix` is asked for.
struct MatrixOptions {
  std::string action;                ///< expand, pairwise, shard, status, merge or report
  std::string matrix;                ///< the file
  std::vector<std::string> results;  ///< folders
  std::string shard = "1/1";
  std::string output_folder;
  std::string by;
  std::string rows, columns;
  bool pairs = false;  ///< pairs are promised, not the product
  bool json = false;
};

void add_matrix_command(CLI::App& app, MatrixOptions& options);

}  // namespace assay_program
