#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "accuracy_options.hpp"
#include "assay/report/console.hpp"
#include "assay/suite/selection.hpp"
#include "assay/tolerance/chosen.hpp"
#include "assay/validators/gemm_check_options.hpp"
#include "baseline_options.hpp"
#include "certify_options.hpp"
#include "chips_options.hpp"
#include "collectives_options.hpp"
#include "configuration.hpp"
#include "dashboard_options.hpp"
#include "fleet_options.hpp"
#include "frameworks_options.hpp"
#include "gate_options.hpp"
#include "hardware_options.hpp"
#include "history_options.hpp"
#include "matrix_options.hpp"
#include "notebooks_options.hpp"
#include "pipeline_options.hpp"
#include "report_format.hpp"
#include "serve_options.hpp"
#include "telemetry_options.hpp"

namespace assay_program {

enum class Command {
  doctor,
  devices,
  list,
  explain,
  run,
  check,
  report,
  quantize_report,
  faults,
  merge,
  minimize,
  envelope,
  profile,
  gate,
  certify,
  matrix,
  history,
  baseline,
  collectives,
  accuracy,
  pipeline,
  telemetry,
  hardware,
  chips,
  capacity,
  cost,
  roofline,
  node,
  fleet,
  frameworks,
  cluster,
  serve_bench,
  serve_check,
  notebooks,
  help,
  complete,
  man,
  worker
};

/// What the user asked for.
struct CommandLine {
  Command command = Command::run;
  std::string program;                        ///< as it was called
  std::string listed;                         ///< what `list` is to list
  std::vector<std::string> listed_names;      ///< of formats, which; none: all
  std::vector<std::string> explained;         ///< ids or globs
  std::string checked_operation;              ///< whose operands `check` is given
  std::vector<std::string> checked_settings;  ///< of its problem, NAME=VALUE
  std::vector<std::string> checked_files;     ///< npy, in the order of the operands
  std::string minimized;                      ///< the id of the case that `minimize` shrinks
  std::string output_file;                    ///< where it writes what is left
  unsigned most_runs = 2000;                  ///< of its kernel
  std::string envelope_action;                ///< learn
  std::vector<std::string>
      saved_runs;  ///< files that `envelope learn` learns from, `merge` puts together, or `report` shows
  double envelope_rate = 0.01;
  std::string envelope_file;  ///< that `run` tells outcomes by; empty: none
  bool require_envelope = false;
  RooflineRequest run_roofline;          ///< of `run`
  std::string shell;                     ///< that `complete` makes completions for
  std::string case_file;                 ///< the recorded case that `run` runs; empty: those of the suite
  std::string profile_file;              ///< where `profile` writes the profile; empty: nowhere
  std::string other_profile;             ///< the profile that it compares with; empty: none
  DashboardCommandOptions dashboard;     ///< what `report` shows beside them, if it is to make a dashboard
  std::string weights;                   ///< the safetensors file that `quantize-report` reads
  std::vector<std::string> tensors;      ///< names or globs of its tensors; none: all
  std::vector<std::string> schemes;      ///< names or globs of formats; none: all
  std::string page;                      ///< where its page is written; empty: nowhere
  std::string faults_action;             ///< list or run
  std::vector<std::string> fault_names;  ///< names or globs; none: all
  std::vector<std::string> fault_classes;
  std::size_t fault_cases = 100;  ///< of each right kernel at most
  BaselineCommandOptions baseline;
  HistoryOptions history;
  AccuracyOptions accuracy;
  PipelineOptions pipeline;
  GateOptions gate;
  CertifyOptions certify;
  MatrixOptions matrix;
  CollectivesOptions collectives;
  FrameworksOptions frameworks;
  TelemetryOptions telemetry;
  HardwareOptions hardware;
  ChipsOptions chips;
  FleetOptions fleet;
  ServeOptions serve;
  NotebooksOptions notebooks;
  std::string topic;  ///< that `help` tells; empty: it lists them
  assay::Selection selection;
  assay::ChosenTolerance tolerance;
  std::string tolerance_text = "derived";
  std::vector<std::string> promises;  ///< what units are known to do, see `promises_for`
  assay::GemmCheckMethod check = assay::GemmCheckMethod::full;
  bool relations = false;  ///< --check relations: what holds between launches, instead of a reference
  bool require_determinism = false;
  bool no_diagnosis = false;  ///< of what fails
  bool require_conclusive = false;
  std::uint64_t seed = 1;
  unsigned repetitions = 1;
  unsigned jobs = 1;
  unsigned retries = 0;
  bool isolate = false;
  bool no_isolate = false;           ///< although there are plugins
  std::vector<std::string> plugins;  ///< shared libraries with kernels
  std::vector<std::string> opencl;   ///< files that describe kernels in OpenCL C
  std::vector<std::string> vulkan;   ///< files that describe kernels in SPIR-V
  std::vector<std::string> webgpu;   ///< files that describe kernels in WGSL
  std::vector<std::string> python;   ///< modules that name kernels
  bool oclgrind = false;             ///< OpenCL's kernels run on Oclgrind's simulator, which finds races
  std::string device_interface;      ///< whose devices `devices` lists: opencl, vulkan or webgpu
  bool hosted = false;               ///< the kernels are those of the calling process, see host.cpp
  std::string distributor;           ///< mpi, or empty: this process runs all cases
  double timeout_seconds = 0;        ///< of a case; 0: none
  double memory_gib = 0;             ///< of a worker; 0: no limit
  std::string matrix_a;              ///< npy files of the user's own matrices; both or neither
  std::string matrix_b;
  std::string output_folder;  ///< empty: no report is written
  std::vector<const ReportFormat*> formats;
  assay::Verbosity verbosity = assay::Verbosity::normal;
  std::optional<bool> color;  ///< empty: where the terminal takes it
  std::string text;           ///< the command that does the same without a settings file, quoted for a shell
  std::optional<Configuration> configuration;  ///< the settings file in force
  bool settings_refused = false;               ///< by --no-config
  std::vector<std::string> configured;         ///< the options that came from it, as typed: "--seed=7"
};

/// An argument as a shell needs it typed.
[[nodiscard]] std::string shell_quoted(std::string_view argument);

/// Reads the command line and the settings file that is in force, whose values stand where the command line says
/// nothing. Or prints help or what is wrong and returns the exit code: 0 for help, 2 for a fault.
[[nodiscard]] std::variant<CommandLine, int> parse_command_line(int count, const char* const* arguments);

}  // namespace assay_program
