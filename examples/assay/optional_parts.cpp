#include "optional_parts.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "assay/core/process/run_program.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;

/// The folders of a variable such as PATH.
std::vector<fs::path> folders_of_variable(const char* name) {
  std::vector<fs::path> folders;
  const char* const value = std::getenv(name);
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) folders.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return folders;
}

bool has_program(const std::string& name) {
  const auto folders = folders_of_variable("PATH");
  return std::any_of(folders.begin(), folders.end(),
                     [&](const fs::path& folder) { return ::access((folder / name).c_str(), X_OK) == 0; });
}

/// Where the loader looks, as far as that can be told without asking it.
bool has_library(const std::string& name) {
  std::vector<fs::path> folders = folders_of_variable("LD_LIBRARY_PATH");
  std::error_code code;
  for (const char* const root : {"/lib", "/usr/lib", "/usr/local/lib", "/lib64", "/usr/lib64"}) {
    folders.emplace_back(root);
    for (fs::directory_iterator at(root, code), end; !code && at != end; at.increment(code))
      if (at->path().filename().string().find("-linux-") != std::string::npos) folders.push_back(at->path());
  }
  return std::any_of(folders.begin(), folders.end(),
                     [&](const fs::path& folder) { return fs::exists(folder / name, code); });
}

/// Those of some modules that Python would find; it imports none of them.
std::set<std::string> python_modules() {
  constexpr const char* question =
      "import importlib.util as u\n"
      "for n in 'assay numpy nbformat jupyterlab torch jax onnx onnxruntime silero_vad rapidocr_onnxruntime'.split():\n"
      "    if u.find_spec(n): print(n)\n";
  std::set<std::string> modules;
  const auto run = assay::detail::run_program({"python3", "-c", question}, 20);
  if (!run || !run.value().succeeded()) return modules;
  std::istringstream said(run.value().output);
  for (std::string name; std::getline(said, name);) modules.insert(name);
  return modules;
}

constexpr bool with_hwloc =
#ifdef ASSAY_HAS_HWLOC
    true;
#else
    false;
#endif
constexpr bool with_openssl =
#ifdef ASSAY_HAS_OPENSSL
    true;
#else
    false;
#endif
constexpr bool with_sqlite =
#ifdef ASSAY_HAS_SQLITE
    true;
#else
    false;
#endif
constexpr bool with_postgresql =
#ifdef ASSAY_HAS_POSTGRESQL
    true;
#else
    false;
#endif

}  // namespace

std::vector<OptionalPart> optional_parts() {
  const std::set<std::string> modules = python_modules();
  std::vector<OptionalPart> parts;
  const auto add = [&](const char* name, const char* purpose, bool here, const char* command) {
    parts.push_back({name, purpose, here ? "here" : "not here", command});
  };
  const auto add_built_in = [&](const char* name, const char* purpose, bool built_in, const char* command) {
    parts.push_back({name, purpose, built_in ? "built in" : "not built in", command});
  };
  const auto has = [&](const char* module) { return modules.count(module) > 0; };
  add_built_in("OpenSSL", "baselines", with_openssl, "apt-get install libssl-dev; build again");
  add_built_in("SQLite", "baselines and histories in a database", with_sqlite,
               "apt-get install libsqlite3-dev; build again");
  add_built_in("libpq", "baselines in PostgreSQL", with_postgresql, "apt-get install libpq-dev; build again");
  add_built_in("hwloc", "topology of this machine", with_hwloc, "apt-get install libhwloc-dev; build again");
  add("mpirun", "collectives, runs and certifications over processes", has_program("mpirun"),
      "apt-get install openmpi-bin");
  add("cc", "plugins in C, and examples/release", has_program("cc"), "apt-get install gcc");
  add("OpenCL", "kernels in OpenCL C; pocl is a device on processors", has_library("libOpenCL.so.1"),
      "apt-get install ocl-icd-libopencl1 pocl-opencl-icd");
  add("CLBlast", "its kernels on a device of OpenCL", has_library("libclblast.so.1"), "apt-get install libclblast1");
  add("Vulkan", "compute shaders in SPIR-V; lavapipe is a device on processors", has_library("libvulkan.so.1"),
      "apt-get install libvulkan1 mesa-vulkan-drivers");
  add("glslangValidator", "SPIR-V of shaders in GLSL", has_program("glslangValidator"),
      "apt-get install glslang-tools");
  add("python3", "what follows", has_program("python3"), "apt-get install python3 python3-venv");
  add("assay", "Assay in Python, pytest and the labs", has("assay"), "pip install examples/python");
  add("NumPy, JupyterLab", "examples/labs", has("numpy") && has("jupyterlab"), "pip install numpy jupyterlab");
  add("torch", "modes of PyTorch: compile, export, autocast", has("torch"), "pip install torch");
  add("jax", "tensors of JAX", has("jax"), "pip install jax");
  add("onnx", "cases of assay frameworks onnx", has("onnx"), "pip install onnx onnxruntime");
  add("models", "examples/model_pipelines", has("onnxruntime") && has("silero_vad") && has("rapidocr_onnxruntime"),
      "pip install onnxruntime pillow; pip install --no-deps silero-vad rapidocr-onnxruntime");
  return parts;
}

}  // namespace assay_program
