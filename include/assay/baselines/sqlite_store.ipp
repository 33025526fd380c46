#pragma once

#include "assay/baselines/sqlite_store.hpp"

#include <chrono>
#include <thread>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<SqliteStore> SqliteStore::open(const std::string& file, StoreAccess access,
                                                                 int wait_milliseconds) {
  SqliteStore store(file);
  sqlite3* connection = nullptr;
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_FULLMUTEX | (access == StoreAccess::create ? SQLITE_OPEN_CREATE : 0);
  const int code = sqlite3_open_v2(file.c_str(), &connection, flags, nullptr);
  store.state_->connection.reset(connection);
  if (code == SQLITE_CANTOPEN && access == StoreAccess::existing)
    return failure(ErrorKind::not_found,
                   "there is no baseline store in the file '" + file +
                       "', or it cannot be opened; name the file of a store, or record a first baseline to make one");
  if (code != SQLITE_OK) return store.refused("open");
  sqlite3_busy_timeout(connection, wait_milliseconds);
  // Changing to the write-ahead log fails at once, whatever the time to wait, while other processes open the database.
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(wait_milliseconds);
  for (;;) {
    const Result<void> ready = store.prepare();
    if (ready) return store;
    const bool busy = (sqlite3_errcode(connection) & 0xFF) == SQLITE_BUSY;
    if (sqlite3_get_autocommit(connection) == 0) static_cast<void>(store.execute("ROLLBACK"));
    if (!busy || std::chrono::steady_clock::now() > end) return ready.propagate();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

ASSAY_DETAIL_HEADER_INLINE Result<std::optional<std::string>> SqliteStore::load(const std::string& key) const {
  expect_store_key(key);
  const std::lock_guard<std::mutex> lock(state_->mutex);
  auto statement = prepared("SELECT record FROM baseline_records WHERE key = ?1", key);
  if (!statement) return refused("load the record '" + key + "' from");
  const int code = sqlite3_step(statement.get());
  if (code == SQLITE_DONE) return std::optional<std::string>();
  if (code != SQLITE_ROW) return refused("load the record '" + key + "' from");
  const void* bytes = sqlite3_column_blob(statement.get(), 0);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement.get(), 0));
  return std::optional<std::string>(size == 0 ? std::string() : std::string(static_cast<const char*>(bytes), size));
}

ASSAY_DETAIL_HEADER_INLINE Result<bool> SqliteStore::save(const std::string& key, std::string_view record,
                                                          SaveMode mode) {
  expect_store_key(key);
  const std::lock_guard<std::mutex> lock(state_->mutex);
  auto statement =
      prepared(mode == SaveMode::create
                   ? "INSERT INTO baseline_records (key, record) VALUES (?1, ?2) ON CONFLICT (key) DO NOTHING"
                   : "INSERT INTO baseline_records (key, record) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET "
                     "record = excluded.record",
               key);
  if (!statement ||
      sqlite3_bind_blob64(statement.get(), 2, record.empty() ? "" : record.data(), record.size(), SQLITE_STATIC) !=
          SQLITE_OK ||
      sqlite3_step(statement.get()) != SQLITE_DONE)
    return refused("save the record '" + key + "' (" + std::to_string(record.size()) + " bytes) in");
  return sqlite3_changes(state_->connection.get()) == 1;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::string>> SqliteStore::list() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  auto statement = prepared("SELECT key FROM baseline_records ORDER BY key");
  std::vector<std::string> keys;
  int code = statement ? sqlite3_step(statement.get()) : SQLITE_ERROR;
  for (; code == SQLITE_ROW; code = sqlite3_step(statement.get()))
    keys.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement.get(), 0)));
  if (code != SQLITE_DONE) return refused("list");
  return keys;
}

ASSAY_DETAIL_HEADER_INLINE Result<bool> SqliteStore::erase(const std::string& key) {
  expect_store_key(key);
  const std::lock_guard<std::mutex> lock(state_->mutex);
  auto statement = prepared("DELETE FROM baseline_records WHERE key = ?1", key);
  if (!statement || sqlite3_step(statement.get()) != SQLITE_DONE) return refused("erase the record '" + key + "' from");
  return sqlite3_changes(state_->connection.get()) == 1;
}

ASSAY_DETAIL_HEADER_INLINE Failure SqliteStore::refused(const std::string& what) const {
  sqlite3* connection = state_->connection.get();
  const int code = sqlite3_errcode(connection) & 0xFF;
  const char* advice = code == SQLITE_FULL ? "; make room and try again"
                       : code == SQLITE_READONLY || code == SQLITE_PERM || code == SQLITE_CANTOPEN
                           ? "; check the permissions of the file and of its folder"
                       : code == SQLITE_BUSY || code == SQLITE_LOCKED ? "; another process holds it for too long"
                       : code == SQLITE_CORRUPT ? "; the database is damaged: bring it back from a copy"
                                                : "";
  const ErrorKind kind = code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? ErrorKind::malformed : ErrorKind::io;
  return failure(kind, "cannot " + what + " " + describe() + ": " + sqlite3_errmsg(connection) + advice);
}

ASSAY_DETAIL_HEADER_INLINE SqliteStore::Statement SqliteStore::prepared(const char* text,
                                                                        const std::string& key) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(state_->connection.get(), text, -1, &statement, nullptr) != SQLITE_OK) return nullptr;
  Statement owner(statement);
  if (sqlite3_bind_parameter_count(statement) > 0 &&
      sqlite3_bind_text(statement, 1, key.data(), static_cast<int>(key.size()), SQLITE_TRANSIENT) != SQLITE_OK)
    return nullptr;
  return owner;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> SqliteStore::prepare() {
  if (!execute("PRAGMA synchronous = FULL")) return refused("open");
  const auto writable = sqlite3_db_readonly(state_->connection.get(), "main") == 0;
  if (writable && !execute("PRAGMA journal_mode = WAL")) return refused("open");
  // Read in one transaction: a table that another process makes meanwhile is seen with its owner or not at all.
  if (!execute("BEGIN")) return refused("open");
  const Result<int> owner = number("PRAGMA application_id"), made = number("PRAGMA user_version"),
                    tables = number("SELECT count(*) FROM sqlite_master");
  for (const Result<int>* read : {&owner, &made, &tables})
    if (!*read) return read->propagate();
  if (!execute("COMMIT")) return refused("open");
  if (owner.value() == application && made.value() == layout) return {};
  if (owner.value() == application && made.value() != 0)
    return failure(ErrorKind::unsupported, describe() + " has layout " + std::to_string(made.value()) +
                                               ", and this version knows " + std::to_string(layout) +
                                               "; use a newer version of Assay");
  if (owner.value() != 0 || tables.value() != 0)
    return failure(ErrorKind::invalid, "the SQLite database '" + state_->file +
                                           "' holds other things than baselines; name a file of its own");
  if (!execute("BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS baseline_records (key TEXT PRIMARY KEY NOT NULL, record "
               "BLOB NOT NULL);"
               "PRAGMA application_id = 0x41535359; PRAGMA user_version = 1; COMMIT"))
    return refused("make");
  return {};
}

}  // namespace assay::inline v0
