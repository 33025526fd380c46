#include "assay/baselines/directory_store.hpp"

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "testing/store_kill_test.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::contains;
using assay::testing::TemporaryFolder;

namespace {

DirectoryStore opened(const std::string& folder) {
  auto store = DirectoryStore::open(folder, StoreAccess::create);
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(store).value();
}

/// Fails one operation, by name, with a cause; all others are the system's.
struct FailingFiles : PosixFileOperations {
  std::string failing;
  int cause = 0;
  [[nodiscard]] bool fails(const char* name) const { return failing == name; }
  [[nodiscard]] int create_file(const std::string& path, int& descriptor) const {
    return fails("create_file") ? cause : PosixFileOperations::create_file(path, descriptor);
  }
  [[nodiscard]] int write(int descriptor, std::string_view bytes) const {
    if (!fails("write")) return PosixFileOperations::write(descriptor, bytes);
    static_cast<void>(PosixFileOperations::write(descriptor, bytes.substr(0, bytes.size() / 2)));
    return cause;
  }
  [[nodiscard]] int synchronize_file(int descriptor) const {
    return fails("synchronize_file") ? cause : PosixFileOperations::synchronize_file(descriptor);
  }
  [[nodiscard]] int link(const std::string& file, const std::string& name) const {
    return fails("link") ? cause : PosixFileOperations::link(file, name);
  }
  [[nodiscard]] int rename(const std::string& file, const std::string& name) const {
    return fails("rename") ? cause : PosixFileOperations::rename(file, name);
  }
  [[nodiscard]] int remove(const std::string& file) const {
    return fails("remove") ? cause : PosixFileOperations::remove(file);
  }
  [[nodiscard]] int make_folder(const std::string& path) const {
    return fails("make_folder") ? cause : PosixFileOperations::make_folder(path);
  }
  [[nodiscard]] int synchronize_folder(const std::string& path) const {
    return fails("synchronize_folder") ? cause : PosixFileOperations::synchronize_folder(path);
  }
  [[nodiscard]] int read(const std::string& path, std::string& content) const {
    return fails("read") ? cause : PosixFileOperations::read(path, content);
  }
  [[nodiscard]] int list(const std::string& path, std::vector<std::string>& names) const {
    return fails("list") ? cause : PosixFileOperations::list(path, names);
  }
};

std::size_t files_in(const std::filesystem::path& folder) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    files += entry.is_regular_file() ? 1 : 0;
  return files;
}

/// What `work` returns in a process of its own, which may change what the system lets it do.
template <class Work>
int in_another_process(const Work& work) {
  const pid_t process = ::fork();
  if (process == 0) {
    int result = 250;
    try {
      result = work();
    } catch (...) {
    }
    ::_exit(result);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 251;
}

bool says(const Result<bool>& result, const char* part) {
  return !result && result.error().message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the directory store is a store") {
  const TemporaryFolder folder;
  testing::check_store([&] { return opened(folder.at("store")); });
  CHECK(files_in(folder.path) == 1);  // the marker: no temporary file is left
}

TEST_CASE("records lie where people find them, by the first two characters of the key") {
  const TemporaryFolder folder;
  DirectoryStore store = opened(folder.at("store/"));
  REQUIRE(store.save("abcdef", "text", SaveMode::create));
  std::ifstream file(folder.at("store/ab/abcdef.baseline"));
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == "text");
  std::ofstream(folder.at("store/ab/README")) << "not a record";
  std::ofstream(folder.at("store/x")) << "not a folder";
  std::filesystem::copy_file(folder.at("store/ab/abcdef.baseline"),
                             folder.at("store/ab/zzz.baseline"));  // where no lookup finds it
  CHECK(store.list().value() == std::vector<std::string>{"abcdef"});
}

