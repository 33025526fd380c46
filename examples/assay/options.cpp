#include "options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/version.hpp"
#include "assay/suite/shard_from_environment.hpp"
#include "assay/tolerance/tolerance_named.hpp"
#include "gpgpu_options.hpp"
#include "help.hpp"

namespace assay_program {

namespace {

/// How many seconds a case of a plugin may take where the user says nothing: what hangs must end.
constexpr double longest_plugin_case = 120;

/// A CLI11 list: every use of the option takes one argument, in which commas separate entries.
void add_list(CLI::App& app, const std::string& name, std::vector<std::string>& list, const std::string& help,
              const std::string& type = "NAME[,NAME…]") {
  app.add_option(name, list, help)->delimiter(',')->allow_extra_args(false)->type_name(type);
}

void add_plugins(CLI::App& app, CommandLine& line) {
  app.add_option("--plugin", line.plugins,
                 "a shared library with kernels of your own; may be given several times; without --backend, only "
                 "theirs are tested")
      ->allow_extra_args(false)
      ->type_name("FILE.so");
  const auto add_described = [&](const char* name, std::vector<std::string>& files, const char* help) {
    app.add_option(name, files, help)->allow_extra_args(false)->type_name("KERNELS.json");
  };
  add_described("--opencl", line.opencl,
                "kernels of your own in OpenCL C, described by a file, on a device of OpenCL; as --plugin otherwise");
  add_described("--vulkan", line.vulkan, "the same of compute shaders in SPIR-V, on a device of Vulkan");
  add_described("--webgpu", line.webgpu, "the same of compute shaders in WGSL, on an adapter of WebGPU");
  app.add_option("--python", line.python,
                 "functions of NumPy, PyTorch, JAX or TensorFlow that a module names as kernels; as --plugin otherwise")
      ->allow_extra_args(false)
      ->type_name("MODULE");
}

void add_selection(CLI::App& app, CommandLine& line, OptionTexts& texts) {
  app.option_defaults()->group("Which cases (names or globs; several options restrict each other)");
  add_list(app, "--op", line.selection.operations, "operations");
  add_list(app, "--backend", line.selection.backends, "libraries whose kernels are tested");
  add_plugins(app, line);
  add_list(app, "--dtype", line.selection.formats,
           "formats: of an input (bf16), or inputs, accumulator, output (bf16.f32.bf16)");
  add_list(app, "--shape", line.selection.shapes,
           "problems, as in ids; a whole name may have numbers of your own: m777-n13-k50-nn-row");
  add_list(app, "--fill", line.selection.data, "patterns of data");
  add_list(app, "--only", line.selection.only, "cases by id or glob", "ID[,ID…]");
  add_list(app, "--exclude", line.selection.exclude, "cases left out, by id or glob", "ID[,ID…]");
  app.add_option("--suite", texts.suite,
                 "default, or large: with the cases that take long, and those of every class of lengths, which plugins "
                 "meet anyway")
      ->type_name("default|large");
  app.add_option("--shard", texts.shard,
                 "part i of n of the cases selected, disjoint and together whole; from-env: as Slurm, Kubernetes, "
                 "GitLab or mpirun tell")
      ->type_name("i/n|from-env");
}

void add_tolerance(CLI::App& app, CommandLine& line, OptionTexts& texts) {
  app.add_option("--tolerance", line.tolerance_text,
                 "derived from operation, data and formats (default), or a fixed rule")
      ->type_name("derived|exact|strict|normal|relaxed|ulps=N|atol=X,rtol=Y");
  app.add_option("--check", texts.check,
                 "full: every element (default); residual or sampled: quick, and blind to what they say; relations: "
                 "without a reference")
      ->type_name("full|residual|sampled|relations");
  app.add_option("--seed", texts.seed, "seed of the run, from which each case derives its own (1)")->type_name("N");
}

void add_promises(CLI::App& app, CommandLine& line) {
  add_list(app, "--promise", line.promises,
           "what the units of the kernels are known to do, by which they are judged: flush_products=bf16 (read and "
           "write subnormal numbers as 0 in sums of products), flush_subnormals, default_nan; keep_subnormals, "
           "keep_nan: whatever a library declares; or a profile of assay profile --json",
           "NAME[=FORMAT,…][,…]|FILE.json");
}

void add_matrices(CLI::App& app, CommandLine& line) {
  app.add_option("--a", line.matrix_a, "C = A·B on matrices of your own, row-major npy files")->type_name("A.npy");
  app.add_option("--b", line.matrix_b, "the other matrix")->type_name("B.npy");
}

void add_judgment(CLI::App& app, CommandLine& line, OptionTexts& texts) {
  app.option_defaults()->group("How they are judged");
  add_tolerance(app, line, texts);
  add_promises(app, line);
  add_matrices(app, line);
  app.add_option("--repeat", texts.repeat, "how often each kernel runs; differences between the runs are told (1)")
      ->type_name("N");
  app.add_flag("--require-determinism", line.require_determinism, "with --repeat: fail where runs differ in any bit");
  app.add_flag(
      "--no-diagnosis", line.no_diagnosis,
      "do not look for the likely cause of what fails, which takes about a second a case and runs its kernel again");
  app.add_flag("--require-conclusive", line.require_conclusive, "exit with 1 where a case decided nothing");
}

void add_execution(CLI::App& app, CommandLine& line, OptionTexts& texts) {
  app.option_defaults()->group("How they run");
  app.add_option("--jobs", texts.jobs, "cases that run at the same time; above 1, kernel times mean nothing (1)")
      ->type_name("N");
  app.add_flag("--isolate", line.isolate,
               "in processes of their own (as many as --jobs): one that crashes costs one case");
  app.add_flag(
      "--no-isolate", line.no_isolate,
      "with --plugin, --opencl, --vulkan, --webgpu, --python: all cases in this process, for a debugger; they isolate "
      "otherwise");
  app.add_flag("--oclgrind", line.oclgrind,
               "with --opencl: on Oclgrind's simulator, slowly; races and accesses out of bounds are errors of a case");
  app.add_option("--timeout", texts.timeout,
                 "end a case that takes longer; implies --isolate (no limit; with --plugin 120)")
      ->type_name("SECONDS");
  app.add_option("--memory", texts.memory, "end a case whose process grows beyond; implies --isolate (no limit)")
      ->type_name("GIB");
  app.add_option("--distribute", line.distributor,
                 "deal the cases out to the processes of a launcher, the first of which reports: mpirun -n 9 assay run "
                 "--distribute mpi")
      ->type_name("mpi");
  app.add_option("--retries", texts.retries,
                 "run what failed so many times more, to measure how often it fails; it stays a failure (0)")
      ->type_name("N");
}

void add_output(CLI::App& app, CommandLine& line, OptionTexts& texts) {
  app.option_defaults()->group("What comes out");
  app.add_option("--out", line.output_folder, "write report.json and report.html there")->type_name("DIR");
  add_list(app, "--format", texts.formats, "with --out, also these", "junit|sarif|markdown|ocp[,…]");
  app.add_flag("--quiet", texts.quiet, "only what failed, and the closing line");
  app.add_flag("--verbose", texts.verbose, "a line for every case; how tolerances came about");
  app.add_option("--color", texts.color, "auto: on terminals, unless NO_COLOR is set (auto)")
      ->type_name("auto|always|never");
}

void add_settings(CLI::App& app, OptionTexts& texts) {
  app.option_defaults()->group("Defaults of your team");
  app.add_option("--config", texts.config,
                 "settings file, instead of ASSAY_CONFIG or the assay.toml nearest above here")
      ->type_name("FILE");
  app.add_flag("--no-config", texts.no_config, "no settings file");
}

/// The message on failure is complete.
assay::Failure not_a_number(const std::string& option, const std::string& text, const std::string& allowed) {
  return assay::failure(assay::ErrorKind::invalid, option + " is '" + text + "'; give " + allowed);
}

/// Reads a whole number of at least `least`.
template <class Number>
assay::Result<void> read_number(const char* option, const std::string& text, Number least, Number& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code == std::errc() && end == text.data() + text.size() && number >= least) return {};
  return not_a_number(
      option, text,
      "a whole number from " + std::to_string(least) + " to " + std::to_string(std::numeric_limits<Number>::max()));
}

/// Reads a limit above 0; no text leaves it alone.
assay::Result<void> read_limit(const char* option, const std::string& text, const char* unit, double most,
                               double& limit) {
  if (text.empty()) return {};
  const auto number = assay::detail::read_number(text);
  limit = number.value_or(0);
  if (limit > 0 && limit <= most) return {};
  return not_a_number(option, text, std::string("a number of ") + unit + " above 0, such as 1.5");
}

assay::Result<void> interpret_output(CommandLine& line, const OptionTexts& texts) {
  std::vector<std::string> names = texts.formats;
  if (line.command == Command::run || line.command == Command::merge || line.command == Command::history ||
      line.command == Command::baseline || line.command == Command::accuracy || line.command == Command::pipeline ||
      line.command == Command::serve_bench || line.command == Command::serve_check)
    names.insert(names.end(), {"json", "html"});
  if (line.command == Command::report && names.empty()) names = {"html"};
  auto formats = report_formats_named(names);
  if (!formats) return formats.propagate();
  line.formats = std::move(formats).value();
  const std::vector<std::string> colors{"auto", "always", "never"};
  if (std::find(colors.begin(), colors.end(), texts.color) == colors.end())
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("color", texts.color, colors));
  if (texts.color != "auto") line.color = texts.color == "always";
  line.verbosity = texts.quiet     ? assay::Verbosity::quiet
                   : texts.verbose ? assay::Verbosity::verbose
                                   : assay::Verbosity::normal;
  return {};
}

}  // namespace

