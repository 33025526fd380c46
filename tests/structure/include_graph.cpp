#include "structure/project.hpp"

using namespace assay::testing;

namespace {

/// A small tree that keeps every rule.
Tree sound() {
  return {{"core/a.hpp", "#pragma once\n#include <string>\n"},
          {"formats/b.hpp", "#pragma once\n#include \"assay/core/a.hpp\"\n"},
          {"kernels/gemm/c.hpp", "#pragma once\n#include \"assay/formats/b.hpp\"\n#include \"assay/kernels/d.hpp\"\n"},
          {"kernels/d.hpp", "#pragma once\n#if !defined(ASSAY_COMPILED)\n#include \"assay/kernels/d.ipp\"\n#endif\n"},
          {"kernels/d.ipp", "#pragma once\n#include \"assay/kernels/d.hpp\"\n#include <cmath>\n"},
          {"backends/kokkos.hpp", "#pragma once\n#include <Kokkos_Core.hpp>\n#include \"assay/core/a.hpp\"\n"}};
}
const Leaves leaves{{"backends/kokkos.*", "kokkos"}};

}  // namespace

TEST_CASE("the include graph of the project keeps to the levels") {
  REQUIRE(project_headers().size() > 20);
  check_none(level_violations(project_sources()));
}

TEST_CASE("no example of the project includes the detail of an area") {
  Tree examples;
  for (const char* extension : {".hpp", ".cpp", ".cu", ".c", ".h"})
    examples.merge(read_tree(source_directory() / "examples", extension));
  REQUIRE(examples.size() > 100);
  check_none(example_violations(examples));
}

TEST_CASE("headers of the project are included in one way") {
  check_none(include_style_violations(project_sources()));
}

TEST_CASE("no header of the project includes a leaf, and only leaves need a library") {
  REQUIRE_FALSE(project_leaves().empty());
  check_none(leaf_violations(project_sources(), project_leaves()));
}

TEST_CASE("no header of the project is longer than the limit") {
  check_none(size_violations(project_sources()));
}

TEST_CASE("numeric areas of the project stay quick to compile") {
  check_none(weight_violations(project_sources()));
}

TEST_CASE("definitions of the project stand beside the header that includes them, and nothing else does") {
  REQUIRE(project_sources().size() > project_headers().size());
  Tree others;
  for (const char* folder : {"tests", "examples", "bench"})
    for (const char* extension : {".hpp", ".cpp", ".cu"})
      for (auto& [path, text] : read_tree(source_directory() / folder, extension))
        others[std::string(folder) + "/" + path] = std::move(text);
  check_none(implementation_violations(project_sources(), others));
}

TEST_CASE("a sound tree breaks no rule") {
  CHECK(level_violations(sound()) == Violations{});
  CHECK(include_style_violations(sound()) == Violations{});
  CHECK(leaf_violations(sound(), leaves) == Violations{});
  CHECK(size_violations(sound()) == Violations{});
  CHECK(weight_violations(sound()) == Violations{});
  CHECK(implementation_violations(sound(), {{"tests/d.cpp", "#include \"assay/kernels/d.hpp\"\n"}}) == Violations{});
}

TEST_CASE("an example that includes the detail of an area is found") {
  CHECK(example_violations({{"a.cpp", "#include \"assay/kernels/d.hpp\"\n#include \"own/detail/b.hpp\"\n"}}) ==
        Violations{});
  const Tree tree{{"a.cpp", "#include \"assay/kernels/detail/d.hpp\"\n"},
                  {"tool/b.hpp", "#include <assay/core/a.hpp>\n #  include <assay/kernels/gemm/detail/e.hpp>\n"}};
  CHECK(example_violations(tree).size() == 2);
}

TEST_CASE("definitions keep to the rules of their header") {
  Tree tree = sound();
  SECTION("levels") {
    tree["formats/b.ipp"] = "#pragma once\n#include \"assay/formats/b.hpp\"\n#include \"assay/kernels/d.hpp\"\n";
    CHECK(level_violations(tree).size() == 1);
  }
  SECTION("libraries") {
    tree["kernels/d.ipp"] += "#include <Eigen/Core>\n";
    CHECK(leaf_violations(tree, leaves).size() == 1);
  }
  SECTION("libraries of a leaf") {
    tree["backends/kokkos.ipp"] = "#pragma once\n#include \"assay/backends/kokkos.hpp\"\n";
    CHECK(leaf_violations(tree, leaves) == Violations{});
  }
  SECTION("weight") {
    tree["kernels/d.ipp"] += "#include <regex>\n";
    CHECK(weight_violations(tree).size() == 1);
  }
  SECTION("length") {
    tree["kernels/d.ipp"] += std::string(longest_header, '\n');
    CHECK(size_violations(tree).size() == 1);
  }
}