TEST_CASE("a folder that is no store is refused, not taken for an empty one") {
  const TemporaryFolder folder;
  const auto absent = DirectoryStore::open(folder.at("absent"), StoreAccess::existing);
  REQUIRE_FALSE(absent);
  CHECK(absent.error().kind == ErrorKind::not_found);
  CHECK_THAT(absent.error().message, contains("absent' is no baseline store"));
  CHECK_FALSE(std::filesystem::exists(folder.at("absent")));
  CHECK_THAT(DirectoryStore::open(folder.at("a/b"), StoreAccess::create).error().message,
             contains("whose parent must be there"));
  CHECK(DirectoryStore::open("", StoreAccess::create).error().kind == ErrorKind::invalid);

  std::filesystem::create_directory(folder.at("other"));
  std::ofstream(folder.at("other/thesis.tex")) << "x";
  const auto other = DirectoryStore::open(folder.at("other"), StoreAccess::create);
  REQUIRE_FALSE(other);
  CHECK(other.error().kind == ErrorKind::invalid);
  CHECK_THAT(other.error().message, contains("holds other things ('thesis.tex')"));
  CHECK(files_in(folder.at("other")) == 1);
  CHECK_THAT(DirectoryStore::open(folder.at("other/thesis.tex"), StoreAccess::create).error().message,
             contains("Not a directory"));

  std::ofstream(folder.at("other/assay-baselines")) << "assay baseline store, layout 2\nnew\n";
  const auto newer = DirectoryStore::open(folder.at("other"), StoreAccess::existing);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().kind == ErrorKind::unsupported);
  CHECK_THAT(newer.error().message, contains("layout 2"));
  std::ofstream(folder.at("other/assay-baselines")) << "assay bas";
  CHECK(DirectoryStore::open(folder.at("other"), StoreAccess::create).error().kind == ErrorKind::malformed);
}

TEST_CASE("a store whose file system is gone has failed, and has no records that are absent") {
  const TemporaryFolder folder;
  DirectoryStore store = opened(folder.at("store"));
  REQUIRE(store.save("k1", "one", SaveMode::create));
  std::filesystem::rename(folder.at("store"), folder.at("unmounted"));
  std::filesystem::create_directory(folder.at("store"));
  CHECK_FALSE(store.load("k1"));
  CHECK_THAT(store.load("k1").error().message, contains("is its file system mounted?"));
  CHECK_FALSE(store.list());
  CHECK_FALSE(store.erase("k1"));
  CHECK_FALSE(store.save("k1", "two", SaveMode::create));
  CHECK_FALSE(store.save("z9", "two", SaveMode::create));
  CHECK(files_in(folder.at("store")) == 0);
}

TEST_CASE("whatever the system refuses is told, and the old record is unharmed") {
  const TemporaryFolder folder;
  REQUIRE(opened(folder.at("store")).save("k1", "old", SaveMode::create));
  for (const SaveMode mode : {SaveMode::create, SaveMode::replace})
    for (const std::string key : {"k1", "n2"})
      for (const char* operation :
           {"create_file", "write", "synchronize_file", "link", "rename", "make_folder", "synchronize_folder"}) {
        if ((mode == SaveMode::create && std::string(operation) == "rename") ||
            (mode == SaveMode::replace && std::string(operation) == "link"))
          continue;
        INFO(operation << " fails, key " << key);
        FailingFiles files;
        files.failing = operation;
        files.cause = ENOSPC;
        auto store = BasicDirectoryStore<FailingFiles>::open(folder.at("store"), StoreAccess::existing, files);
        REQUIRE(store);
        const Result<bool> saved = store.value().save(key, "new", mode);
        REQUIRE_FALSE(saved);
        CHECK(saved.error().kind == ErrorKind::io);
        CHECK_THAT(saved.error().message, contains("'" + key + "'") && contains("No space left on device; make room"));
        CHECK(opened(folder.at("store")).load("k1").value() == "old");
        CHECK_FALSE(opened(folder.at("store")).load("n2").value().has_value());
        CHECK(files_in(folder.path) == 2);
      }
  FailingFiles unreadable;
  auto store = BasicDirectoryStore<FailingFiles>::open(folder.at("store"), StoreAccess::existing, unreadable);
  REQUIRE(store);
  for (const char* operation : {"read", "list", "remove"}) {
    FailingFiles files;
    files.failing = operation;
    files.cause = EIO;
    auto failing = BasicDirectoryStore<FailingFiles>::open(folder.at("store"), StoreAccess::existing, files);
    if (std::string(operation) == "read") CHECK_FALSE(failing);
    if (std::string(operation) == "list")
      CHECK_THAT(failing.value().list().error().message, contains("Input/output error"));
    if (std::string(operation) == "remove")
      CHECK_THAT(failing.value().erase("k1").error().message, contains("cannot erase the record 'k1'"));
  }
}

