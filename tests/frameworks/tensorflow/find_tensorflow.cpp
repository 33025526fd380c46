#include "assay/frameworks/tensorflow/find_tensorflow.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/environment_variable.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::EnvironmentVariable;

TEST_CASE("TensorFlow's library is found where the variable says, and in its Python package") {
  const assay::testing::TemporaryFolder folder;
  const std::filesystem::path root(folder.path);
  const std::filesystem::path package = root / "lib" / "python3.11" / "site-packages" / "tensorflow";
  std::filesystem::create_directories(package);
  std::ofstream(package / "libtensorflow_framework.so.2") << "x";
  const EnvironmentVariable named("ASSAY_TENSORFLOW", root.string());
  CHECK(find_tensorflow().error().kind == ErrorKind::not_found);  // what is there is another of its libraries
  const std::string file = (package / "libtensorflow_cc.so.2").string();
  std::ofstream(file) << "x";
  for (const std::filesystem::path& place : {root, package, package.parent_path(), std::filesystem::path(file)}) {
    const EnvironmentVariable own("ASSAY_TENSORFLOW", place.string());
    const auto found = find_tensorflow();
    REQUIRE(found);
    CHECK(found.value() == file);
  }
  const EnvironmentVariable none("ASSAY_TENSORFLOW", "");
  const EnvironmentVariable environment("VIRTUAL_ENV", root.string());
  const auto found = find_tensorflow();
  REQUIRE(found);
  CHECK(found.value() == file);
}
