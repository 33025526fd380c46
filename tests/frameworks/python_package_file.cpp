#include "assay/frameworks/python_package_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/environment_variable.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::EnvironmentVariable;

TEST_CASE("a library of a package of Python is found by the variable and in the environment") {
  const assay::testing::TemporaryFolder folder;
  const std::filesystem::path root(folder.path);
  const std::filesystem::path package = root / "lib" / "python3.11" / "site-packages" / "engine" / "resources";
  std::filesystem::create_directories(package);
  std::ofstream(package / "engine.h") << "x";
  const PythonPackageFile file{"ASSAY_TEST_ENGINE", "libengine", "engine/resources", "pip install engine"};
  {
    const EnvironmentVariable named("ASSAY_TEST_ENGINE", root.string());
    CHECK(find_python_package_file(file).error().kind == ErrorKind::not_found);  // a header alone
  }
  const std::string library = (package / "libengine-release.so").string();
  std::ofstream(library) << "x";
  for (const std::filesystem::path& place : {root, package, std::filesystem::path(library)}) {
    const EnvironmentVariable named("ASSAY_TEST_ENGINE", place.string());
    const auto found = find_python_package_file(file);
    REQUIRE(found);
    CHECK(found.value() == library);
  }
  const EnvironmentVariable none("ASSAY_TEST_ENGINE", "");
  const EnvironmentVariable environment("VIRTUAL_ENV", root.string());
  REQUIRE(find_python_package_file(file));
  const EnvironmentVariable elsewhere("VIRTUAL_ENV", "/nowhere");
  const auto missing = find_python_package_file({"ASSAY_TEST_ENGINE", "libnone", "none", "pip install none"});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::unsupported);
  CHECK(missing.error().message == "pip install none");
}
