#include "hardware_options.hpp"

#include <CLI/CLI.hpp>

#include "assay/collectives/measurement/sweep_options.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/hardware/processor_topology.hpp"

namespace assay_program {

namespace {

constexpr const char* hardware_examples =
    "Examples:\n"
    "  assay hardware check --level 1 --report run.json --html page.html   about a minute; 2: 10 min, 3: 1 h, 4: a "
    "night\n"
    "  assay hardware memory --bytes 4G --test march_c-,march_ss           each wrong bit with its address\n"
    "  assay hardware memory --coverage                                    which fault classes which test finds\n"
    "  assay hardware stress --seconds 600 --dtype f64 --pulses 2          load that comes and goes twice a second\n"
    "  assay hardware power --seconds 300 --loaded 'gpu/*'                 while a load of your own runs on the GPUs\n"
    "  assay hardware bandwidth --storage /mnt/scratch --memory-bandwidth 204.8\n"
    "  assay hardware soak --seconds 28800 --journal night.jsonl           goes on after kill -9 with the same "
    "command\n\n"
    "Exit code: 0 right, 1 something is wrong, 2 usage, environment, or nothing was decided.";

}  // namespace

CLI::App& add_hardware_command(CLI::App& app, HardwareOptions& options) {
  CLI::App& command =
      *app.add_subcommand("hardware", "is this machine well: memory, arithmetic, power, heat, bandwidth, allocators");
  const auto add_names = [&](const std::string& name, std::vector<std::string>& list, const std::string& help) {
    command.add_option(name, list, help)->delimiter(',')->allow_extra_args(false)->type_name("NAME[,NAME…]");
  };
  command
      .add_option(
          "action", options.action,
          "check (all of it, by --level), memory, stress (arithmetic), power or thermal (that stress, judged by "
          "sensors), bandwidth, pools (allocators) or soak (a mix, watched for drift)")
      ->type_name("check|memory|stress|power|thermal|bandwidth|pools|soak");
  command.option_defaults()->group("How much");
  command.add_option("--level", options.level, "of check: 1 a minute (default), 2 ten minutes, 3 an hour, 4 a night")
      ->type_name("1|2|3|4");
  command
      .add_option("--seconds", options.seconds,
                  "of memory at most, of stress each format (10), of power and thermal (120), of soak in all (60)")
      ->type_name("SECONDS");
  command.add_option("--bytes", options.bytes, "of memory to test (256M; of check by level)")->type_name("SIZE");
  command.add_option("--processors", options.processors, "one thread on each (all that this process may use)")
      ->type_name("0-3,8");
  command.add_option("--seed", options.seed, "of random data (1)")->type_name("N");
  command.option_defaults()->group("What");
  add_names("--test", options.tests, "of memory: march_c- (default), march_ss, random, modulo_20, …, or all");
  command.add_flag("--coverage", options.coverage,
                   "of memory: the share of simulated faults that each march test finds");
  add_names("--dtype", options.formats, "formats of the load: f64, f32, i32 (all)");
  command.add_option("--pulses", options.pulses, "of stress: how often a second the load comes and goes (0: steady)")
      ->type_name("HERTZ");
  command.add_option("--storage", options.storage, "of check and bandwidth: measure this folder's medium, too")
      ->type_name("FOLDER");
  command.add_option("--trace", options.trace, "of pools: lines 'alloc ID BYTES [ALIGNMENT]' and 'free ID'")
      ->type_name("FILE");
  command.add_option("--journal", options.journal, "of soak: keeps each result; the same command goes on from there")
      ->type_name("FILE");
  command.option_defaults()->group("What to expect");
  command.add_option("--peak", options.peak, "of check, stress and soak: Gop/s of all processors; more fails")
      ->type_name("GOPS");
  command.add_option("--memory-bandwidth", options.memory_bandwidth, "GB/s of the machine in theory; more fails")
      ->type_name("GBPS");
  command.add_option("--least-share", options.least_share, "of --memory-bandwidth; less fails (0)")->type_name("0…1");
  command.option_defaults()->group("What sensors say meanwhile, of check, stress, power, thermal and soak");
  add_names("--telemetry", options.telemetry.sources,
            "sysfs, nvml, amd_smi, rocm_smi, kernel_log (all that are here), or none");
  command.add_option("--loaded", options.loaded, "ids of devices that a load of your own keeps busy: gpu/*")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID[,ID…]");
  command
      .add_option("--specification", options.specifications,
                  "the power that devices were sold with, W: gpu/*=700 (the limit that they tell as their default)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID=W[,…]");
  command.add_option("--ramp", options.ramp, "from the beginning, before the load is full (30)")->type_name("S");
  command.add_option("--steady", options.steady, "how long heat must be steady, and power be sustained for half (60)")
      ->type_name("S");
  command.add_option("--recording", options.recording, "keeps what was told, for assay telemetry show and replay")
      ->type_name("FILE.jsonl");
  command.add_option("--telemetry-root", options.telemetry.root, "where sysfs is, or a recorded copy (/sys)")
      ->type_name("DIR");
  command
      .add_option("--telemetry-library", options.telemetry.library,
                  "the file of the one vendor's library that --telemetry names")
      ->type_name("FILE");
  command.add_option("--kernel-log", options.telemetry.kernel_log, "where the kernel's messages are (/dev/kmsg)")
      ->type_name("FILE");
  command.option_defaults()->group("What comes out");
  command.add_option("--report", options.report, "as assay run writes it: for assay report, gate and baselines")
      ->type_name("FILE.json");
  command.add_option("--html", options.html, "a page with tables and charts")->type_name("FILE");
  command.option_defaults()->group("Options");
  command.footer(hardware_examples);
  return command;
}

assay::Result<std::size_t> hardware_bytes(const HardwareOptions& options, std::size_t otherwise) {
  if (options.bytes.empty()) return otherwise;
  const auto size = assay::parse_size(options.bytes);
  if (!size) return assay::failure(assay::ErrorKind::invalid, "--bytes: " + size.error().message);
  if (!(size.value() >= 4096 && size.value() < 1e18))
    return assay::failure(assay::ErrorKind::invalid, "--bytes is '" + options.bytes + "'; give 4K or more");
  return static_cast<std::size_t>(size.value());
}

assay::Result<std::vector<std::pair<std::string, double>>> specified_watts(const HardwareOptions& options) {
  std::vector<std::pair<std::string, double>> found;
  for (const std::string& text : options.specifications) {
    const std::size_t equals = text.rfind('=');
    const auto watts = equals == text.npos ? std::nullopt : assay::detail::read_number(text.substr(equals + 1));
    if (!watts || equals == 0 || !(*watts > 0 && *watts < 1e6))
      return assay::failure(assay::ErrorKind::invalid,
                            "--specification is '" + text + "'; give a device and its watts: gpu/*=700");
    found.emplace_back(text.substr(0, equals), *watts);
  }
  return found;
}

assay::Result<void> check_hardware_options(const HardwareOptions& options) {
  const auto refused = [](const std::string& message) { return assay::failure(assay::ErrorKind::invalid, message); };
  if (options.action.empty())
    return refused("hardware asks for an action: check, memory, stress, power, thermal, bandwidth, pools or soak");
  if (options.level < 1 || options.level > 4) return refused("--level is 1, 2, 3 or 4");
  if (options.seconds && !(*options.seconds > 0 && *options.seconds < 1e8))
    return refused("--seconds must be more than 0");
  if (!(options.pulses >= 0 && options.pulses <= 1000)) return refused("--pulses must be 0 to 1000 Hz");
  if (options.peak && !(*options.peak > 0)) return refused("--peak must be more than 0");
  if (options.memory_bandwidth && !(*options.memory_bandwidth > 0))
    return refused("--memory-bandwidth must be more than 0");
  if (!(options.least_share >= 0 && options.least_share <= 1)) return refused("--least-share must be 0 to 1");
  if (options.least_share > 0 && !options.memory_bandwidth) return refused("--least-share asks for --memory-bandwidth");
  if (!(options.ramp >= 0 && options.ramp <= 1e6)) return refused("--ramp must be 0 to 1000000 s");
  if (!(options.steady >= 1 && options.steady <= 1e6)) return refused("--steady must be 1 to 1000000 s");
  if (auto watts = specified_watts(options); !watts) return watts.propagate();
  if (auto bytes = hardware_bytes(options, 0); !bytes) return bytes.propagate();
  if (auto list = assay::parse_processor_list(options.processors); !list)
    return refused("--processors: " + list.error().message);
  return {};
}

}  // namespace assay_program