void add_commands(CLI::App& app, CommandLine& line, OptionTexts& texts) {
  app.set_version_flag("--version", assay::version);
  app.set_help_flag("--help,-h", "print this help; assay COMMAND --help tells the options of a command");
  app.require_subcommand(1);
  CLI::App& run = *app.add_subcommand("run", "validate kernels and report");
  add_selection(run, line, texts);
  add_judgment(run, line, texts);
  run.add_option("--case", line.case_file, "run a recorded case, as assay minimize writes it, instead of the suite")
      ->type_name("FILE");
  run.add_option("--envelope", line.envelope_file,
                 "tell what lies outside of what known right kernels did, as assay envelope learn wrote it")
      ->type_name("FILE");
  run.add_flag("--require-envelope", line.require_envelope,
               "with --envelope: a pass that lies outside, or of which nothing is known, is inconclusive");
  run.add_option("--roofline", line.run_roofline.chip,
                 "tell how near the kernels came to what this chip can do; with --out, draw it in roofline.html")
      ->type_name("CHIP");
  add_chip_files(run, line.run_roofline.files);
  add_execution(run, line, texts);
  add_output(run, line, texts);
  add_settings(run, texts);

  CLI::App& list = *app.add_subcommand(
      "list", "names of operations, backends, formats, shapes, patterns of data, or cases; lengths covered");
  list.add_option("what", line.listed, "what to list")
      ->required()
      ->type_name("ops|backends|formats|shapes|fills|cases|coverage");
  list.add_option("names", line.listed_names, "of formats: only these")->type_name("NAME…");
  add_selection(list, line, texts);
  list.add_option("--check", texts.check, "the cases of another check than the full one")
      ->type_name("full|residual|sampled|relations");
  add_settings(list, texts);

  CLI::App& explain = *app.add_subcommand("explain", "how the bound of a case comes about, in words and numbers");
  explain.add_option("id", line.explained, "cases by id or glob, or what the options of run choose")->type_name("ID…");
  add_selection(explain, line, texts);
  explain.option_defaults()->group("How they are judged");
  add_tolerance(explain, line, texts);
  add_promises(explain, line);
  add_matrices(explain, line);
  add_settings(explain, texts);

  CLI::App& check = *app.add_subcommand("check", "judge the output that a kernel of yours has left in files");
  check.add_option("--op", line.checked_operation, "the operation, as in ids")->required()->type_name("NAME");
  check
      .add_option("--set", line.checked_settings,
                  "members of the problem that the arrays do not tell; may be given several times")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  check
      .add_option("files", line.checked_files,
                  "npy files of its operands, in their order; BEFORE.npy:AFTER.npy where one is updated in place")
      ->required()
      ->type_name("FILE.npy…");
  check
      .add_option("--tolerance", line.tolerance_text,
                  "derived from operation, data and formats (default), or a fixed rule")
      ->type_name("derived|exact|strict|normal|relaxed|ulps=N|atol=X,rtol=Y");
  check.add_flag("--no-diagnosis", line.no_diagnosis, "do not look for the likely cause of what fails");
  add_settings(check, texts);

  CLI::App& minimize = *app.add_subcommand(
      "minimize", "shrink a failing case to the smallest that fails in the same way, and keep it as a file");
  minimize.add_option("id", line.minimized, "the case")->required()->type_name("ID");
  minimize.add_option("--out", line.output_file, "the file to write")->required()->type_name("FILE");
  add_plugins(minimize, line);
  add_tolerance(minimize, line, texts);
  minimize.add_option("--repeat", texts.repeat, "how often each kernel runs (1)")->type_name("N");
  minimize.add_option("--runs", texts.most_runs, "of the kernel, at most (2000)")->type_name("N");
  minimize.add_option("--timeout", texts.timeout, "begin no run after so many seconds (60)")->type_name("SECONDS");
  minimize.add_flag("--require-determinism", line.require_determinism,
                    "with --repeat: fail where runs differ in any bit");
  add_settings(minimize, texts);

  CLI::App& envelope =
      *app.add_subcommand("envelope", "learn from runs of kernels that are known to be right how they err");
  envelope.add_option("action", line.envelope_action, "learn")->required()->type_name("learn");
  envelope.add_option("runs", line.saved_runs, "files report.json of such runs, of several seeds")
      ->required()
      ->type_name("RUN.json…");
  envelope.add_option("--out", line.output_file, "the file to write")->required()->type_name("FILE");
  envelope.add_option("--rate", texts.rate, "share of further runs of these kernels that may lie outside (0.01)")
      ->type_name("RATE");
  add_settings(envelope, texts);

  CLI::App& report = *app.add_subcommand("report", "write a saved run in other formats, or a dashboard of many");
  report.add_option("run", line.saved_runs, "a report.json; of a dashboard any number")->type_name("RUN.json");
  report.add_option("--out", line.output_folder, "the folder to write to, or the page of a dashboard")
      ->required()
      ->type_name("DIR|PAGE.html");
  add_list(report, "--format", texts.formats, "which (html)", "html|json|junit|sarif|markdown|ocp[,…]");
  report.add_flag("--require-conclusive", line.require_conclusive, "tell cases that decided nothing as failures");
  add_dashboard_options(report, line.dashboard);
  add_settings(report, texts);

  CLI::App& merge =
      *app.add_subcommand("merge", "make one run of the parts that shards have made; a missing part is an error");
  merge.add_option("runs", line.saved_runs, "files report.json of the parts")->required()->type_name("RUN.json…");
  merge.add_option("--out", line.output_folder, "the folder to write to")->required()->type_name("DIR");
  add_list(merge, "--format", texts.formats, "beside json and html", "junit|sarif|markdown|ocp[,…]");
  merge.add_flag("--require-conclusive", line.require_conclusive, "exit with 1 where a case decided nothing");
  add_settings(merge, texts);

  CLI::App& quantize = *app.add_subcommand(
      "quantize-report", "how much noise each number format adds to the weights of a safetensors file");
  quantize.add_option("file", line.weights, "a safetensors file")->required()->type_name("FILE");
  add_list(quantize, "--tensor", line.tensors, "tensors, by name or glob (all)", "NAME[,NAME…]");
  add_list(quantize, "--format", line.schemes, "formats, by name or glob (all)", "NAME[,NAME…]");
  quantize.add_option("--out", line.page, "write a page with charts and all numbers there")->type_name("FILE.html");
  add_settings(quantize, texts);

  CLI::App& profile = *app.add_subcommand(
      "profile", "what arithmetic a kernel does: accumulator, roundings, order of sums; what changed since");
  add_list(profile, "--op", line.selection.operations,
           "gemm, or functions of one operand: exp, rsqrt, tanh, … by name or glob (gemm)");
  profile
      .add_option("--backend", line.selection.backends,
                  "the library whose kernel it is; onednn@sse41: for an instruction set")
      ->required()
      ->expected(1)
      ->type_name("NAME");
  add_plugins(profile, line);
  add_list(profile, "--dtype", line.selection.formats,
           "of an input (bf16), or of inputs, accumulator, output (bf16.f32.bf16) (all; of functions f32, bf16, f16)");
  profile.add_option("--json", line.profile_file, "keep the profile there")->type_name("FILE");
  profile
      .add_option("--compare", line.other_profile,
                  "tell what changed since that profile; exit code 1 where anything did")
      ->type_name("FILE");
  add_settings(profile, texts);

  CLI::App& faults = *app.add_subcommand(
      "faults", "kernels with known faults, and right ones: are the ones caught, the others left in peace?");
  faults
      .add_option("action", line.faults_action, "list, run (are they caught?) or coverage (by which patterns of data?)")
      ->required()
      ->type_name("list|run|coverage");
  add_list(faults, "--op", line.selection.operations, "operations, by name or glob (all)");
  add_list(faults, "--fault", line.fault_names, "faults, or right kernels, by name or glob (all)");
  add_list(faults, "--class", line.fault_classes, "classes of faults, or right (all)");
  faults
      .add_option("--cases", texts.cases,
                  "cases of each right kernel, or of each pattern, at most, evenly chosen (100)")
      ->type_name("N");
  faults.add_option("--seed", texts.seed, "seed of the run, from which each case derives its own (1)")->type_name("N");
  add_settings(faults, texts);

  add_gate_command(app, line.gate);
  add_settings(*app.get_subcommand("gate"), texts);
  add_certify_command(app, line.certify);
  add_settings(*app.get_subcommand("certify"), texts);
  add_matrix_command(app, line.matrix);
  add_settings(*app.get_subcommand("matrix"), texts);

  CLI::App& baseline = add_baseline_command(app, line.baseline);
  add_selection(baseline, line, texts);
  baseline.option_defaults()->group("How they run");
  baseline
      .add_option("--seed", texts.seed,
                  "seed of the run, from which each case derives its own; a baseline is of one seed (1)")
      ->type_name("N");
  baseline.add_option("--jobs", texts.jobs, "cases that run at the same time (1)")->type_name("N");
  add_output(baseline, line, texts);
  baseline.add_flag("--require-conclusive", line.require_conclusive, "exit with 1 where a comparison decided nothing");
  add_settings(baseline, texts);

  CLI::App& history = add_history_command(app, line.history);
  add_output(history, line, texts);
  history.add_flag("--require-conclusive", line.require_conclusive, "of scan: exit with 1 where a series is undecided");
  add_settings(history, texts);

  CLI::App& accuracy = add_accuracy_command(app, line.accuracy);
  add_output(accuracy, line, texts);
  accuracy.add_flag("--require-conclusive", line.require_conclusive,
                    "exit with 1 where too few samples decide nothing");
  add_settings(accuracy, texts);

  CLI::App& pipeline = add_pipeline_command(app, line.pipeline);
  add_output(pipeline, line, texts);
  pipeline.add_flag("--require-conclusive", line.require_conclusive, "exit with 1 where a stage is undecided");
  add_settings(pipeline, texts);

  CLI::App& collectives = add_collectives_command(app, line.collectives);
  add_settings(collectives, texts);

  add_telemetry_command(app, line.telemetry);
  add_settings(*app.get_subcommand("telemetry"), texts);
  add_settings(add_frameworks_command(app, line.frameworks), texts);
  CLI::App& hardware = add_hardware_command(app, line.hardware);
  add_settings(hardware, texts);
  add_settings(add_chips_command(app, line.chips), texts);
  add_settings(add_capacity_command(app, line.fleet.capacity), texts);
  add_settings(add_cost_command(app, line.fleet.cost), texts);
  add_settings(add_roofline_command(app, line.fleet.roofline), texts);
  add_settings(add_node_command(app, line.fleet.node), texts);
  add_settings(add_fleet_command(app, line.fleet.fleet), texts);
  add_settings(add_cluster_command(app, line.fleet.cluster), texts);
  const ServeCommands serve = add_serve_commands(app, line.serve);
  for (CLI::App* command : {&serve.bench, &serve.check}) {
    add_output(*command, line, texts);
    command->add_flag("--require-conclusive", line.require_conclusive,
                      "exit with 1 where something was left undecided");
    add_settings(*command, texts);
  }

  add_settings(add_notebooks_command(app, line.notebooks), texts);

  CLI::App& help =
      *app.add_subcommand("help", "a page on a topic, such as tolerances, gates or serving; without one, all");
  help.add_option("topic", line.topic, "which, or a command")->type_name("TOPIC|COMMAND");
  add_settings(help, texts);

  CLI::App& doctor = *app.add_subcommand("doctor", "what is here, what is missing, and how to get it");
  add_plugins(doctor, line);
  add_settings(doctor, texts);

  CLI::App& complete =
      *app.add_subcommand("complete", "completions for a shell: eval \"$(assay complete bash)\"")->group("");
  complete.add_option("shell", line.shell, "bash, zsh or fish")->required()->type_name("bash|zsh|fish");
  app.add_subcommand("man", "the manual page, as troff")->group("");
  CLI::App& devices =
      *app.add_subcommand("devices", "devices of OpenCL, Vulkan or WebGPU, as doctor shows them")->group("");
  devices.add_option("interface", line.device_interface, "opencl, vulkan or webgpu")
      ->required()
      ->type_name("opencl|vulkan|webgpu");
  add_footers(app);

  CLI::App& worker = *app.add_subcommand("worker", "serves the cases of a run with --isolate")->group("");
  add_list(worker, "--backend", line.selection.backends, "libraries");
  add_list(worker, "--op", line.selection.operations, "of problems of the user's own");
  add_list(worker, "--shape", line.selection.shapes, "problems of the user's own");
  add_list(worker, "--only", line.selection.only, "cases with problems of the user's own");
  add_plugins(worker, line);
  add_tolerance(worker, line, texts);
  add_promises(worker, line);
  add_matrices(worker, line);
  worker.add_flag("--require-determinism", line.require_determinism, "as of run");
  worker.add_flag("--no-diagnosis", line.no_diagnosis, "as of run");
}

