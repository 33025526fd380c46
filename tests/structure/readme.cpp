#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

namespace {

const std::filesystem::path project = assay::testing::source_directory();

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

TEST_CASE("the first page shows the example that the tests run, in at most 60 lines") {
  const std::string page = text_of(project / "README.md"), fence = "```cpp\n";
  const std::size_t begin = page.find(fence);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = page.find("```\n", begin + fence.size());
  REQUIRE(end != std::string::npos);
  const std::string shown = page.substr(begin + fence.size(), end - begin - fence.size());
  CHECK(shown == text_of(project / "examples" / "custom_backend" / "main.cpp"));
  CHECK(std::count(shown.begin(), shown.end(), '\n') <= 60);
}

TEST_CASE("every link of every page leads to something") {
  const std::regex link(R"(\]\(([^)#:\s]+)(#[^)]*)?\))");
  std::size_t links = 0;
  for (const auto& folder : {"include", "examples", "bench", "."}) {
    const auto check = [&](const std::filesystem::path& page) {
      const std::string text = text_of(page);
      for (std::sregex_iterator found(text.begin(), text.end(), link), none; found != none; ++found, ++links) {
        INFO(page.string() << " links to " << (*found)[1].str());
        CHECK(std::filesystem::exists(page.parent_path() / (*found)[1].str()));
      }
    };
    if (std::string(folder) == ".") {
      for (const auto& entry : std::filesystem::directory_iterator(project))
        if (entry.path().extension() == ".md") check(entry.path());
    } else {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(project / folder))
        if (entry.path().extension() == ".md") check(entry.path());
    }
  }
  CHECK(links > 10);
}

TEST_CASE(
    "the table of device paths is true: its units and operations are those of the tests, and what is said to be linked "
    "is") {
  const std::filesystem::path folder = project / "tests" / "devices";
  const std::string page = text_of(folder / "README.md"), build = text_of(folder / "CMakeLists.txt");
  const std::regex operation("TEST_CASE\\(\"([a-z ]+) is checked on a device\"");
  std::size_t units = 0, operations = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".cu") continue;
    ++units;
    const std::string unit = entry.path().stem().string();
    INFO(unit);
    const std::size_t begin = page.find("\n| " + unit + " |");
    REQUIRE(begin != std::string::npos);
    const std::string row = page.substr(begin, page.find('\n', begin + 1) - begin), text = text_of(entry.path());
    CHECK(std::regex_search(
        build, std::regex(unit == "operations" ? "/operations\\.cu" : "set\\(units[^)]* " + unit + "[ )]")));
    const bool linked = unit == "backend" || unit == "gemm";
    CHECK(row.find(linked ? "| linked | linked |" : "| linked | looked at |") != std::string::npos);
    for (std::sregex_iterator found(text.begin(), text.end(), operation), none; found != none; ++found, ++operations) {
      INFO((*found)[1].str());
      CHECK(row.find((*found)[1].str()) != std::string::npos);
    }
  }
  CHECK(std::count(page.begin(), page.end(), '\n') > 10);
  CHECK(units == 8);
  CHECK(operations == 2);  // of a stack of their own: quantize, dequantize
  CHECK(build.find("INCLUDE REGEX \"/(backend|gemm)\\\\.cu$\"") != std::string::npos);
}
