#include "assay/core/version.hpp"

#include <string>

#include "testing/catch.hpp"

TEST_CASE("the version's text and numbers agree", "[core]") {
  CHECK(std::string(assay::version) == std::to_string(assay::version_major) + "." +
                                           std::to_string(assay::version_minor) + "." +
                                           std::to_string(assay::version_patch));
}
