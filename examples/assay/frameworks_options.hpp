#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace assay_program {

/// What `assay frameworks` is asked for.
struct FrameworksOptions {
  std::string action;                ///< onnx, critical, fusions, opsets, calibration, torch; or serve, of the worker
  std::string library;               ///< of serve: the runtime's file
  std::string provider = "cpu";      ///< as the runtime spells it
  std::vector<std::string> options;  ///< KEY=VALUE of the provider's own
  std::string provider_library;      ///< a plugin library that registers the provider
  std::string cases;                 ///< folder of node cases
  std::vector<std::string> only;     ///< globs of names of cases
  std::string known_failures;        ///< file
  std::string table;                 ///< where the cases are written, a line each
  std::string report;                ///< where they are written as a run
  std::string critical;              ///< "default", or a file of operators: only their cases
  std::string model;                 ///< of calibration: a quantized one, ONNX
  std::vector<std::string> activations;     ///< of calibration: npz files, one a batch
  std::string method = "min-max";           ///< of calibration
  bool symmetric = false;                   ///< of calibration
  bool symmetric_codes = false;             ///< of calibration
  bool batches = false;                     ///< of calibration: files are batches
  double percentile = 99.999;               ///< of calibration
  int bins = 2048;                          ///< of calibration
  int quantized_levels = 128;               ///< of calibration by entropy
  std::string device = "cpu";               ///< of torch
  std::vector<std::string> operators;       ///< of torch: names or globs; none: all
  std::vector<std::string> formats{"f32"};  ///< of torch
  bool gradients = false;                   ///< of torch: besides what is computed forward
  int samples = 4;                          ///< of torch: of each operator at most
  double deadline = 3600;                   ///< of torch: seconds of all
  int level = 99;
  int threads = 1;
  double seconds = 60;
};

CLI::App& add_frameworks_command(CLI::App& app, FrameworksOptions& options);

}  // namespace assay_program
