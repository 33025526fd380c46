#pragma once

#include <libpq-fe.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/baselines/store.hpp"

namespace assay::inline v0 {

/// Records in a table of a PostgreSQL server, for fleets: `assay_baseline_records` (key, record) in the schema that the
/// connection's search path names first. A `Store`, for many machines. The durability is the server's (fsync and
/// synchronous_commit, which this session turns on). A record has at most 1 GB (bytea).
///
/// A connection that broke is made anew by the next operation. One that breaks within a save leaves open whether it was
/// saved: the error says so, and saving again is safe.
class PostgresqlStore {
 public:
  /// `connection_info` as libpq takes it: "host=db dbname=baselines user=ci", or a URI "postgresql://ci@db/baselines".
  /// A password is better in ~/.pgpass. Errors: `not_found` if the table is absent and `access` makes none, `io`.
  [[nodiscard]] static Result<PostgresqlStore> open(const std::string& connection_info, StoreAccess access);

  [[nodiscard]] Result<std::optional<std::string>> load(const std::string& key) const;

  [[nodiscard]] Result<bool> save(const std::string& key, std::string_view record, SaveMode mode);

  [[nodiscard]] Result<std::vector<std::string>> list() const;

  [[nodiscard]] Result<bool> erase(const std::string& key);

  /// Without the connection's password.
  [[nodiscard]] std::string describe() const {
    const auto text = [](const char* part) { return part == nullptr ? std::string() : std::string(part); };
    const std::string host = text(PQhost(connection()));
    return "the baseline store in the PostgreSQL database '" + text(PQdb(connection())) + "'" +
           (host.empty() ? "" : " at " + host);
  }

 private:
  static constexpr std::size_t most_bytes = (std::size_t{1} << 30) - (std::size_t{1} << 20);

  struct Finish {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  using Answer = std::unique_ptr<PGresult, Clear>;

  struct State {
    std::unique_ptr<PGconn, Finish> connection;
    std::mutex mutex;
    bool broken = false;  ///< the last operation found out
  };

  PostgresqlStore() : state_(std::make_unique<State>()) {}

  [[nodiscard]] PGconn* connection() const { return state_->connection.get(); }

  [[nodiscard]] Failure refused(const std::string& what, const PGresult* answer, bool writing = false) const;

  static Answer settle(PGconn* connection) {
    return Answer(PQexec(connection, "SET synchronous_commit = on; SET client_min_messages = warning"));
  }

  /// One statement; key and record as binary parameters, binary results.
  [[nodiscard]] Answer ask(const char* text, const std::string* key = nullptr,
                           const std::string_view* record = nullptr) const;

  [[nodiscard]] Result<void> prepare(StoreAccess access);

  std::unique_ptr<State> state_;
};

static_assert(Store<PostgresqlStore>);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/baselines/postgresql_store.ipp"
#endif
