#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/result.hpp"

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay accuracy` was asked for.
struct AccuracyOptions {
  std::string metric;
  std::string predictions;
  std::string references;
  std::string against;  ///< predictions of a baseline on the same references
  std::string stated;   ///< a value that somebody states
  std::string within;   ///< margin, in the metric's unit, or in percent of the other value
  std::string error_rate = "0.05";
  std::size_t resamples = 1000;
  std::uint64_t resampling_seed = 1;
  std::string page;  ///< of pareto: file to write
  std::string model;
  std::string dataset;
  std::string tokenizer = "13a";
  std::string smoothing = "exp";
  std::string normalization = "none";
  std::string ties = "lowest_index";
  std::string mean = "corpus";
  std::size_t k = 1;
  std::size_t classes = 0;  ///< 0: as many as the labels tell
  std::int64_t ignored_label = -100;
  bool lowercase = false;
  bool effective_order = false;
};

/// Declares the command; `options` must outlive the app.
CLI::App& add_accuracy_command(CLI::App& app, AccuracyOptions& options);

/// The names of metrics, as the command takes them.
[[nodiscard]] const std::vector<std::string>& accuracy_metrics();

/// What options of the command must agree on with each other.
[[nodiscard]] assay::Result<void> check_accuracy_options(const AccuracyOptions& options);

/// The number of an option. Error `invalid`.
[[nodiscard]] assay::Result<double> accuracy_number(const char* option, const std::string& text);

}  // namespace assay_program
