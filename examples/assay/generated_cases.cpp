#include "generated_cases.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "assay/core/process/run_program.hpp"
#include "assay/core/process/worker_output.hpp"
#include "assay/frameworks/onnx_runtime/find_onnx_runtime.hpp"

namespace assay_program {

namespace {

/// How the generator ends where there is no package.
constexpr int without_package = 77;

/// Writes the cases that `collect_testcases` gives into a folder beside, which gets its name when it is whole.
constexpr const char* generator = R"python(
import os, sys
try:
    import numpy as np
    import onnx
    from onnx import TensorProto, numpy_helper
    from onnx.backend.test.case.node import collect_testcases
except ImportError:
    sys.exit(77)
target = sys.argv[1]
part = target + ".part"
for case in collect_testcases(None):
    folder = os.path.join(part, case.name)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(case.model.SerializeToString())
    with open(os.path.join(folder, "tol.txt"), "w") as file:
        file.write(f"{case.rtol} {case.atol}\n")
    for number, (inputs, outputs) in enumerate(case.data_sets):
        data = os.path.join(folder, f"test_data_set_{number}")
        os.makedirs(data, exist_ok=True)
        graph = case.model.graph
        for kind, values, declared in (("input", inputs, graph.input), ("output", outputs, graph.output)):
            for place, value in enumerate(values):
                own, name = declared[place].type, declared[place].name
                if own.HasField("sequence_type"):
                    proto = numpy_helper.from_list(value, name)
                elif own.HasField("optional_type"):
                    try:
                        proto = numpy_helper.from_optional(value, name)
                    except Exception:
                        continue
                elif own.HasField("map_type"):
                    proto = numpy_helper.from_dict(value, name)
                elif isinstance(value, TensorProto):
                    proto = value
                else:
                    proto = numpy_helper.from_array(np.asarray(value), name)
                with open(os.path.join(data, f"{kind}_{place}.pb"), "wb") as file:
                    file.write(proto.SerializeToString())
os.makedirs(target, exist_ok=True)
os.rmdir(target)
os.rename(part, target)
)python";

/// Pythons in which the package may be: that of the environment that has ONNX Runtime first.
std::vector<std::string> pythons() {
  std::vector<std::string> found;
  std::error_code code;
  const auto add = [&](const std::filesystem::path& folder) {
    const std::filesystem::path python = folder / "bin" / "python3";
    if (std::filesystem::exists(python, code)) found.push_back(python.string());
  };
  if (const auto library = assay::find_onnx_runtime())
    for (std::filesystem::path at = library.value(); at.has_relative_path(); at = at.parent_path()) add(at);
  if (const char* const environment = std::getenv("VIRTUAL_ENV")) add(environment);
  found.emplace_back("python3");
  return found;
}

std::filesystem::path cached_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if (cache != nullptr && *cache != '\0') return std::filesystem::path(cache) / "assay" / "onnx-cases";
  if (home != nullptr && *home != '\0') return std::filesystem::path(home) / ".cache" / "assay" / "onnx-cases";
  return {};
}

}  // namespace

assay::Result<std::string> folder_of_cases(const std::string& named) {
  std::error_code code;
  const std::filesystem::path folder = named.empty() ? cached_folder() : std::filesystem::path(named);
  if (folder.empty()) return assay::failure(assay::ErrorKind::invalid, "there is no HOME; give --cases FOLDER");
  if (std::filesystem::exists(folder, code) && !std::filesystem::is_empty(folder, code)) return folder.string();
  std::filesystem::create_directories(folder.parent_path().empty() ? "." : folder.parent_path(), code);
  constexpr double longest = 600;
  for (const std::string& python : pythons()) {
    const auto run = assay::detail::run_program({python, "-c", generator, folder.string()}, longest);
    if (!run) continue;
    if (run.value().succeeded()) return folder.string();
    const assay::detail::Ending& ending = run.value().ending;
    if (ending.kind == assay::detail::Ending::Kind::exit && (ending.number == without_package || ending.number == 127))
      continue;
    return assay::failure(assay::ErrorKind::io, "the Python package onnx could not write its cases to " +
                                                    folder.string() + ": " + description_of(ending) + "; " +
                                                    std::string(assay::detail::last_line(run.value().output)));
  }
  return assay::failure(assay::ErrorKind::unsupported, folder.string() +
                                                           " holds no cases, and no Python here has the package that "
                                                           "writes them: pip install onnx, beside onnxruntime");
}

}  // namespace assay_program
