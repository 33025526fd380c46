#pragma once

#include <sstream>

#include "structure/architecture.hpp"
#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

namespace assay::testing {

inline const Tree& project_headers() {
  static const Tree tree = read_tree(source_directory() / "include" / "assay", ".hpp");
  return tree;
}

/// The headers, and the definitions beside them.
inline const Tree& project_sources() {
  static const Tree tree = [] {
    Tree both = read_tree(source_directory() / "include" / "assay", ".ipp");
    both.insert(project_headers().begin(), project_headers().end());
    return both;
  }();
  return tree;
}

inline const Tree& project_tests() {
  static const Tree tree = read_tree(source_directory() / "tests", ".cpp");
  return tree;
}

/// ASSAY_LEAVES of cmake/components.cmake, as <pattern>=<component>.
inline Leaves project_leaves() {
  std::istringstream list(ASSAY_LEAVES);
  Leaves leaves;
  for (std::string entry; list >> entry;) leaves[entry.substr(0, entry.find('='))] = entry.substr(entry.find('=') + 1);
  return leaves;
}

/// Fails with each violation by itself.
inline void check_none(const Violations& violations) {
  for (const std::string& violation : violations) FAIL_CHECK(violation);
  SUCCEED("no violation is left unsaid");
}

}  // namespace assay::testing
