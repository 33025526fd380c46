#include "assay/frameworks/onnx_runtime/find_onnx_runtime.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/environment_variable.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::EnvironmentVariable;

TEST_CASE("the library is found where the variable says, in a Python environment and in its package") {
  const assay::testing::TemporaryFolder folder;
  const std::filesystem::path root(folder.path);
  const std::filesystem::path package = root / "lib" / "python3.11" / "site-packages" / "onnxruntime" / "capi";
  std::filesystem::create_directories(package);
  std::ofstream(package / "libonnxruntime_providers_shared.so") << "x";
  const EnvironmentVariable named("ASSAY_ONNXRUNTIME", root.string());
  CHECK(find_onnx_runtime().error().kind == ErrorKind::not_found);  // what is there is another library
  const std::string file = (package / "libonnxruntime.so.1.32.0").string();
  std::ofstream(file) << "x";
  for (const std::filesystem::path& place : {root, package, std::filesystem::path(file)}) {
    const EnvironmentVariable own("ASSAY_ONNXRUNTIME", place.string());
    const auto found = find_onnx_runtime();
    REQUIRE(found);
    CHECK(found.value() == file);
  }
  const EnvironmentVariable none("ASSAY_ONNXRUNTIME", "");
  const EnvironmentVariable environment("VIRTUAL_ENV", root.string());
  const auto found = find_onnx_runtime();
  REQUIRE(found);
  CHECK(found.value() == file);
}
