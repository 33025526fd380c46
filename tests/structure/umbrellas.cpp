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
            {"faults/f.hpp", "#pragma once\n"},
            {"faults.hpp", "#pragma once\n#include \"assay/faults/f.hpp\"\n"},
            {"core.hpp", "#pragma once\n#include \"assay/core/a.hpp\"\n"},
            {"all.hpp", "#pragma once\n#include \"assay/core.hpp\"\n"}};
  REQUIRE(umbrella_violations(tree, leaves) == Violations{});
  SECTION("forgotten header") {
    tree["core/c.hpp"] = "#pragma once\n";
  }
  SECTION("forgotten umbrella") {
    tree["all.hpp"] = "#pragma once\n";
  }
  SECTION("missing umbrella") {
    tree.erase("core.hpp");
  }
  SECTION("a leaf in it") {
    tree["core.hpp"] += "#include \"assay/core/leaf.hpp\"\n";
  }
  SECTION("faults where everything is") {
    tree["all.hpp"] += "#include \"assay/faults.hpp\"\n";
  }
  SECTION("detail in it") {
    tree["core.hpp"] += "#include \"assay/core/detail/b.hpp\"\n";
  }
  SECTION("an umbrella over nothing") {
    tree["formats.hpp"] = "#pragma once\n";
  }
  CHECK(umbrella_violations(tree, leaves).size() == 1);
}

TEST_CASE("the vocabulary of the project is quick to compile") {
  check_none(vocabulary_violations(project_sources()));
}

TEST_CASE("what makes the vocabulary slow to compile is found") {
  Tree tree{{"assay.hpp", "#pragma once\n#include \"assay/compare/a.hpp\"\n"},
            {"compare/a.hpp", "#pragma once\n#include <vector>\n#include \"assay/core/b.hpp\"\n"},
            {"core/b.hpp", "#pragma once\n#include \"assay/compare/a.hpp\"\n"},
            {"core/other.hpp", "#pragma once\n#include <chrono>\n"}};
  REQUIRE(vocabulary_violations(tree) == Violations{});
  SECTION("far below") {
    tree["core/b.hpp"] += "#include <chrono>\n";
  }
  SECTION("behind one more header") {
    tree["compare/a.hpp"] += "#include \"assay/core/other.hpp\"\n";
  }
  SECTION("no vocabulary") {
    tree.erase("assay.hpp");
  }
  CHECK(vocabulary_violations(tree).size() == 1);
}
