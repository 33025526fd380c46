#include "suites/plugins.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "assay/plugin/load_plugin.hpp"
#include "assay/plugin/plugin_quantizer.hpp"
#include "assay/validators/quantize_suite.hpp"
#include "suites/described_plugins.hpp"
#include "suites/operation_names.hpp"
#include "suites/products.hpp"

namespace assay_program {

namespace {

using Plugin = std::shared_ptr<const assay::LoadedPlugin>;

std::vector<Plugin>& loaded() {
  static std::vector<Plugin> all;
  return all;
}

std::vector<std::string>& usable_files() {
  static std::vector<std::string> all;
  return all;
}

constexpr const char* loading = "load";  // where other ids have an operation

}  // namespace

const std::vector<std::string>& plugin_operations() {
  static const std::vector<std::string> names = [] {
    std::set<std::string> sorted{"gemm", "quantize", "dequantize"};
    for (const auto& [operation, family] : families_by_operation()) sorted.insert(operation);
    return std::vector<std::string>(sorted.begin(), sorted.end());
  }();
  return names;
}

bool plugin_lacks_family(std::string_view backend, std::string_view family) {
  const auto plugin = plugin_named(backend);
  if (!plugin) return false;
  const std::vector<std::string> own = plugin->plugin().operations();
  return std::none_of(own.begin(), own.end(), [&](const std::string& operation) {
    const auto found = families_by_operation().find(operation);
    return found != families_by_operation().end() && found->second == family;
  });
}

namespace {

bool is_taken(const std::string& name) {
  const auto& all = libraries();
  return std::any_of(all.begin(), all.end(), [&](const Library& library) { return library.name == name; });
}

/// By the accumulator that the plugin promises: beside those of 16 bits, whose sums are another operation, all are of
/// the formats' usual ones.
void add_gemm(assay::Suite& suite, const Plugin& plugin, const SuiteOptions& options) {
  if (!plugin->has("gemm")) return;
  const std::string accumulator = plugin->arithmetic("gemm", false).accumulation.format_name;
  const auto add = [&]<class Op>() {
    if (!plugin->takes("gemm", Op::formats())) return;
    add_host_gemm_cases<Op>(suite, assay::plugin_gemm_subject<Op>(assay::PluginBackend(plugin)), options);
  };
  UsualProducts::visit([&]<class Op>() {
    using Input = typename Op::FormatA;
    if (sizeof(Input) > 2 || accumulator != assay::FormatTraits<Input>::name()) add.template operator()<Op>();
  });
  if (accumulator == "f16") add.operator()<GemmF16InF16>();
  if (accumulator == "bf16") add.operator()<GemmBf16InBf16>();
}

void add_quantizers(assay::Suite& suite, const Plugin& plugin, const SuiteOptions& options) {
  if (options.relations || options.matrices || options.kernels != nullptr ||
      options.gemm.check.method != assay::GemmCheckMethod::full)
    return;
  assay::Suite own;
  const auto add = [&]<class Format>() {
    const assay::PluginBackend backend(plugin);
    if (plugin->has("quantize"))
      assay::add_quantize_cases<Format>(own, host_worker(), assay::quantize_subject<assay::Quantize<Format>>(backend));
    if (plugin->has("dequantize"))
      assay::add_dequantize_cases<Format>(own, host_worker(),
                                          assay::quantize_subject<assay::Dequantize<Format>>(backend));
  };
  add.operator()<assay::float32>();
  add.operator()<assay::bfloat16>();
  for (assay::Case& entry : own)
    if (plugin->takes(entry.labels.at("operation"), entry.labels.at("formats"))) suite.push_back(std::move(entry));
}

void add(Plugin plugin, std::string title = {}) {
  std::string operations;
  for (const std::string& operation : plugin->operations())
    operations += (operations.empty() ? ": " : ", ") + operation;
  if (title.empty()) title = plugin->source();
  Library library{plugin->name(), title + operations, ""};
  library.compiled_in = library.plugin = true;
  library.version = [plugin] { return plugin->version(); };
  library.add_cases = [plugin](assay::Suite& suite, const SuiteOptions& options) {
    add_gemm(suite, plugin, options);
    add_quantizers(suite, plugin, options);
  };
  loaded().push_back(std::move(plugin));
  add_library(std::move(library));
}

/// "mine" of "/opt/libmine.so.1", unless a library has that name.
std::string name_of_file(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  if (name.rfind("lib", 0) == 0) name.erase(0, 3);
  name.erase(std::min(name.find('.'), name.size()));
  for (char& letter : name)
    if (static_cast<unsigned char>(letter) >= 128 ||
        (std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '-'))
      letter = '_';
  if (name.empty()) name = "plugin";
  while (is_taken(name)) name += "_plugin";
  return name;
}

/// A library whose one case tells why it is not there.
void add_failure(const std::string& name, const std::string& file, const assay::Error& error) {
  Library library{name, "a plugin that cannot be loaded", ""};
  library.compiled_in = library.plugin = true;
  library.failure = error.message;
  library.version = [] { return std::string("not loaded"); };
  library.add_cases = [name, file, error](assay::Suite& suite, const SuiteOptions& options) {
    if (options.kernels != nullptr) return;
    assay::Case entry;
    entry.labels = {{"operation", loading}, {"backend", name}, {"formats", "-"}, {"shape", file}, {"data", "-"}};
    entry.id = std::string(loading) + "/" + name + "/-/" + file + "/-";
    entry.run = [error](const assay::CaseContext&) {
      assay::Outcome outcome;
      outcome.verdict = assay::Verdict::error;
      outcome.reason = error.message;
      return outcome;
    };
    entry.explain = [error](const assay::CaseContext&) { return std::vector<std::string>{error.message}; };
    suite.push_back(std::move(entry));
  };
  add_library(std::move(library));
}

assay::Result<void> add_unless_taken(assay::Result<Plugin> plugin, const std::string& title = {}) {
  if (!plugin) return plugin.propagate();
  const std::string& name = plugin.value()->name();
  if (is_taken(name))
    return assay::failure(assay::ErrorKind::malformed,
                          plugin.value()->source() + ": its name, " + name +
                              ", is that of another backend of this run; give it one of its own");
  add(std::move(plugin).value(), title);
  return {};
}

}  // namespace

void load_plugins(const std::vector<std::string>& paths, bool only_described) {
  std::set<std::string> seen;
  assay::PluginLoading options;
  options.own_names = true;
  if (!paths.empty()) options.operations = plugin_operations();
  std::vector<std::pair<std::string, assay::Error>> failures;
  for (const std::string& path : paths) {
    if (!seen.insert(path).second) continue;
    const auto added = add_unless_taken(only_described ? assay::describe_plugin_file(path, options)
                                                       : assay::load_plugin(path, options));
    if (added)
      usable_files().push_back(path);
    else
      failures.emplace_back(path, added.error());
  }
  for (const auto& [path, error] : failures)  // last: the name of such a file is no plugin's yet
    add_failure(name_of_file(path), std::filesystem::path(path).filename().string(), error);
}

const std::vector<std::string>& usable_plugin_files() {
  return usable_files();
}

bool tells_of_unusable_plugin(const assay::Case& entry) {
  return entry.labels.at("operation") == loading;
}

assay::Result<void> add_plugin(const assay_plugin* plugin) {
  return add_unless_taken(assay::describe_plugin(plugin, "plugin of this process", plugin_operations()));
}

assay::Result<void> add_described_plugin(assay::Result<Plugin> described, const std::string& title) {
  return add_unless_taken(std::move(described), title);
}

void forget_plugins() {
  loaded().clear();
  usable_files().clear();
  forget_plugin_libraries();
}

std::vector<assay::UnitPromise> promises_of_plugins() {
  std::vector<assay::UnitPromise> all;
  for (const Plugin& plugin : loaded())
    for (const std::string& operation : plugin->operations()) {
      if (plugin->promises(operation).empty()) continue;
      auto read = assay::read_promises(plugin->promises(operation), "promised by plugin " + plugin->name());
      if (!read) continue;  // which it would have been refused for
      for (assay::UnitPromise& promise : read.value()) {
        promise.backend = plugin->name();
        promise.operation = operation;
        all.push_back(std::move(promise));
      }
    }
  return all;
}

std::optional<assay::PluginBackend> plugin_named(std::string_view backend) {
  for (const Plugin& plugin : loaded())
    if (plugin->name() == backend) return assay::PluginBackend(plugin);
  return std::nullopt;
}

}  // namespace assay_program