TEST_CASE("definitions in the wrong place, and others who include them, are found") {
  Tree tree = sound(), others;
  std::string& header = tree["kernels/d.hpp"];
  SECTION("no header") {
    tree["kernels/e.ipp"] = "#pragma once\n";
  }
  SECTION("not included") {
    header = "#pragma once\n";
  }
  SECTION("always included") {
    header = "#pragma once\n#include \"assay/kernels/d.ipp\"\n";
  }
  SECTION("not the last include") {
    header += "#include <string>\n";
  }
  SECTION("without their header") {
    tree["kernels/d.ipp"] = "#pragma once\n#include <cmath>\n";
  }
  SECTION("included by another header") {
    tree["kernels/gemm/c.hpp"] += "#include \"assay/kernels/d.ipp\"\n";
  }
  SECTION("included by a test") {
    others["tests/d.cpp"] = "#include \"assay/kernels/d.ipp\"\n";
  }
  CHECK(implementation_violations(tree, others).size() == 1);
}

TEST_CASE("breaches of the levels are found") {
  Tree tree = sound();
  SECTION("upwards") {
    tree["core/a.hpp"] += "#include \"assay/formats/b.hpp\"\n";
  }
  SECTION("sideways") {
    tree["formats/b.hpp"] += "  #  include \"assay/backends/e.hpp\"\n";
  }
  SECTION("the detail of another area") {
    tree["kernels/d.hpp"] += "#include \"assay/core/detail/e.hpp\"\n";
  }
  SECTION("an umbrella from within") {
    tree["formats/b.hpp"] += "#include \"assay/core.hpp\"\n";
  }
  SECTION("an umbrella within the vocabulary") {
    tree["assay.hpp"] = "#pragma once\n#include \"assay/core.hpp\"\n";
  }
  SECTION("an umbrella over another area") {
    tree["core.hpp"] = "#pragma once\n#include \"assay/formats/b.hpp\"\n";
  }
  SECTION("an unknown area") {
    tree["misc/x.hpp"] = "#pragma once\n";
  }
  CHECK(level_violations(tree).size() == 1);
}

TEST_CASE("breaches of the include style are found") {
  Tree tree = sound();
  SECTION("angle brackets") {
    tree["formats/b.hpp"] += "#include <assay/core/a.hpp>\n";
  }
  SECTION("a relative path") {
    tree["formats/b.hpp"] += "#include \"../core/a.hpp\"\n";
  }
  SECTION("a header that is not there") {
    tree["formats/b.hpp"] += "#include \"assay/core/nowhere.hpp\"\n";
  }
  SECTION("no guard") {
    tree["formats/b.hpp"] = "#include \"assay/core/a.hpp\"\n";
  }
  CHECK(include_style_violations(tree).size() == 1);
}

TEST_CASE("breaches of the rule on leaves are found") {
  Tree tree = sound();
  Leaves list = leaves;
  SECTION("a leaf is included") {
    tree["kernels/d.hpp"] += "#include \"assay/backends/kokkos.hpp\"\n";
  }
  SECTION("a library outside a leaf") {
    tree["kernels/d.hpp"] += "#include <Eigen/Core>\n";
  }
  SECTION("a leaf that matches nothing") {
    list["adapters/nothing/.*"] = "nothing";
  }
  CHECK(leaf_violations(tree, list).size() == 1);
}

TEST_CASE("leaves may include leaves that need the same components or fewer, and no others") {
  const Leaves list{
      {"adapters/x/.*", "x"}, {"adapters/y/.*", "y"}, {"backends/x.hpp", "x"}, {"release/both.hpp", "y+x"}};
  Tree tree{
      {"adapters/x/a.hpp",
       "#pragma once\n#include <x.h>\n#include \"assay/adapters/x/b.hpp\"\n#include \"assay/backends/x.hpp\"\n"},
      {"adapters/x/b.hpp", "#pragma once\n"},
      {"adapters/y/c.hpp", "#pragma once\n"},
      {"backends/x.hpp", "#pragma once\n"},
      {"release/both.hpp", "#pragma once\n#include \"assay/adapters/x/b.hpp\"\n#include \"assay/adapters/y/c.hpp\"\n"}};
  REQUIRE(leaf_violations(tree, list) == Violations{});
  SECTION("another component's") {
    tree["adapters/y/c.hpp"] += "#include \"assay/adapters/x/b.hpp\"\n";
  }
  SECTION("one that needs more") {
    tree["adapters/x/a.hpp"] += "#include \"assay/release/both.hpp\"\n";
  }
  CHECK(leaf_violations(tree, list).size() == 1);
}

TEST_CASE("a header over the limit is found") {
  Tree tree = sound();
  tree["core/a.hpp"] = std::string(longest_header, '\n');
  CHECK(size_violations(tree) == Violations{});
  tree["core/a.hpp"] += '\n';
  CHECK(size_violations(tree).size() == 1);
}

TEST_CASE("a slow include in a numeric area is found") {
  Tree tree = sound();
  tree["suite/x.hpp"] = "#pragma once\n#include <regex>\n";
  tree["core/detect_environment.hpp"] = "#pragma once\n#include <filesystem>\n";
  CHECK(weight_violations(tree) == Violations{});
  SECTION("by itself") {
    tree["kernels/d.hpp"] += "#include <regex>\n";
  }
  SECTION("through the exempt header") {
    tree["kernels/d.hpp"] += "#include \"assay/core/detect_environment.hpp\"\n";
  }
  CHECK(weight_violations(tree).size() == 1);
}
