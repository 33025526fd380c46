#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/plugin/loaded_plugin.hpp"
#include "assay/plugin/plugin_request.hpp"

namespace assay::inline v0 {

/// A kernel of this program that takes problems of one operation without its type: what a file describes, or a library
/// that is found when the program runs. What it promises is as in plugin.h.
struct PluginFunction {
  std::string operation;             ///< as `assay list ops` names it
  std::vector<std::string> formats;  ///< globs of the formats that it takes, as ids have them; none: all
  std::string accumulator = {};      ///< "f32"; empty: as of plugins that promise none
  double function_errors = 0;        ///< in unit roundoffs of the accumulator; 0: the usual 8
  std::string promises = {};         ///< as `read_promises` takes them
  std::string contract = {};         ///< as `read_contract` takes it
  /// Computes on memory of the host, and returns when the work is done. Operands have the guards about them
  /// (`Operand::guard_bytes`). `ErrorKind::unsupported`, with the reason, refuses a problem.
  std::function<Result<void>(const PluginRequest&)> run = {};
};

/// Such kernels as a plugin. `source` names them in messages; `operations` are the names that they may bear; none: all.
///
/// Errors: those of `describe_plugin`. Misuse: a function that is empty.
[[nodiscard]] Result<std::shared_ptr<const LoadedPlugin>> plugin_of_functions(
    const std::string& name, const std::string& version, std::string source,
    const std::vector<PluginFunction>& functions, const std::vector<std::string>& operations = {});

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/function_plugin.ipp"
#endif
