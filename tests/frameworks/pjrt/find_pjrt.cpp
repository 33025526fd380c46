#include "assay/frameworks/pjrt/find_pjrt.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/environment_variable.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::EnvironmentVariable;

TEST_CASE("a plugin is found where the variable says, and in packages of a Python environment") {
  const assay::testing::TemporaryFolder folder;
  const std::filesystem::path root(folder.path);
  const std::filesystem::path packages = root / "lib" / "python3.11" / "site-packages";
  const std::filesystem::path package = packages / "xla_plugins" / "xla_cpu_pjrt";
  std::filesystem::create_directories(package);
  std::filesystem::create_directories(packages / "libtpu");
  std::ofstream(packages / "libtpu" / "libtpu.so") << "x";
  const EnvironmentVariable named("ASSAY_PJRT", root.string());
  CHECK(find_pjrt().error().kind == ErrorKind::not_found);  // libtpu is not taken by itself
  const std::string file = (package / "xla_cpu_pjrt.so").string();
  std::ofstream(file) << "x";
  for (const std::filesystem::path& place : {root, package, std::filesystem::path(file)}) {
    const EnvironmentVariable own("ASSAY_PJRT", place.string());
    const auto found = find_pjrt();
    REQUIRE(found);
    CHECK(found.value() == file);
  }
  const EnvironmentVariable none("ASSAY_PJRT", "");
  const EnvironmentVariable environment("VIRTUAL_ENV", root.string());
  const auto found = find_pjrt();
  REQUIRE(found);
  CHECK(found.value() == file);
}
