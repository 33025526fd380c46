#include "suites/gpgpu.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/core/process/run_program.hpp"
#include "assay/core/table.hpp"
#include "assay/gpgpu/clblast/clblast.hpp"
#include "assay/gpgpu/kernels/kernel_file.hpp"
#include "assay/gpgpu/opencl/oclgrind.hpp"
#include "assay/gpgpu/opencl/opencl_device.hpp"
#include "assay/gpgpu/opencl/opencl_kernels.hpp"
#include "assay/gpgpu/vulkan/vulkan_device.hpp"
#include "assay/gpgpu/vulkan/vulkan_kernels.hpp"
#include "assay/gpgpu/webgpu/webgpu_device.hpp"
#include "assay/gpgpu/webgpu/webgpu_kernels.hpp"
#include "assay/plugin/function_plugin.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "gpgpu_options.hpp"
#include "printed_table.hpp"
#include "suites/described_plugins.hpp"

namespace assay_program {

namespace {

assay::Result<void> load_file(const std::string& path, assay::KernelInterface kind) {
  auto file = assay::read_kernel_file(path, kind, plugin_operations());
  if (!file) return file.propagate();
  const std::string name = file.value().name, version = file.value().version;
  const bool opencl = kind == assay::KernelInterface::opencl, vulkan = kind == assay::KernelInterface::vulkan;
  auto functions = opencl   ? assay::opencl_functions(std::move(file).value())
                   : vulkan ? assay::vulkan_functions(std::move(file).value())
                            : assay::webgpu_functions(std::move(file).value());
  return add_described_plugin(assay::plugin_of_functions(name, version, "'" + path + "'", functions),
                              path + (opencl   ? ", OpenCL C"
                                      : vulkan ? ", SPIR-V"
                                               : ", WGSL"));
}

std::string mebibytes(std::size_t bytes) {
  return assay::detail::printed_number(static_cast<double>(bytes) / (1024.0 * 1024.0), 0, std::chars_format::fixed) +
         " MiB";
}

int print_opencl_devices() {
  const auto all = assay::opencl_devices();
  if (!all) return std::printf("OpenCL: %s\n", all.error().message.c_str()), 0;
  assay::Table table;
  table.columns = {"OpenCL", "device", "kind", "version", "driver", "has", "a buffer at most"};
  for (const assay::OpenClDescription& told : all.value()) {
    std::string has;
    const auto add = [&](bool there, const char* name) {
      has += there ? (has.empty() ? "" : " ") + std::string(name) : "";
    };
    add(told.fp16, "fp16");
    add(told.fp64, "fp64");
    add(told.subgroups, "subgroups");
    add(told.integer_dot_products, "dot8");
    add(told.unified_memory, "unified");
    table.rows.push_back(
        {told.platform, told.name, told.kind, told.version, told.driver, has, mebibytes(told.max_allocation)});
  }
  print_table(table);
  return 0;
}

int print_vulkan_devices() {
  const auto all = assay::vulkan_devices();
  if (!all) return std::printf("Vulkan: %s\n", all.error().message.c_str()), 0;
  assay::Table table;
  table.columns = {"Vulkan", "device", "kind", "driver", "has", "a binding at most"};
  for (const assay::VulkanDescription& told : all.value()) {
    std::string has;
    const auto add = [&](bool there, const char* name) {
      has += there ? (has.empty() ? "" : " ") + std::string(name) : "";
    };
    add(told.fp16, "fp16");
    add(told.fp64, "fp64");
    add(told.int8, "int8");
    add(told.int16, "int16");
    add(told.int64, "int64");
    table.rows.push_back({told.version, told.name, told.kind, told.driver, has, mebibytes(told.max_binding)});
  }
  print_table(table);
  return 0;
}

int print_webgpu_devices() {
  const auto all = assay::webgpu_devices();
  if (!all) return std::printf("WebGPU: %s\n", all.error().message.c_str()), 0;
  assay::Table table;
  table.columns = {"WebGPU", "device", "kind", "by", "driver", "has", "a binding at most"};
  for (const assay::WebGpuDescription& told : all.value()) {
    const std::string has = std::string(told.fp16 ? "fp16" : "") + (told.fp16 && told.subgroups ? " " : "") +
                            (told.subgroups ? "subgroups" : "");
    table.rows.push_back({"wgpu-native " + told.version, told.name, told.kind, told.interface, told.driver, has,
                          mebibytes(told.max_binding)});
  }
  print_table(table);
  return 0;
}

}  // namespace

assay::Result<void> load_gpgpu(const CommandLine& line) {
  if (line.oclgrind && !assay::oclgrind_is_wanted()) {  // workers inherit it
    const auto found = assay::find_oclgrind();
    if (!found) return found.propagate();
    ::setenv("ASSAY_OCLGRIND", found.value().c_str(), 1);
  }
  for (const std::string& path : line.opencl)
    if (auto loaded = load_file(path, assay::KernelInterface::opencl); !loaded) return loaded;
  for (const std::string& path : line.vulkan)
    if (auto loaded = load_file(path, assay::KernelInterface::vulkan); !loaded) return loaded;
  for (const std::string& path : line.webgpu)
    if (auto loaded = load_file(path, assay::KernelInterface::webgpu); !loaded) return loaded;
  if (!names_clblast(line)) return {};
  return add_described_plugin(
      assay::plugin_of_functions(clblast_backend, "found when it runs", "CLBlast", assay::clblast_functions()),
      "CLBlast on a device of OpenCL");
}

int devices(const CommandLine& line) {
  if (line.device_interface == "opencl") return print_opencl_devices();
  if (line.device_interface == "vulkan") return print_vulkan_devices();
  if (line.device_interface == "webgpu") return print_webgpu_devices();
  return fault("'" + line.device_interface + "' is no interface of devices; there are opencl, vulkan and webgpu");
}

void print_devices() {
  constexpr int longest = 20;
  for (const std::string interface : {"opencl", "vulkan", "webgpu"}) {
    const auto run = assay::detail::run_program({"/proc/self/exe", "devices", interface}, longest);
    if (!run) {
      std::printf("\n%s: %s\n", interface.c_str(), run.error().message.c_str());
      continue;
    }
    const assay::detail::Ending& ending = run.value().ending;
    std::printf("\n%s", run.value().output.c_str());
    if (ending.kind == assay::detail::Ending::Kind::timeout)
      std::printf("%s: its driver did not answer within %d s and was ended\n", interface.c_str(), longest);
    else if (!run.value().succeeded())
      std::printf("%s: the process that asked its driver ended: %s\n", interface.c_str(),
                  description_of(ending).c_str());
  }
}

}  // namespace assay_program
