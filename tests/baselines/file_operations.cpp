#include "assay/baselines/file_operations.hpp"

#include <algorithm>

#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;

TEST_CASE("the operating system's files do what the store asks of them") {
  const testing::TemporaryFolder folder;
  const PosixFileOperations files;
  const std::string a = folder.at("a"), b = folder.at("b");
  int descriptor = -1;
  REQUIRE(files.create_file(a, descriptor) == 0);
  CHECK(files.write(descriptor, std::string(100'000, 'x')) == 0);
  CHECK(files.synchronize_file(descriptor) == 0);
  CHECK(files.close(descriptor) == 0);
  CHECK(files.create_file(a, descriptor) == EEXIST);
  std::string content = "before";
  CHECK(files.read(a, content) == 0);
  CHECK(content == std::string(100'000, 'x'));
  CHECK(files.link(a, b) == 0);
  CHECK(files.link(a, b) == EEXIST);
  CHECK(files.rename(a, b) == 0);  // two names of one file: nothing happens
  CHECK(files.remove(a) == 0);
  CHECK(files.remove(a) == ENOENT);
  CHECK(files.read(a, content) == ENOENT);
  CHECK(files.make_folder(a) == 0);
  CHECK(files.make_folder(a) == EEXIST);
  CHECK(files.read(a, content) == EISDIR);
  CHECK(files.synchronize_folder(a) == 0);
  CHECK(files.synchronize_folder(folder.at("absent")) == ENOENT);
  std::vector<std::string> names{"before"};
  CHECK(files.list(folder.path.string(), names) == 0);
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"a", "b"});
  CHECK(files.list(b, names) == ENOTDIR);
  CHECK(files.synchronize_file(-1) == EBADF);
}

TEST_CASE("a device that is full says so") {
  const int descriptor = ::open("/dev/full", O_WRONLY);
  if (descriptor < 0) return;
  CHECK(PosixFileOperations().write(descriptor, "x") == ENOSPC);
  ::close(descriptor);
}