assay::Result<void> interpret(CommandLine& line, const OptionTexts& texts) {
  if (texts.suite != "default" && texts.suite != "large")
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("suite", texts.suite, {"default", "large"}));
  line.selection.include_large = texts.suite == "large";
  const auto shard = texts.shard == "from-env" ? assay::shard_from_environment() : assay::parse_shard(texts.shard);
  if (!shard) return shard.propagate();
  line.selection.shard = shard.value();
  const auto tolerance = assay::tolerance_named(line.tolerance_text);
  if (!tolerance) return tolerance.propagate();
  line.tolerance = tolerance.value();
  line.relations = texts.check == "relations";
  const auto method = assay::gemm_check_method_named(line.relations ? "full" : texts.check);
  if (!method)
    return assay::failure(assay::ErrorKind::not_found,
                          assay::unknown_name("check", texts.check, {"full", "residual", "sampled", "relations"}));
  line.check = *method;
  if (auto read = read_number<std::uint64_t>("--seed", texts.seed, 0, line.seed); !read) return read;
  if (auto read = read_number<std::size_t>("--cases", texts.cases, 1, line.fault_cases); !read) return read;
  if (auto read = read_number<unsigned>("--repeat", texts.repeat, 1, line.repetitions); !read) return read;
  if (auto read = read_number<unsigned>("--jobs", texts.jobs, 1, line.jobs); !read) return read;
  if (auto read = read_limit("--rate", texts.rate, "runs", 0.99, line.envelope_rate); !read) return read;
  if (auto read = read_number<unsigned>("--runs", texts.most_runs, 1, line.most_runs); !read) return read;
  if (auto read = read_number<unsigned>("--retries", texts.retries, 0, line.retries); !read) return read;
  if (auto read = read_limit("--timeout", texts.timeout, "seconds", 1e9, line.timeout_seconds); !read) return read;
  if (auto read = read_limit("--memory", texts.memory, "GiB", 1e6, line.memory_gib); !read) return read;
  line.settings_refused = texts.no_config;
  if (line.command != Command::minimize) line.isolate = line.isolate || line.timeout_seconds > 0 || line.memory_gib > 0;
  if (line.command == Command::run && (!line.plugins.empty() || !line.python.empty() || uses_gpgpu(line)) &&
      !line.no_isolate && line.case_file.empty()) {
    line.isolate = true;
    if (line.timeout_seconds == 0) line.timeout_seconds = longest_plugin_case;
  }
  return interpret_output(line, texts);
}

