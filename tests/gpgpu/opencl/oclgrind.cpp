#include "assay/gpgpu/opencl/oclgrind.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/environment_variable.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::EnvironmentVariable;

TEST_CASE("Oclgrind is found where the variable says, and otherwise it is told what to install") {
  const assay::testing::TemporaryFolder folder;
  const std::filesystem::path library = std::filesystem::path(folder.path) / "liboclgrind-rt.so";
  const EnvironmentVariable named("ASSAY_OCLGRIND", std::filesystem::path(folder.path).string());
  CHECK(oclgrind_is_wanted());
  const auto missing = find_oclgrind();
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::unsupported);
  CHECK(missing.error().message.find("apt-get install oclgrind") != std::string::npos);
  std::ofstream(library) << "x";
  REQUIRE(find_oclgrind());
  CHECK(find_oclgrind().value() == library.string());
  const EnvironmentVariable none("ASSAY_OCLGRIND", "");
  CHECK_FALSE(oclgrind_is_wanted());
}

TEST_CASE("findings of Oclgrind become a line with the places") {
  CHECK(detail::oclgrind_findings("", "k.cl", "f"));
  CHECK(detail::oclgrind_findings("\n\n", "k.cl", "f"));
  const std::string race =
      "\nRead-write data race at local memory address 0x4\n\tKernel: f\n\t\n\tFirst entity:  Global(1,0,0)\n"
      "\t  store float %1\n\tAt line 4 (column 15) of input.cl:\n\t  partial[id] = x[id];\n\t\n"
      "\tSecond entity: Global(0,0,0)\n\tAt line 5 (column 64) of input.cl:\n\t  y[0] = partial[id];\n\t\n";
  CHECK(detail::oclgrind_findings(race, "k.cl", "f").error().message ==
        "Oclgrind in f: Read-write data race at local memory address 0x4, k.cl:4:15 and k.cl:5:64");
  const std::string write =
      "\nInvalid write of size 4 at global memory address 0x20\n\tKernel: f\n\tAt line 7 (column 21) of "
      "input.cl:\n\t\n";
  const auto both = detail::oclgrind_findings(write + race, "k.cl", "f");
  REQUIRE_FALSE(both);
  CHECK(both.error().kind == ErrorKind::device);
  CHECK(both.error().message ==
        "Oclgrind in f: Invalid write of size 4 at global memory address 0x20, k.cl:7:21; 2 findings in all");
}

TEST_CASE("a log is read on from where it was left") {
  const assay::testing::TemporaryFolder folder;
  const EnvironmentVariable there("TMPDIR", std::filesystem::path(folder.path).string());
  const EnvironmentVariable path("OCLGRIND_LOG", ""), races("OCLGRIND_DATA_RACES", ""), most("OCLGRIND_MAX_ERRORS", "");
  OclgrindLog none;
  CHECK(none.check("k.cl", "f"));
  OclgrindLog log = OclgrindLog::prepare();
  CHECK_FALSE(log.open());  // nobody writes it
  std::ofstream written(std::getenv("OCLGRIND_LOG"));
  REQUIRE(log.open());
  CHECK(std::filesystem::is_empty(folder.path));
  CHECK(log.check("k.cl", "f"));
  written << "\nInvalid read of size 4\n\tKernel: f\n" << std::flush;
  CHECK_FALSE(log.check("k.cl", "f"));
  CHECK(log.check("k.cl", "f"));
  written << "\nInvalid write of size 4\n\tKernel: f\n" << std::flush;
  CHECK(log.check("k.cl", "f").error().message.find("Invalid write") != std::string::npos);
}
