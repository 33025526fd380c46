#include "assay/report/read_file.hpp"

#include <cstddef>
#include <fstream>
#include <string>
#include <thread>

#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

#if __has_include(<sys/stat.h>)
#include <sys/stat.h>
#include <unistd.h>
#endif

using namespace assay;
using assay::testing::contains;
using assay::testing::TemporaryFolder;
namespace fs = std::filesystem;

namespace {
void write(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}
}  // namespace

TEST_CASE("a file is read whole, whatever its bytes and its size") {
  const TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, (std::size_t{1} << 16) - 1, std::size_t{1} << 16,
                                 (std::size_t{1} << 16) + 1, std::size_t{5000000}}) {
    std::string content(size, '\0');
    for (std::size_t i = 0; i < size; ++i) content[i] = static_cast<char>(i * 7 + (i >> 8));  // zeros, line ends, 0x1A
    write(folder.at("file"), content);
    const Result<std::string> read = read_file(folder.at("file"));
    INFO(size);
    REQUIRE(read);
    CHECK((read.value() == content));
  }
  fs::create_symlink("file", folder.at("link"));
  CHECK(read_file(folder.at("link")).value().size() == 5000000);
}

TEST_CASE("what cannot be read is refused, with what to do") {
  const TemporaryFolder folder;
  write(folder.at("file"), "1");
  for (const std::string& absent : {folder.at("absent"), folder.at("absent/absent"), folder.at("file/absent")}) {
    const Result<std::string> read = read_file(absent, "a run");
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::not_found);
    CHECK(read.error().message == "cannot read '" + absent + "': there is no such file; name a run");
  }
  fs::create_symlink("absent", folder.at("dangling"));
  CHECK(read_file(folder.at("dangling")).error().kind == ErrorKind::not_found);
  CHECK_THAT(read_file(folder.at("absent")).error().message, contains("name a file that exists"));

  const Result<std::string> directory = read_file(folder.path, "a run");
  REQUIRE_FALSE(directory);
  CHECK(directory.error().kind == ErrorKind::io);
  CHECK(directory.error().message == "cannot read '" + folder.path.string() + "': it is a folder; name a run");
  CHECK(read_file("", "a run").error().message == "cannot read '': the path is empty; name a run");
  CHECK(read_file(folder.at(std::string(5000, 'x'))).error().kind == ErrorKind::io);  // longer than any name
}

#if __has_include(<sys/stat.h>)
TEST_CASE("a file that one may not read is no empty file") {
  if (::geteuid() == 0) return;  // who may read everything
  const TemporaryFolder folder;
  write(folder.at("file"), "1");
  fs::permissions(folder.at("file"), fs::perms::none);
  const Result<std::string> read = read_file(folder.at("file"));
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::io);
  CHECK_THAT(read.error().message, contains("check its permissions"));
}

TEST_CASE("a pipe is read to its end") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.at("pipe").c_str(), 0600) == 0);
  const std::string content(300000, 'x');
  std::thread writer([&] { write(folder.at("pipe"), content); });
  const Result<std::string> read = read_file(folder.at("pipe"));
  writer.join();
  REQUIRE(read);
  CHECK((read.value() == content));
}
#endif

TEST_CASE("part of a file is not taken for the whole") {
  if (fs::exists("/proc/self/mem")) {  // its first page cannot be read
    const Result<std::string> read = read_file("/proc/self/mem");
    REQUIRE_FALSE(read);
    CHECK(read.error().kind == ErrorKind::io);
    CHECK_THAT(read.error().message, contains("reading failed after 0 bytes"));
  }
  const fs::path shorter = "/sys/kernel/mm/transparent_hugepage/enabled";  // claims a page, and ends before
  std::error_code code;
  if (fs::exists(shorter, code) && fs::file_size(shorter, code) == 4096)
    CHECK_THAT(read_file(shorter).error().message, contains("of 4096 bytes"));
}

TEST_CASE("a file whose size is not known beforehand is read all the same") {
  if (!fs::exists("/proc/self/status")) return;
  CHECK_THAT(read_file("/proc/self/status").value(), contains("Pid:"));
}