TEST_CASE("a file system without room, and one that may only be read") {
  const TemporaryFolder folder;
  const std::string place = folder.at("small");
  std::filesystem::create_directory(place);
  constexpr int not_allowed = 77;
  const int result = in_another_process([&] {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      return not_allowed;
    if (::mount("none", place.c_str(), "tmpfs", 0, "size=256k") != 0) return not_allowed;
    DirectoryStore small = opened(place);
    if (!small.save("k1", "old", SaveMode::create)) return 1;
    if (!says(small.save("k1", testing::bytes_of(1'000'000, 1), SaveMode::replace),
              "No space left on device; make room"))
      return 2;
    if (small.load("k1").value() != "old") return 3;
    if (::mount("none", place.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0) return 4;
    if (!says(small.save("k1", "new", SaveMode::replace), "Read-only file system; check the permissions")) return 5;
    if (!says(small.erase("k1"), "Read-only file system")) return 6;
    if (small.load("k1").value() != "old") return 7;
    if (opened(place).list().value().size() != 1) return 8;
    return 0;
  });
  if (result == not_allowed)
    WARN("not tested: this user may not mount file systems");
  else
    CHECK(result == 0);
}

TEST_CASE("a folder that may only be read") {
  const TemporaryFolder folder;
  REQUIRE(opened(folder.at("store")).save("k1", "old", SaveMode::create));
  for (const std::filesystem::path& path :
       {folder.path, std::filesystem::path(folder.at("store")), std::filesystem::path(folder.at("store/k1"))})
    std::filesystem::permissions(path, std::filesystem::perms(0555));
  const int result = in_another_process([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return 9;
    DirectoryStore store = opened(folder.at("store"));
    if (!says(store.save("k1", "new", SaveMode::replace), "Permission denied; check the permissions")) return 1;
    if (!says(store.save("n2", "new", SaveMode::create), "Permission denied; check the permissions")) return 2;
    if (!says(store.erase("k1"), "Permission denied")) return 3;
    return store.load("k1").value() == "old" && store.list().value().size() == 1 ? 0 : 4;
  });
  CHECK(result == 0);
  std::filesystem::permissions(folder.path, std::filesystem::perms(0755));
  for (const char* path : {"store", "store/k1"})
    std::filesystem::permissions(folder.at(path), std::filesystem::perms(0755));
}

TEST_CASE("what killed writers leave behind is no record, and can be removed") {
  const TemporaryFolder folder;
  DirectoryStore store = opened(folder.at("store"));
  REQUIRE(store.save("k1", "one", SaveMode::create));
  std::ofstream(folder.at("store/k1/.tmp-1000-7")) << "ha";
  std::ofstream(folder.at("store/.tmp-1000-8")) << "ha";
  std::ofstream(folder.at("store/k1/.tmp-99999999999-9")) << "still being written";
  CHECK(store.list().value() == std::vector<std::string>{"k1"});
  CHECK(store.remove_leftovers().value() == 2);
  CHECK(store.remove_leftovers().value() == 0);
  CHECK(store.load("k1").value() == "one");
}

TEST_CASE("writers of a directory store that are killed lose nothing acknowledged") {
  const TemporaryFolder folder;
  testing::check_killed_writers([&] { return opened(folder.at("store")); }, 50);
}

TEST_CASE("1000 writers of a directory store are killed", "[.long]") {
  const TemporaryFolder folder;
  const testing::KillReport report = testing::kill_writers([&] { return opened(folder.at("store")); }, 1000, 2);
  std::printf("%s\n", testing::row_of("directory", report).c_str());
  CHECK(report.lost + report.torn + report.unreadable == 0);
}

TEST_CASE("64 processes record at a time") {
  const TemporaryFolder folder;
  std::vector<pid_t> processes;
  for (unsigned number = 0; number < 64; ++number) {
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process == 0) {
      int faults = 0;
      auto store = DirectoryStore::open(folder.at("store"), StoreAccess::create);  // they make it together, too
      if (!store) ::_exit(200);
      const Result<bool> first = store.value().save("contended", testing::bytes_of(5'000, number), SaveMode::create);
      if (!first) ++faults;
      for (unsigned round = 0; round < 3; ++round) {
        const std::string mine = "p" + std::to_string(number) + "-" + std::to_string(round);
        const Result<bool> saved = store.value().save(mine, mine, SaveMode::create);
        if (!saved || !saved.value()) ++faults;
        if (!store.value().save("replaced", testing::bytes_of(3'000, number), SaveMode::replace)) ++faults;
      }
      ::_exit(faults > 0 ? 100 : first.value() ? 1 : 0);
    }
    processes.push_back(process);
  }
  int created = 0;
  for (const pid_t process : processes) {
    int status = 0;
    REQUIRE(::waitpid(process, &status, 0) == process);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) < 2);
    created += WEXITSTATUS(status);
  }
  CHECK(created == 1);
  const DirectoryStore store = opened(folder.at("store"));
  CHECK(store.list().value().size() == 64 * 3 + 2);
  for (const char* key : {"contended", "replaced"}) {
    const std::string record = store.load(key).value().value();
    bool whole = false;
    for (unsigned number = 0; number < 64; ++number)
      whole = whole || record == testing::bytes_of(record.size(), number);
    CHECK(whole);
  }
}
