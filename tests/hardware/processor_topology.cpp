#include "assay/hardware/processor_topology.hpp"

#include <filesystem>
#include <fstream>

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("lists of processors as Linux writes them") {
  CHECK(parse_processor_list("0-3,8,10-11\n").value() == std::vector<int>{0, 1, 2, 3, 8, 10, 11});
  CHECK(parse_processor_list("").value().empty());
  for (const char* text : {"a", "3-1", "1,", ",1", "-1", "1-", "0-99999999999", "1;2"})
    CHECK(!parse_processor_list(text));
}

TEST_CASE("a tree of two packages with two nodes is read as it stands") {
  const std::filesystem::path root = std::filesystem::temp_directory_path() / "assay_processor_topology";
  std::filesystem::remove_all(root);
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text << '\n';
  };
  CHECK(read_processor_topology(root).error().kind == ErrorKind::unsupported);
  write("cpu/online", "0-1,1048576");
  write("cpu/cpu0/topology/core_id", "0");
  write("cpu/cpu0/topology/physical_package_id", "0");
  write("cpu/cpu1/topology/core_id", "5");
  write("cpu/cpu1/topology/physical_package_id", "1");
  write("node/node0/cpulist", "0");
  write("node/node1/cpulist", "1");
  for (const char* cpu : {"0", "1"}) {
    write(std::string("cpu/cpu") + cpu + "/cache/index0/level", "1");
    write(std::string("cpu/cpu") + cpu + "/cache/index0/size", "32K");
    write(std::string("cpu/cpu") + cpu + "/cache/index0/shared_cpu_list", cpu);
    write(std::string("cpu/cpu") + cpu + "/cache/index3/level", "3");
    write(std::string("cpu/cpu") + cpu + "/cache/index3/size", "16M");
    write(std::string("cpu/cpu") + cpu + "/cache/index3/shared_cpu_list", cpu);
  }
  const ProcessorTopology topology = read_processor_topology(root).value();
  REQUIRE(topology.processors.size() == 3);
  CHECK(topology.processors[1].core == 5);
  CHECK(topology.processors[1].package == 1);
  CHECK(topology.processors[1].numa_node == 1);
  CHECK(topology.processors[2].core == -1);
  CHECK(!topology.processors[2].allowed);
  CHECK(topology.numa_nodes() == std::vector<int>{-1, 0, 1});
  CHECK(topology.last_level_cache_bytes == std::size_t{32} << 20);
  CHECK(topology.describe(1) == "processor 1 (package 1, core 5, NUMA node 1)");
  CHECK(topology.describe(7) == "processor 7");
  CHECK(topology.numbers(false).size() == 3);
  write("cpu/online", "rubbish");
  CHECK(!read_processor_topology(root));
  std::filesystem::remove_all(root);
}

TEST_CASE("this process may run somewhere, and those are processors of the machine") {
  const auto allowed = allowed_processors();
#if defined(__linux__)
  CHECK(!allowed.empty());
  const auto topology = read_processor_topology();
  if (topology) CHECK(topology.value().numbers() == allowed);
#endif
}
