// A plugin whose softmax of float32 is right but for the fault that its file is named after: libhangs.so hangs. See
// tests/examples/plugin_faulty.py.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "assay/plugin/plugin.h"

/// A name that libm has, too.
extern "C" __attribute__((visibility("default"), noinline)) double drem(double, double) noexcept {
  return 42;
}

namespace {

/// "hangs" of "/folder/libhangs.so".
const std::string& fault() {
  static const std::string found = [] {
    Dl_info library{};
    if (::dladdr(reinterpret_cast<const void*>(&fault), &library) == 0) return std::string();
    const std::string path = library.dli_fname, name = path.substr(path.rfind('/') + 1);
    return name.substr(3, name.find('.') - 3);
  }();
  return found;
}

bool fault_is(const char* name) {
  return fault() == name;
}

void say(const assay_plugin_launch* launch, const char* what) {
  std::snprintf(launch->message, static_cast<std::size_t>(launch->message_capacity), "%s", what);
}

const assay_plugin_array& array_of(const assay_plugin_problem* problem, const char* name) {
  return assay_plugin_find_tensor(problem, name)->array;
}

void compute(const assay_plugin_array& input, const assay_plugin_array& output, float temperature, bool logarithm) {
  const std::int64_t inner = input.ndim == 3 ? input.shape[2] : 1;
  for (std::int64_t row = 0; row < input.shape[0] * inner; ++row) {
    const auto start = [&](const assay_plugin_array& array) {
      return static_cast<float*>(array.data) + row / inner * array.strides[0] +
             (array.ndim == 3 ? row % inner * array.strides[2] : 0);
    };
    const float* const x = start(input);
    float* const y = start(output);
    float largest = -INFINITY, sum = 0;
    for (std::int64_t i = 0; i < input.shape[1]; ++i) largest = std::max(largest, x[i * input.strides[1]]);
    for (std::int64_t i = 0; i < input.shape[1]; ++i)
      sum += std::exp((x[i * input.strides[1]] - largest) / temperature);
    for (std::int64_t i = 0; i < input.shape[1]; ++i) {
      const float exponent = (x[i * input.strides[1]] - largest) / temperature;
      y[i * output.strides[1]] = logarithm ? exponent - std::log(sum) : std::exp(exponent) / sum;
    }
  }
}

[[noreturn]] void hang() {
  for (;;) ::pause();
}

std::int32_t supports(void*, const assay_plugin_problem* problem, char* reason, std::uint64_t capacity) {
  if (fault_is("supports-crashes")) std::raise(SIGSEGV);
  if (fault_is("supports-returns-7")) return 7;
  if (std::strcmp(problem->formats, "f32.f32") == 0 && assay_plugin_find_tensor(problem, "mask") == nullptr) return 1;
  std::snprintf(reason, static_cast<std::size_t>(capacity), "float32 without a mask only");
  return 0;
}

std::uint64_t workspace_bytes(void*, const assay_plugin_problem*) {
  if (fault_is("workspace-too-large")) return std::uint64_t{1} << 62;
  return fault_is("workspace-overrun") ? 100 : 0;
}

std::int32_t run(void*, const assay_plugin_problem* problem, const assay_plugin_launch* launch) {
  const assay_plugin_array &input = array_of(problem, "input"), &output = array_of(problem, "output");
  if (fault_is("throws")) throw std::runtime_error("a tile of -3 rows");
  if (fault_is("throws-a-number")) throw 3;
  if (fault_is("crashes")) *static_cast<volatile int*>(nullptr) = 1;
  if (fault_is("aborts")) std::abort();
  if (fault_is("exits")) std::_Exit(0);
  if (fault_is("exits-quickly")) std::quick_exit(0);
  if (fault_is("hangs")) hang();
  if (fault_is("prints-without-end"))
    for (;;) std::puts("a line of a kernel that tells all the world what it does, again and again");
  if (fault_is("untouched") || fault_is("untouched-and-exits-in-a-destructor")) return ASSAY_PLUGIN_OK;
  if (fault_is("has-names-of-others")) {
    double (*volatile called)(double, double) = drem;  // volatile: by its address, which the loader chooses
    if (called(7, 4) != 42) {
      say(launch, "drem is that of the program's libm");
      return ASSAY_PLUGIN_ERROR;
    }
  }
  if (fault_is("refuses-late")) {
    say(launch, "the driver has no kernel for that after all");
    return ASSAY_PLUGIN_UNSUPPORTED;
  }
  if (fault_is("errs")) {
    say(launch, "error 719 of the device");
    return ASSAY_PLUGIN_ERROR;
  }
  if (fault_is("errs-without-words")) return ASSAY_PLUGIN_ERROR;
  if (fault_is("errs-in-other-bytes")) {  // no NUL, no UTF-8, control characters
    std::memset(launch->message, 0xFE, static_cast<std::size_t>(launch->message_capacity));
    std::memcpy(launch->message, "\x1b[31mred\n", 9);
    return ASSAY_PLUGIN_ERROR;
  }
  if (fault_is("unknown-status")) return 77;
  if (fault_is("forks") && ::fork() == 0) return ASSAY_PLUGIN_OK;
  compute(input, output, static_cast<float>(assay_plugin_find_attribute(problem, "temperature")->real),
          assay_plugin_find_attribute(problem, "logarithm")->integer != 0);
  if (input.shape[0] * input.shape[1] == 0) return ASSAY_PLUGIN_OK;
  if (fault_is("overwrites-input")) *static_cast<float*>(input.data) = 42;
  if (fault_is("one-past-the-end")) {
    std::int64_t end = 1;
    for (int d = 0; d < output.ndim; ++d) end += (output.shape[d] - 1) * output.strides[d];
    static_cast<float*>(output.data)[end] = 0;
  }
  if (fault_is("workspace-overrun")) std::memset(launch->workspace, 0, 101);
  return ASSAY_PLUGIN_OK;
}

const assay_plugin* described() {
  static assay_plugin_kernel kernel{};
  kernel.size = sizeof kernel;
  kernel.operation = fault_is("unknown-operation") ? "sofmax" : "softmax";
  kernel.accumulator = fault_is("unknown-accumulator") ? "f23" : "f32";
  if (fault_is("described-elsewhere")) {
    kernel.truncating = 1;
    kernel.block = 16;
    kernel.function_errors = 3;
  }
  kernel.supports = supports;
  kernel.workspace_bytes = workspace_bytes;
  kernel.run = fault_is("no-run") ? nullptr : run;
  static const assay_plugin_kernel* const kernels[] = {&kernel, &kernel};
  static assay_plugin plugin{};
  plugin.size = fault_is("no-size") ? 0 : sizeof plugin;
  plugin.abi = fault_is("next-abi") ? (ASSAY_PLUGIN_ABI_MAJOR + 1) << 16 : ASSAY_PLUGIN_ABI;
  if (fault_is("later-minor")) plugin.abi += 9;
  plugin.name = fault_is("unfit-name")   ? "my plugin/1"
                : fault_is("taken-name") ? "host"
                : fault_is("no-name")    ? nullptr
                                         : fault().c_str();
  plugin.kernel_count = fault_is("no-kernels") ? 0 : fault_is("twice") ? 2 : 1;
  plugin.kernels = kernels;
  return &plugin;
}

/// Who loads it: a line with the fault and the process.
void tell_who_loads_it() {
  const char* const path = std::getenv("ASSAY_TEST_LOADS");
  std::FILE* const file = path != nullptr ? std::fopen(path, "a") : nullptr;
  if (file == nullptr) return;
  std::fprintf(file, "%s %ld\n", fault().c_str(), static_cast<long>(::getpid()));
  std::fclose(file);
}

[[maybe_unused]] const bool loaded = [] {
  tell_who_loads_it();
  if (fault_is("crashes-in-a-constructor")) std::raise(SIGSEGV);
  if (fault_is("chooses-a-locale")) return std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
  return true;
}();

struct Unloaded {
  ~Unloaded() {
    if (fault_is("untouched-and-exits-in-a-destructor")) ::_exit(0);
  }
};
[[maybe_unused]] const Unloaded unloaded;

}  // namespace

const assay_plugin* assay_plugin_entry(std::uint32_t) {
  if (fault_is("no-description")) return nullptr;
  if (fault_is("entry-throws")) throw std::runtime_error("no license");
  if (fault_is("entry-crashes")) std::raise(SIGSEGV);
  if (fault_is("entry-exits")) std::_Exit(0);
  if (fault_is("entry-hangs")) hang();
  if (fault_is("entry-forks")) ::fork();
  if (fault_is("entry-starts-a-process") || fault_is("entry-starts-a-process-and-crashes")) {
    if (::fork() == 0) {
      ::sleep(20);
      ::_exit(0);
    }
    if (fault_is("entry-starts-a-process-and-crashes")) std::raise(SIGSEGV);
  }
  return described();
}
