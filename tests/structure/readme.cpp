#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "testing/catch.hpp"

namespace {

const std::filesystem::path project = ASSAY_SOURCE_DIRECTORY;

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