assay::Result<void> check_agreement(const CommandLine& line, const OptionTexts& texts) {
  const auto refused = [](const std::string& message) { return assay::failure(assay::ErrorKind::invalid, message); };
  const assay::Selection& chosen = line.selection;
  if (!line.case_file.empty() && !(chosen.operations.empty() && chosen.backends.empty() && chosen.formats.empty() &&
                                   chosen.shapes.empty() && chosen.data.empty() && chosen.only.empty() &&
                                   chosen.exclude.empty() && !chosen.include_large && chosen.shard.count == 1))
    return refused("--case runs the case of its file; leave out what selects others");
  if (!line.case_file.empty() && (line.seed != 1 || line.repetitions != 1 || line.require_determinism ||
                                  line.relations || line.check != assay::GemmCheckMethod::full))
    return refused(
        "--case runs and judges as its file says; leave out --seed, --repeat, --require-determinism and --check");
  if (line.require_determinism && line.command == Command::run && line.repetitions == 1)
    return refused("--require-determinism compares runs, and --repeat is 1; give --repeat 2 or more");
  if (!line.distributor.empty() && line.distributor != "mpi")
    return refused("unknown distributor '" + line.distributor + "'; known: mpi");
  if (!line.distributor.empty() && !line.case_file.empty())
    return refused("--case is one case, and --distribute deals many out; leave one out");
  if (!line.distributor.empty() && line.jobs > 1)
    return refused("--distribute runs one case a process; leave out --jobs, and start more processes");
  if (!line.case_file.empty() && (line.isolate || !line.matrix_a.empty() || line.tolerance_text != "derived"))
    return refused(
        "--case runs as its file says, in this process; leave out --isolate, --timeout, --memory, --tolerance, --a and "
        "--b");
  if (line.command == Command::report)
    if (const auto agreed = check_dashboard_options(line.dashboard, line.saved_runs.size(), !texts.formats.empty());
        !agreed)
      return agreed;
  if (line.relations && (line.tolerance_text != "derived" || !line.matrix_a.empty()))
    return refused("--check relations compares launches with each other; leave out --tolerance, --a and --b");
  if (line.command == Command::minimize && (line.relations || line.check != assay::GemmCheckMethod::full))
    return refused("minimize judges by the full check; leave out --check");
  if (line.matrix_a.empty() != line.matrix_b.empty())
    return refused(line.matrix_a.empty() ? "--b requires --a, the other matrix" : "--a requires --b, the other matrix");
  if (line.no_isolate && line.isolate)
    return refused("--no-isolate excludes --isolate, --timeout and --memory; leave out one side");
  if (line.oclgrind && line.opencl.empty())
    return refused("--oclgrind simulates kernels in OpenCL C; name them by --opencl KERNELS.json");
  if (line.require_envelope && line.envelope_file.empty())
    return refused("--require-envelope asks for --envelope FILE");
  if (line.command == Command::baseline)
    if (auto agreed = check_baseline_options(line.baseline); !agreed) return agreed;
  if (line.command == Command::collectives)
    if (auto agreed = check_collectives_options(line.collectives); !agreed) return agreed;
  if (line.command == Command::accuracy)
    if (auto agreed = check_accuracy_options(line.accuracy); !agreed) return agreed;
  if (line.command == Command::pipeline)
    if (auto agreed = check_pipeline_options(line.pipeline); !agreed) return agreed;
  if (line.command == Command::hardware)
    if (auto agreed = check_hardware_options(line.hardware); !agreed) return agreed;
  if (line.command == Command::serve_bench || line.command == Command::serve_check)
    if (auto agreed = check_serve_options(line.serve, line.command == Command::serve_bench); !agreed) return agreed;
  if (line.command == Command::history)
    if (auto agreed = check_history_options(line.history); !agreed) return agreed;
  if (texts.quiet && texts.verbose) return refused("--quiet excludes --verbose; give one of them");
  if (!texts.formats.empty() && line.output_folder.empty())
    return refused("--format says how to write the report, and --out is missing; give --out DIR");
  if (!texts.config.empty() && texts.no_config) return refused("--config excludes --no-config; give one of them");
  return {};
}

}  // namespace assay_program
