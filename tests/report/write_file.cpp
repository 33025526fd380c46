#include "assay/report/write_file.hpp"

#include <csignal>
#include <fstream>
#include <iterator>
#include <system_error>

#include "testing/catch.hpp"

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

using namespace assay;
using assay::testing::contains;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for every test, gone afterwards.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("assay-write-file-" + std::to_string(std::random_device()()));
  Folder() { fs::create_directories(path); }
  ~Folder() {
    std::error_code code;
    fs::remove_all(path, code);
  }
  [[nodiscard]] std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(path), fs::directory_iterator());
  }
};

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("a file is written, replaced, and nothing else is left in its folder") {
  const Folder folder;
  const fs::path path = folder.path / "a report.json";
  const std::string binary("one\0two\r\n", 9);
  REQUIRE(write_file(path, binary));
  CHECK(content_of(path) == binary);
  REQUIRE(write_file(path, "second"));
  CHECK(content_of(path) == "second");
  REQUIRE(write_file(path, ""));
  CHECK(content_of(path).empty());
  CHECK(folder.files() == 1);
}

TEST_CASE("a replaced file keeps its permissions, and a link leads to its target") {
  const Folder folder;
  const fs::path path = folder.path / "real";
  REQUIRE(write_file(path, "1"));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", folder.path / "link");
  REQUIRE(write_file(folder.path / "link", "2"));
  CHECK(fs::is_symlink(folder.path / "link"));
  CHECK(content_of(path) == "2");
  CHECK(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("what cannot be written is refused, with the reason") {
  const Folder folder;
  const Result<void> absent = write_file(folder.path / "absent" / "x", "1");
  REQUIRE_FALSE(absent);
  CHECK(absent.error().kind == ErrorKind::io);
  CHECK_THAT(absent.error().message, contains("absent' does not exist; create it first"));
  CHECK_THAT(write_file(folder.path, "1").error().message, contains("it is a folder"));
  CHECK_THAT(write_file("", "1").error().message, contains("the path is empty"));
  CHECK(folder.files() == 0);
}

#if __has_include(<sys/resource.h>)
TEST_CASE("a medium that fills up costs neither the old file nor a byte of rubbish") {
  const Folder folder;
  const fs::path path = folder.path / "report";
  REQUIRE(write_file(path, "the old one"));

  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 4096;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const Result<void> written = write_file(path, std::string(100'000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);

  REQUIRE_FALSE(written);
  CHECK_THAT(written.error().message, contains("100000 bytes"));
  CHECK(content_of(path) == "the old one");
  CHECK(folder.files() == 1);
}
#endif

TEST_CASE("a device is written in place and reports that it is full") {
  if (!fs::exists("/dev/full")) return;
  const Result<void> written = write_file("/dev/full", std::string(100'000, 'x'));
  REQUIRE_FALSE(written);
  CHECK_THAT(written.error().message, contains("No space left"));
  CHECK(fs::is_character_file("/dev/full"));
  CHECK(write_file("/dev/null", "gone"));
}
