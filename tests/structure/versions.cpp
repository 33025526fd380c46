#include "assay/core/version.hpp"
#include "structure/project.hpp"

using namespace assay::testing;

namespace {

/// Names live in the inline namespace of the major version, so that two major versions can be linked into one program.
Violations namespace_violations(const Tree& headers, int major) {
  const std::string expected = "namespace assay::inline v" + std::to_string(major);
  Violations violations;
  for (const auto& [path, text] : headers) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      line.erase(0, line.find_first_not_of(' '));
      if (!line.starts_with("namespace assay")) continue;
      const std::string_view rest = std::string_view(line).substr(std::min(line.size(), expected.size()));
      if (!line.starts_with(expected) || !(rest.starts_with(" {") || rest.starts_with("::")))
        violations.push_back(path + " opens '" + line + "' instead of '" + expected + " {'");
    }
  }
  return violations;
}

}  // namespace

TEST_CASE("headers of the project are in the inline namespace of the major version") {
  check_none(namespace_violations(project_sources(), assay::version_major));
}

TEST_CASE("other namespaces are found") {
  CHECK(namespace_violations({{"core/a.hpp", "namespace assay::inline v1 {}\nnamespace assay::inline v1::detail {}\n"}},
                             1)
            .empty());
  CHECK(namespace_violations({{"core/a.hpp", "#pragma once\n"}}, 1).empty());
  for (const char* opening : {"namespace assay {", "namespace assay::v1 {", "namespace assay::inline v10 {",
                              "namespace assay::inline v0 {", "  namespace assay::detail {", "namespace assay"})
    CHECK(namespace_violations({{"core/a.hpp", opening}}, 1).size() == 1);
}
