#pragma once

#include <cstddef>
#include <string>

#include "assay/core/result.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay pipeline` was asked for.
struct PipelineOptions {
  std::string action;     ///< run, bisect, requests or loading
  std::string reference;  ///< folders of recorded stages
  std::string candidate;
  std::string fed;
  std::string records;  ///< files of requests or epochs, and of what is promised
  std::string promise;
  std::string bounds;
  std::string absolute = "0";
  std::string relative = "1e-5";
  std::string name;
  std::size_t probes = 4;
};

/// Declares the command; `options` must outlive the app.
CLI::App& add_pipeline_command(CLI::App& app, PipelineOptions& options);

/// What options of the command must agree on with each other.
[[nodiscard]] assay::Result<void> check_pipeline_options(const PipelineOptions& options);

}  // namespace assay_program
