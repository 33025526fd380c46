#include "assay/baselines/postgresql_store.hpp"

#include <cstdio>
#include <cstdlib>

#include "testing/postgresql_server.hpp"
#include "testing/store_kill_test.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

/// One server for all tests of this program, which ends with 77 where there is none.
testing::PostgresqlServer& server() {
  static testing::PostgresqlServer only;
  if (only.reason.empty()) return only;
  std::printf("skipped: %s\n", only.reason.c_str());
  std::fflush(stdout);
  std::exit(77);
}

/// A database of its own for every test.
std::string database(const std::string& name) {
  const std::unique_ptr<PGconn, void (*)(PGconn*)> connection(PQconnectdb(server().connection().c_str()), PQfinish);
  PQclear(PQexec(connection.get(), ("CREATE DATABASE " + name).c_str()));
  return server().connection(name);
}

PostgresqlStore opened(const std::string& connection) {
  auto store = PostgresqlStore::open(connection, StoreAccess::create);
  if (!store) throw std::runtime_error(store.error().message);
  return std::move(store).value();
}

}  // namespace

TEST_CASE("the PostgreSQL store is a store") {
  const std::string place = database("conformance");
  testing::check_store([&] { return opened(place); });
}

TEST_CASE("writers of a PostgreSQL store that are killed lose nothing acknowledged") {
  const std::string place = database("killed");
  testing::check_killed_writers([&] { return opened(place); }, 50);
}

TEST_CASE("1000 writers of a PostgreSQL store are killed", "[.long]") {
  const std::string place = database("killed_1000");
  const testing::KillReport report = testing::kill_writers([&] { return opened(place); }, 1000, 2);
  std::printf("%s\n", testing::row_of("PostgreSQL", report).c_str());
  CHECK(report.lost + report.torn + report.unreadable == 0);
}

TEST_CASE("a server that crashes loses nothing acknowledged, and the store finds it again") {
  const std::string place = database("crashed");
  PostgresqlStore store = opened(place);
  for (unsigned i = 0; i < 20; ++i)
    REQUIRE(store.save("k" + std::to_string(i), testing::generation_record(i), SaveMode::create));
  REQUIRE(server().stop());
  const Result<bool> saved = store.save("k99", "x", SaveMode::create);
  REQUIRE_FALSE(saved);
  CHECK_THAT(saved.error().message, contains("doing it again is safe"));
  const auto loaded = store.load("k1");
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().kind == ErrorKind::io);
  REQUIRE(server().start());
  CHECK(store.save("k99", "x", SaveMode::create).value());
  for (unsigned i = 0; i < 20; ++i) CHECK(store.load("k" + std::to_string(i)).value() == testing::generation_record(i));
}

TEST_CASE("a server that is absent, a table that is absent, a password that is not told") {
  const auto absent =
      PostgresqlStore::open("host=/no/such/folder password=secret dbname=x connect_timeout=2", StoreAccess::create);
  REQUIRE_FALSE(absent);
  CHECK(absent.error().kind == ErrorKind::io);
  CHECK_THAT(absent.error().message, contains("/no/such/folder") && !contains("secret"));
  const auto table = PostgresqlStore::open(database("no_table"), StoreAccess::existing);
  REQUIRE_FALSE(table);
  CHECK(table.error().kind == ErrorKind::not_found);
}

TEST_CASE("a database that may only be read has its records, and takes none") {
  const std::string place = database("read_only");
  REQUIRE(opened(place).save("k1", "old", SaveMode::create));
  const std::string options = place + " options='-c default_transaction_read_only=on'";
  auto store = PostgresqlStore::open(options, StoreAccess::create);
  REQUIRE(store);
  CHECK(store.value().load("k1").value() == "old");
  CHECK_THAT(store.value().save("k1", "new", SaveMode::replace).error().message, contains("read-only transaction"));
  CHECK(store.value().load("k1").value() == "old");
}
