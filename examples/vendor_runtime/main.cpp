// The test binary of vrt, compiled as vrt is: -fno-exceptions -fno-rtti. Switch errata on (bits of vrt.h) to see them
// caught. vendor_runtime [--errata BITS] [--memory MEGABYTES] [--only GLOB] [--junit FILE] [--html FILE]
// [--touch-private-memory]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "assay/core/detect_environment.hpp"
#include "assay/report/console.hpp"
#include "assay/report/html.hpp"
#include "assay/report/junit.hpp"
#include "assay/suite/runner.hpp"
#include "suites.hpp"

namespace {

struct Options {
  unsigned errata = 0;
  std::size_t megabytes = 256;
  std::string only, junit, html;
  bool touch_private_memory = false;
};

bool parse(int count, char** arguments, Options& options) {
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--touch-private-memory") {
      options.touch_private_memory = true;
      continue;
    }
    if (++i == count) return false;
    if (name == "--errata")
      options.errata = static_cast<unsigned>(std::atoi(arguments[i]));
    else if (name == "--memory")
      options.megabytes = static_cast<std::size_t>(std::atoi(arguments[i]));
    else if (name == "--only")
      options.only = arguments[i];
    else if (name == "--junit")
      options.junit = arguments[i];
    else if (name == "--html")
      options.html = arguments[i];
    else
      return false;
  }
  return true;
}

/// What the runtime itself counted: operands stay where they are, only findings travel.
bool tell(const char* name, vrt_device device) {
  vrt_counters counters;
  vrt_device_get_counters(device, &counters);
  std::printf(
      "%s: %llu buffers of %llu bytes, %llu not given back; copied %llu bytes to the device, %llu to the host; %llu "
      "kernels, %llu loops\n",
      name, static_cast<unsigned long long>(counters.buffers), static_cast<unsigned long long>(counters.buffer_bytes),
      static_cast<unsigned long long>(counters.live_buffers), static_cast<unsigned long long>(counters.bytes_to_device),
      static_cast<unsigned long long>(counters.bytes_to_host), static_cast<unsigned long long>(counters.kernels),
      static_cast<unsigned long long>(counters.functions));
  return counters.live_buffers == 0;
}

int refuse(const std::string& message) {
  std::fprintf(stderr, "vendor_runtime: %s\n", message.c_str());
  return 2;
}

}  // namespace

int main(int count, char** arguments) {
  Options options;
  if (!parse(count, arguments, options))
    return refuse(
        "give [--errata BITS] [--memory MEGABYTES] [--only GLOB] [--junit FILE] [--html FILE] "
        "[--touch-private-memory]");
  const vrt_device_options readable{options.megabytes << 20, 2, 0}, hidden{options.megabytes << 20, 2, 1};
  vrt_device device = nullptr, private_device = nullptr;
  if (vrt_device_open(&readable, &device) != VRT_SUCCESS || vrt_device_open(&hidden, &private_device) != VRT_SUCCESS)
    return refuse(vrt_last_error());
  vrt_device_set_errata(device, options.errata);
  vrt_device_set_errata(private_device, options.errata);
  if (options.touch_private_memory) {
    vrt_buffer buffer = nullptr;
    if (vrt_buffer_create(private_device, 64, 64, &buffer) != VRT_SUCCESS) return refuse(vrt_last_error());
    std::printf("private memory holds %d\n", *static_cast<volatile char*>(vrt_buffer_address(buffer)));
    return 0;
  }

  bool returned = true;
  int code = 0;
  {
    assay::Suite suite;
    add_diagnosed_cases(suite, device);
    add_cases_in_place(suite, private_device);
    assay::Selection selection;
    selection.operations = {"gemm", "softmax", "rmsnorm", "gelu"};  // the suites of families have others, too
    if (!options.only.empty()) selection.only = {options.only};
    const auto chosen = assay::select(suite, selection);
    if (!chosen) return refuse(chosen.error().message);

    assay::RunOptions run_options;
    run_options.title = "vrt";
    assay::Console console;
    const assay::Run run = assay::run_suite(suite, chosen.value(), run_options, assay::detect_environment(), console);
    code = run.exit_code();
    if (!options.junit.empty())
      if (const auto written = assay::write_junit(run, options.junit); !written) return refuse(written.error().message);
    if (!options.html.empty())
      if (const auto written = assay::write_html(run, options.html); !written) return refuse(written.error().message);
  }
  returned = tell("vrt", device) && tell("vrt_private", private_device);
  vrt_device_close(private_device);
  vrt_device_close(device);
  return returned ? code : 1;
}
