#include "assay/hardware/hwloc_topology.hpp"

#include <filesystem>
#include <fstream>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("hwloc and Linux tell the same of this machine") {
  const auto hwloc = hwloc_topology();
  REQUIRE(hwloc);
  CHECK(hwloc.value().source.rfind("hwloc ", 0) == 0);
  const auto sysfs = read_processor_topology();
  if (!sysfs) return;
  CHECK(hwloc.value().numbers(false) == sysfs.value().numbers(false));
  CHECK(hwloc.value().numbers() == sysfs.value().numbers());
  for (std::size_t i = 0; i < sysfs.value().processors.size(); ++i) {
    CHECK(hwloc.value().processors[i].core == sysfs.value().processors[i].core);
    CHECK(hwloc.value().processors[i].package == sysfs.value().processors[i].package);
  }
}

TEST_CASE("what is no topology is refused") {
  CHECK(!hwloc_topology("/nonexistent.xml"));
  const auto path = std::filesystem::temp_directory_path() / "assay_no_topology.xml";
  std::ofstream(path) << "<hello/>";
  CHECK(!hwloc_topology(path.string()));
  std::filesystem::remove(path);
}
