#include "suites/python.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/gpgpu/detail/staging_plan.hpp"
#include "assay/plugin/function_plugin.hpp"
#include "given_arrays.hpp"
#include "suites/described_plugins.hpp"
#include "suites/python_process.hpp"

namespace assay_program {

namespace {

using assay::ErrorKind;
using assay::failure;
using nlohmann::json;

/// How long a module may take to be imported where --timeout says nothing: frameworks take half a minute, cold.
constexpr double longest_import = 120;

const char* name_of(assay::OperandRole role) {
  return role == assay::OperandRole::input ? "input" : role == assay::OperandRole::output ? "output" : "updated";
}

json members_of(const assay::PluginRequest& request) {
  json members = json::object();
  for (const assay::PluginAttribute& attribute : request.attributes) {
    json& member = members[attribute.name];
    if (attribute.text == "true" || attribute.text == "false")
      member = attribute.text == "true";
    else if (attribute.kind == assay::PluginAttributeKind::integer)
      member = attribute.integer;
    else if (attribute.kind == assay::PluginAttributeKind::real)
      member = attribute.real;
    else
      member = attribute.text;
  }
  return members;
}

/// A module's kernels in a process of Python, which sees copies of the operands with the guards about them.
class PythonKernels {
 public:
  PythonKernels(const std::string& module, double seconds) : process_(module, seconds) {}

  [[nodiscard]] assay::Result<json> describe() { return process_.describe(); }

  [[nodiscard]] assay::Result<void> launch(const assay::PluginRequest& request) {
    constexpr std::size_t page = 4096;
    const assay::detail::StagingPlan plan = assay::detail::plan_staging(request, 64);
    std::vector<std::size_t> starts;
    std::size_t bytes = page;
    for (const assay::detail::StagedBlock& block : plan.blocks) {
      starts.push_back(bytes);
      bytes += (block.buffer_bytes() + page - 1) / page * page;
    }
    const auto memory = process_.memory(bytes);
    if (!memory) return memory.propagate();
    for (std::size_t i = 0; i < starts.size(); ++i)
      std::memcpy(memory.value() + starts[i] + plan.blocks[i].offset, plan.blocks[i].begin, plan.blocks[i].bytes());
    json tensors = json::array();
    for (std::size_t i = 0; i < request.tensors.size(); ++i) {
      const assay::PluginTensor& tensor = request.tensors[i];
      if (!tensor.operand.present()) {
        tensors.push_back(nullptr);
        continue;
      }
      const assay::Operand& operand = tensor.operand;
      const assay::detail::StagedPlace& place = plan.places[i];
      tensors.push_back({{"name", tensor.name},
                         {"role", name_of(tensor.role)},
                         {"format", tensor.format.name},
                         {"size", tensor.format.bytes},
                         {"offset", place.present ? starts[place.block] + place.offset : 0},
                         {"shape", std::vector<assay::Index>(operand.extents, operand.extents + operand.rank)},
                         {"strides", std::vector<assay::Index>(operand.strides, operand.strides + operand.rank)}});
    }
    auto answer = process_.ask({{"operation", request.operation},
                                {"formats", request.formats},
                                {"described", described(request.operation)},
                                {"members", members_of(request)},
                                {"tensors", std::move(tensors)},
                                {"memory", bytes}});
    if (!answer) return answer.propagate();
    for (std::size_t i = 0; i < starts.size(); ++i)
      std::memcpy(plan.blocks[i].begin, memory.value() + starts[i] + plan.blocks[i].offset, plan.blocks[i].bytes());
    const std::string status = answer.value().value("status", "");
    if (status == "ok") return {};
    return failure(status == "unsupported" ? ErrorKind::unsupported : ErrorKind::device,
                   answer.value().value("reason", "Python gave no reason"));
  }

 private:
  /// What its members usually are; null for GEMM, which the worker knows.
  [[nodiscard]] const json& described(const std::string& operation) {
    const auto [found, added] = described_.try_emplace(operation);
    if (added && operation != "gemm")
      if (const auto text = describe_operation(operation)) found->second = json::parse(text.value());
    return found->second;
  }

  PythonProcess process_;
  std::map<std::string, json> described_;
};

assay::Result<void> load_module(const std::string& module, double seconds, bool only_described) {
  const auto kernels = std::make_shared<PythonKernels>(module, seconds);
  const auto told = kernels->describe();
  if (!told) return failure(told.error().kind, "'" + module + "': " + told.error().message);
  std::vector<assay::PluginFunction> functions;
  for (const json& kernel : told.value().at("kernels")) {
    assay::PluginFunction function;
    function.operation = kernel.at("operation").get<std::string>();
    function.formats = kernel.at("formats").get<std::vector<std::string>>();
    function.accumulator = kernel.at("accumulator").get<std::string>();
    function.function_errors = kernel.at("function_errors").get<double>();
    function.promises = kernel.at("promises").get<std::string>();
    function.contract = kernel.at("contract").get<std::string>();
    if (only_described)
      function.run = [](const assay::PluginRequest&) -> assay::Result<void> {
        return failure(ErrorKind::unsupported, "this process only describes kernels of Python");
      };
    else
      function.run = [kernels](const assay::PluginRequest& request) { return kernels->launch(request); };
    functions.push_back(std::move(function));
  }
  return add_described_plugin(assay::plugin_of_functions(told.value().at("name").get<std::string>(),
                                                         told.value().at("version").get<std::string>(),
                                                         "'" + module + "'", functions, plugin_operations()),
                              module + ", Python");
}

}  // namespace

assay::Result<void> load_python(const CommandLine& line) {
  const double seconds = line.timeout_seconds > 0 ? line.timeout_seconds : longest_import;
  const bool only_described = line.command == Command::run && line.isolate;
  for (const std::string& module : line.python)
    if (auto loaded = load_module(module, seconds, only_described); !loaded) return loaded;
  return {};
}

}  // namespace assay_program
