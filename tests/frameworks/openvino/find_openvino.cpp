#include "assay/frameworks/openvino/find_openvino.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/environment_variable.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::EnvironmentVariable;

TEST_CASE("OpenVINO's C interface is found where the variable says, and in its Python package") {
  const assay::testing::TemporaryFolder folder;
  const std::filesystem::path root(folder.path);
  const std::filesystem::path package = root / "lib" / "python3.11" / "site-packages" / "openvino" / "libs";
  std::filesystem::create_directories(package);
  std::ofstream(package / "libopenvino.so.2641") << "x";
  const EnvironmentVariable named("ASSAY_OPENVINO", root.string());
  CHECK(find_openvino().error().kind == ErrorKind::not_found);  // what is there is the interface of C++
  const std::string file = (package / "libopenvino_c.so.2641").string();
  std::ofstream(file) << "x";
  for (const std::filesystem::path& place : {root, package, package.parent_path(), std::filesystem::path(file)}) {
    const EnvironmentVariable own("ASSAY_OPENVINO", place.string());
    const auto found = find_openvino();
    REQUIRE(found);
    CHECK(found.value() == file);
  }
  const EnvironmentVariable none("ASSAY_OPENVINO", "");
  const EnvironmentVariable environment("VIRTUAL_ENV", root.string());
  const auto found = find_openvino();
  REQUIRE(found);
  CHECK(found.value() == file);
}
