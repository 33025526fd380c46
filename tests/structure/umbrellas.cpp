#include "structure/project.hpp"

using namespace assay::testing;

TEST_CASE("every umbrella of the project names what it covers") {
  check_none(umbrella_violations(project_headers(), project_leaves()));
}

TEST_CASE("an umbrella that forgets or adds a header is found") {
  const Leaves leaves{{"core/leaf.hpp", "json"}};
  Tree tree{{"core/a.hpp", "#pragma once\n"},
            {"core/detail/b.hpp", "#pragma once\n"},
            {"core/leaf.hpp", "#pragma once\n"},
            {"validators/faults/f.hpp", "#pragma once\n"},
            {"faults.hpp", "#pragma once\n#include \"assay/validators/faults/f.hpp\"\n"},
            {"core.hpp", "#pragma once\n#include \"assay/core/a.hpp\"\n"},
            {"assay.hpp", "#pragma once\n#include \"assay/core.hpp\"\n"}};
  REQUIRE(umbrella_violations(tree, leaves) == Violations{});
  SECTION("forgotten header") {
    tree["core/c.hpp"] = "#pragma once\n";
  }
  SECTION("forgotten umbrella") {
    tree["assay.hpp"] = "#pragma once\n";
  }
  SECTION("missing umbrella") {
    tree.erase("core.hpp");
  }
  SECTION("a leaf in it") {
    tree["core.hpp"] += "#include \"assay/core/leaf.hpp\"\n";
  }
  SECTION("faults where everything is") {
    tree["assay.hpp"] += "#include \"assay/faults.hpp\"\n";
  }
  SECTION("detail in it") {
    tree["core.hpp"] += "#include \"assay/core/detail/b.hpp\"\n";
  }
  SECTION("an umbrella over nothing") {
    tree["formats.hpp"] = "#pragma once\n";
  }
  CHECK(umbrella_violations(tree, leaves).size() == 1);
}
