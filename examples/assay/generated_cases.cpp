#include "generated_cases.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "assay/frameworks/onnx_runtime/find_onnx_runtime.hpp"

extern char** environ;

namespace assay_program {

namespace {

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

/// The exit code of a program; −1 where it cannot be started.
int run_program(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  pid_t process = -1;
  const int code = ::posix_spawnp(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return -1;
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

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
  bool failed = false;
  for (const std::string& python : pythons()) {
    const int exit_code = run_program({python, "-c", generator, folder.string()});
    if (exit_code == 0) return folder.string();
    failed |= exit_code != 77 && exit_code != -1 && exit_code != 127;
    if (failed) break;
  }
  if (failed)
    return assay::failure(assay::ErrorKind::io,
                          "the Python package onnx could not write its cases to " + folder.string());
  return assay::failure(assay::ErrorKind::unsupported, folder.string() +
                                                           " holds no cases, and no Python here has the package that "
                                                           "writes them: pip install onnx, beside onnxruntime");
}

}  // namespace assay_program
