#include "assay/release/read_evidence.hpp"

#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

using namespace assay;
using namespace assay::testing;

TEST_CASE("evidence is read in the form that its content tells") {
  const auto data = source_directory() / "tests" / "report" / "data";
  for (const auto& [name, outcomes] : {std::pair{"pytest.xml", std::size_t{4}}, {"ctest.xml", 3}, {"ocp.jsonl", 3}}) {
    const auto run = read_evidence(data / name);
    INFO(name << (run ? std::string() : ": " + run.error().message));
    REQUIRE(run);
    CHECK(run.value().outcomes.size() == outcomes);
  }
  CHECK_THAT(read_evidence(data / "absent.xml").error().message, contains("absent.xml"));
  CHECK_THAT(read_evidence(source_directory() / "README.md").error().message, contains("README.md"));
}
