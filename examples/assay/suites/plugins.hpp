#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/plugin/plugin_subject.hpp"
#include "assay/tolerance/unit_promise.hpp"
#include "suites/operation_families.hpp"

namespace assay_program {

/// Loads shared libraries as libraries of kernels: from here on `libraries()` has them. One that cannot be loaded is a
/// library with a single case, an error that tells why. To be called before threads are started. Where they are only to
/// be described, because kernels run in workers, this process never loads them.
void load_plugins(const std::vector<std::string>& paths, bool only_described = false);

/// The files of those that can be loaded, each once.
[[nodiscard]] const std::vector<std::string>& usable_plugin_files();

/// Whether a case is there to tell that a plugin cannot be loaded. Workers do not have it.
[[nodiscard]] bool tells_of_unusable_plugin(const assay::Case& entry);

/// The same for a plugin of this process, whose refusal is told. Errors: see `assay::describe_plugin`; `malformed` for
/// a name that another library has.
[[nodiscard]] assay::Result<void> add_plugin(const assay_plugin* plugin);

/// From here on there are none. No cases of theirs may be left.
void forget_plugins();

/// The plugin of that name; none if that is another library.
[[nodiscard]] std::optional<assay::PluginBackend> plugin_named(std::string_view backend);

/// What the units of loaded plugins' kernels are promised to do, as the plugins say.
[[nodiscard]] std::vector<assay::UnitPromise> promises_of_plugins();

/// Adds the cases of a plugin, of those of a family's operations that it has kernels of.
template <class... Ops>
void add_plugin_cases(assay::Suite& suite, std::string_view backend, const assay::OperationSuiteOptions& options) {
  const auto plugin = plugin_named(backend);
  if (!plugin) return;
  assay::Suite own;
  (assay::add_operation_cases<Ops>(own, host_worker(), assay::plugin_operation_subject<Ops>(*plugin), options), ...);
  for (assay::Case& entry : own)
    if (plugin->plugin().takes(entry.labels.at("operation"), entry.labels.at("formats")))
      suite.push_back(std::move(entry));
}

}  // namespace assay_program
