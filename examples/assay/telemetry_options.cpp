#include "telemetry_options.hpp"

#include <CLI/CLI.hpp>

namespace assay_program {

void add_telemetry_command(CLI::App& app, TelemetryOptions& options) {
  CLI::App& telemetry = *app.add_subcommand(
      "telemetry", "power, temperatures, clocks, throttling and errors: what is told, and a judgment of it");
  telemetry
      .add_option(
          "action", options.action,
          "list (sensors, with their values now), record, show (a recording as tables and a page) or replay (judge a "
          "recording's power and heat)")
      ->required()
      ->type_name("list|record|show|replay");
  telemetry.add_option("file", options.file, "the recording: JSON lines, written by record, read by show and replay")
      ->type_name("FILE.jsonl");
  telemetry
      .add_option("--source", options.sources,
                  "of list and record: sysfs, nvml, amd_smi, rocm_smi, kernel_log (all that are here)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME[,NAME…]");
  telemetry
      .add_option("--device", options.devices,
                  "of show and replay: ids as list tells them; of replay, names of one thing "
                  "in several sources are joined by '=' (all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ID[,ID…]");
  telemetry.add_option("--seconds", options.seconds, "of record: for how long (60)")->type_name("S");
  telemetry.add_option("--interval", options.interval, "of record: between polls (0.1)")->type_name("S");
  telemetry.add_option("--out", options.page, "of show: a page with the courses as pictures")->type_name("PAGE.html");
  telemetry
      .add_option("--specification", options.specification,
                  "of replay: the power that the device was sold with (the enforced limit alone)")
      ->type_name("W");
  telemetry.add_option("--ramp", options.ramp, "of replay: from the beginning, before the load is full (30)")
      ->type_name("S");
  telemetry.add_option("--root", options.root, "where sysfs is, or a recorded copy (/sys)")->type_name("DIR");
  telemetry.add_option("--kernel-log", options.kernel_log, "where the kernel's messages are (/dev/kmsg)")
      ->type_name("FILE");
  telemetry.add_option("--library", options.library, "the file of the one vendor's library that --source names")
      ->type_name("FILE");
}

}  // namespace assay_program
