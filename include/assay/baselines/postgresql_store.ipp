#pragma once

#include "assay/baselines/postgresql_store.hpp"

#include <array>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<PostgresqlStore> PostgresqlStore::open(const std::string& connection_info,
                                                                         StoreAccess access) {
  PostgresqlStore store;
  store.state_->connection.reset(PQconnectdb(connection_info.c_str()));
  if (PQstatus(store.connection()) != CONNECTION_OK) return store.refused("open", nullptr);
  if (const Result<void> ready = store.prepare(access); !ready) return ready.propagate();
  return store;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::optional<std::string>> PostgresqlStore::load(const std::string& key) const {
  expect_store_key(key);
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const Answer answer = ask("SELECT record FROM assay_baseline_records WHERE key = $1", &key);
  if (PQresultStatus(answer.get()) != PGRES_TUPLES_OK)
    return refused("load the record '" + key + "' from", answer.get());
  if (PQntuples(answer.get()) == 0) return std::optional<std::string>();
  return std::optional<std::string>(
      std::string(PQgetvalue(answer.get(), 0, 0), static_cast<std::size_t>(PQgetlength(answer.get(), 0, 0))));
}

ASSAY_DETAIL_HEADER_INLINE Result<bool> PostgresqlStore::save(const std::string& key, std::string_view record,
                                                              SaveMode mode) {
  expect_store_key(key);
  if (record.size() > most_bytes)
    return failure(ErrorKind::unsupported, "the record '" + key + "' has " + std::to_string(record.size()) +
                                               " bytes, more than the " + std::to_string(most_bytes) + " that " +
                                               describe() + " takes; keep samples of so large a tensor");
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const Answer answer =
      ask(mode == SaveMode::create
              ? "INSERT INTO assay_baseline_records (key, record) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING"
              : "INSERT INTO assay_baseline_records (key, record) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET "
                "record = EXCLUDED.record",
          &key, &record);
  if (PQresultStatus(answer.get()) != PGRES_COMMAND_OK)
    return refused("save the record '" + key + "' in", answer.get(), true);
  return PQcmdTuples(answer.get()) == std::string("1");
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::string>> PostgresqlStore::list() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const Answer answer = ask("SELECT key FROM assay_baseline_records ORDER BY key COLLATE \"C\"");
  if (PQresultStatus(answer.get()) != PGRES_TUPLES_OK) return refused("list", answer.get());
  std::vector<std::string> keys;
  for (int row = 0; row < PQntuples(answer.get()); ++row) keys.emplace_back(PQgetvalue(answer.get(), row, 0));
  return keys;
}

ASSAY_DETAIL_HEADER_INLINE Result<bool> PostgresqlStore::erase(const std::string& key) {
  expect_store_key(key);
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const Answer answer = ask("DELETE FROM assay_baseline_records WHERE key = $1", &key);
  if (PQresultStatus(answer.get()) != PGRES_COMMAND_OK)
    return refused("erase the record '" + key + "' from", answer.get(), true);
  return PQcmdTuples(answer.get()) == std::string("1");
}

ASSAY_DETAIL_HEADER_INLINE Failure PostgresqlStore::refused(const std::string& what, const PGresult* answer,
                                                            bool writing) const {
  std::string why = answer != nullptr && *PQresultErrorMessage(answer) != '\0' ? PQresultErrorMessage(answer)
                                                                               : PQerrorMessage(connection());
  while (!why.empty() && why.back() == '\n') why.pop_back();
  // What the server says has an SQLSTATE; what has none comes from libpq, whose status may still be that of a
  // connection.
  const bool broken = answer == nullptr || PQresultErrorField(answer, PG_DIAG_SQLSTATE) == nullptr;
  state_->broken = broken;
  return failure(
      ErrorKind::io,
      "cannot " + what + " " + describe() + ": " + why +
          (writing && broken
               ? "; the connection broke, and nobody knows whether it was done before: doing it again is safe"
               : ""));
}

ASSAY_DETAIL_HEADER_INLINE PostgresqlStore::Answer PostgresqlStore::ask(const char* text, const std::string* key,
                                                                        const std::string_view* record) const {
  if (state_->broken || PQstatus(connection()) != CONNECTION_OK) {
    state_->broken = false;
    PQreset(connection());
    if (PQstatus(connection()) == CONNECTION_OK) static_cast<void>(settle(connection()));
  }
  std::array<const char*, 2> values{};
  std::array<int, 2> lengths{};
  constexpr std::array<int, 2> binary{1, 1};
  if (key != nullptr) {
    values[0] = key->data();
    lengths[0] = static_cast<int>(key->size());
  }
  if (record != nullptr) {
    values[1] = record->empty() ? "" : record->data();
    lengths[1] = static_cast<int>(record->size());
  }
  const std::array<Oid, 2> types{25, 17};  // text, bytea
  const int count = key == nullptr ? 0 : record == nullptr ? 1 : 2;
  return Answer(PQexecParams(connection(), text, count, types.data(), values.data(), lengths.data(), binary.data(), 1));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> PostgresqlStore::prepare(StoreAccess access) {
  if (const Answer settled = settle(connection()); PQresultStatus(settled.get()) != PGRES_COMMAND_OK)
    return refused("open", settled.get());
  const Answer there(PQexec(connection(), "SELECT to_regclass('assay_baseline_records') IS NOT NULL"));
  if (PQresultStatus(there.get()) != PGRES_TUPLES_OK) return refused("open", there.get());
  if (*PQgetvalue(there.get(), 0, 0) == 't') return {};
  if (access == StoreAccess::existing)
    return failure(ErrorKind::not_found, "there is no table assay_baseline_records in " + describe() +
                                             "; name the database of a store, or record a first baseline to make one");
  // The lock: CREATE TABLE IF NOT EXISTS of two sessions at a time fails in one of them. Storage: tensors hardly
  // compress.
  const Answer made(
      PQexec(connection(),
             "BEGIN; SELECT pg_advisory_xact_lock(4706355183);"
             "CREATE TABLE IF NOT EXISTS assay_baseline_records (key text PRIMARY KEY, record bytea NOT NULL);"
             "ALTER TABLE assay_baseline_records ALTER COLUMN record SET STORAGE EXTERNAL; COMMIT"));
  if (PQresultStatus(made.get()) == PGRES_COMMAND_OK) return {};
  const Failure failed = refused("make", made.get());
  static_cast<void>(Answer(PQexec(connection(), "ROLLBACK")));
  return failed;
}

}  // namespace assay::inline v0
