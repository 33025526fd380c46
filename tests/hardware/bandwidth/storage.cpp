#include "assay/hardware/bandwidth/storage.hpp"

#include <fstream>

#include "testing/catch.hpp"

using namespace assay;

namespace {

StorageOptions small_file() {
  StorageOptions options;
  options.folder = std::filesystem::temp_directory_path() / "assay_storage_test";
  std::filesystem::create_directories(options.folder);
  options.bytes = 2 << 20;
  options.random_reads = 20;
  return options;
}

}  // namespace

TEST_CASE("what is written is read back, and the file is gone afterwards") {
  const StorageOptions options = small_file();
  const auto outcomes = check_storage(options);
  REQUIRE(outcomes.size() >= 4);
  for (const Outcome& outcome : outcomes) {
    CAPTURE(outcome.id, outcome.reason);
    CHECK((outcome.verdict == Verdict::pass || outcome.verdict == Verdict::unsupported));
    if (outcome.verdict == Verdict::pass) CHECK(*outcome.measurement("rate") > 0);
  }
  CHECK(std::filesystem::is_empty(options.folder));
}

TEST_CASE("one wrong byte is found with its place, wherever it lies in a word") {
  for (const std::size_t place : {0u, 12345u, (2u << 20) - 1}) {
    StorageOptions options = small_file();
    options.after_write = [&](const std::filesystem::path& path) {
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      file.seekg(static_cast<std::streamoff>(place));
      const int byte = file.get();
      file.seekp(static_cast<std::streamoff>(place));
      file.put(static_cast<char>(byte ^ 16));
    };
    const auto outcomes = check_storage(options);
    REQUIRE(outcomes.size() > 1);
    CHECK(outcomes[1].verdict == Verdict::fail);
    CHECK(outcomes[1].reason.find("byte " + std::to_string(place) + " of the file") != std::string::npos);
  }
}

TEST_CASE("a shortened file, an absent folder and a full medium are errors") {
  StorageOptions options = small_file();
  options.after_write = [](const std::filesystem::path& path) { std::filesystem::resize_file(path, 1000); };
  CHECK(check_storage(options)[1].verdict == Verdict::error);
  options.folder = "/nonexistent/folder";
  for (const Outcome& outcome : check_storage(options)) CHECK(outcome.verdict == Verdict::error);
}
