#include "assay/frameworks/torch/find_torch.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/environment_variable.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::EnvironmentVariable;

TEST_CASE("PyTorch's library is found where the variable says, and in its Python package") {
  const assay::testing::TemporaryFolder folder;
  const std::filesystem::path root(folder.path);
  const std::filesystem::path package = root / "lib" / "python3.11" / "site-packages" / "torch" / "lib";
  std::filesystem::create_directories(package);
  std::ofstream(package / "libtorch_python.so") << "x";
  const EnvironmentVariable named("ASSAY_TORCH", root.string());
  CHECK(find_torch().error().kind == ErrorKind::not_found);  // what is there is another of its libraries
  const std::string file = (package / "libtorch_cpu.so").string();
  std::ofstream(file) << "x";
  for (const std::filesystem::path& place : {root, package, package.parent_path(), std::filesystem::path(file)}) {
    const EnvironmentVariable own("ASSAY_TORCH", place.string());
    const auto found = find_torch();
    REQUIRE(found);
    CHECK(found.value() == file);
  }
  const EnvironmentVariable none("ASSAY_TORCH", "");
  const EnvironmentVariable environment("VIRTUAL_ENV", root.string());
  const auto found = find_torch();
  REQUIRE(found);
  CHECK(found.value() == file);
}
