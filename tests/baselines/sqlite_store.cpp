#include "assay/baselines/sqlite_store.hpp"

#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "testing/store_kill_test.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using assay::testing::contains;
using assay::testing::TemporaryFolder;

namespace {

SqliteStore opened(const std::string& file) {
  auto store = SqliteStore::open(file, StoreAccess::create);
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(store).value();
}

}  // namespace

TEST_CASE("the SQLite store is a store") {
  const TemporaryFolder folder;
  testing::check_store([&] { return opened(folder.at("baselines.db")); });
}

TEST_CASE("writers of a SQLite store that are killed lose nothing acknowledged") {
  const TemporaryFolder folder;
  testing::check_killed_writers([&] { return opened(folder.at("baselines.db")); }, 50);
}

TEST_CASE("1000 writers of a SQLite store are killed", "[.long]") {
  const TemporaryFolder folder;
  const testing::KillReport report = testing::kill_writers([&] { return opened(folder.at("baselines.db")); }, 1000, 2);
  std::printf("%s\n", testing::row_of("SQLite", report).c_str());
  CHECK(report.lost + report.torn + report.unreadable == 0);
}

TEST_CASE("durability is set, and files that are no store are refused") {
  const TemporaryFolder folder;
  const auto absent = SqliteStore::open(folder.at("absent.db"), StoreAccess::existing);
  REQUIRE_FALSE(absent);
  CHECK(absent.error().kind == ErrorKind::not_found);
  CHECK_FALSE(std::filesystem::exists(folder.at("absent.db")));
  CHECK(SqliteStore::open(folder.at("no/such/folder.db"), StoreAccess::create).error().kind == ErrorKind::io);

  std::ofstream(folder.at("text.db")) << std::string(5000, 'x');
  const auto text = SqliteStore::open(folder.at("text.db"), StoreAccess::create);
  REQUIRE_FALSE(text);
  CHECK(text.error().kind == ErrorKind::malformed);

  const auto change = [&](const std::string& file, const char* statement) {
    sqlite3* connection = nullptr;
    REQUIRE(sqlite3_open(folder.at(file).c_str(), &connection) == SQLITE_OK);
    CHECK(sqlite3_exec(connection, statement, nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(connection);
  };
  change("other.db", "CREATE TABLE customers (name TEXT)");
  CHECK_THAT(SqliteStore::open(folder.at("other.db"), StoreAccess::create).error().message,
             contains("holds other things than baselines"));

  static_cast<void>(opened(folder.at("newer.db")).save("k1", "one", SaveMode::create).value());
  change("newer.db", "PRAGMA user_version = 2");
  const auto newer = SqliteStore::open(folder.at("newer.db"), StoreAccess::create);
  REQUIRE_FALSE(newer);
  CHECK(newer.error().kind == ErrorKind::unsupported);
  CHECK_THAT(newer.error().message, contains("layout 2"));
  change("newer.db", "PRAGMA user_version = 1");
  CHECK(opened(folder.at("newer.db")).load("k1").value() == "one");
}

TEST_CASE("a database without room, and one whose pages are damaged, say so") {
  const TemporaryFolder folder;
  {
    SqliteStore store = opened(folder.at("b.db"));
    REQUIRE(store.save("k1", "old", SaveMode::create));
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 100'000;
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    const Result<bool> huge = store.save("k1", std::string(1'000'000, 'x'), SaveMode::replace);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    REQUIRE_FALSE(huge);
    CHECK_THAT(huge.error().message, contains("cannot save the record 'k1' (1000000 bytes) in the baseline store"));
    CHECK(store.load("k1").value() == "old");
    for (unsigned i = 0; i < 40; ++i)
      REQUIRE(store.save("fill" + std::to_string(i), testing::bytes_of(9000, i), SaveMode::create));
  }
  std::fstream file(folder.at("b.db"), std::ios::in | std::ios::out | std::ios::binary);
  for (int page = 1; page < 6; ++page) {
    file.seekp(page * 4096);
    file << std::string(4000, '\x5A');
  }
  file.close();
  const auto damaged = SqliteStore::open(folder.at("b.db"), StoreAccess::existing);
  REQUIRE(damaged);
  CHECK(damaged.value().load("k1").error().kind == ErrorKind::malformed);
  CHECK_THAT(damaged.value().list().error().message, contains("bring it back from a copy"));
}

TEST_CASE("16 processes create one record") {
  const TemporaryFolder folder;
  std::vector<pid_t> processes;
  for (unsigned number = 0; number < 16; ++number) {
    const pid_t process = ::fork();
    REQUIRE(process >= 0);
    if (process == 0) {
      auto store = SqliteStore::open(folder.at("b.db"), StoreAccess::create);
      if (!store) ::_exit(100);
      const auto saved = store.value().save("contended", "x", SaveMode::create);
      ::_exit(!saved ? 101 : saved.value() ? 1 : 0);
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
}
