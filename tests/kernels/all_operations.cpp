#include "assay/kernels/all_operations.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "testing/catch.hpp"
#include "testing/source_directory.hpp"

using namespace assay;

namespace {

/// "softmax_backward" of "SoftmaxBackward".
std::string folder_of(const std::string& type) {
  std::string folder;
  for (const char letter : type) {
    const bool capital = letter >= 'A' && letter <= 'Z';
    if (capital && !folder.empty()) folder += '_';
    folder += capital ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return folder;
}

}  // namespace

TEST_CASE("an operation is on the list or not", "[kernels]") {
  STATIC_REQUIRE(AllOperations::has<Softmax>);
  STATIC_REQUIRE(AllOperations::has<Attention>);
  STATIC_REQUIRE_FALSE(AllOperations::has<int>);
  STATIC_REQUIRE_FALSE(Operations<>::has<Softmax>);
}

TEST_CASE("every folder of an operation whose formats are data is on the list, and nothing else", "[kernels]") {
  const std::filesystem::path kernels = testing::source_directory() / "include/assay/kernels";
  std::ifstream file(kernels / "all_operations.hpp");
  std::set<std::string> listed;
  for (std::string line; std::getline(file, line);)
    if (line.rfind("struct ", 0) == 0 && line.back() == ';') listed.insert(folder_of(line.substr(7, line.size() - 8)));
  std::set<std::string> there;
  for (const auto& entry : std::filesystem::directory_iterator(kernels))
    if (entry.is_directory() && entry.path().filename() != "detail") there.insert(entry.path().filename().string());
  for (const char* own_stack : {"gemm", "quantize"}) CHECK(there.erase(own_stack) == 1);  // their formats are types
  CHECK(listed == there);
}
