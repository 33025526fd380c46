// What stores of baselines cost: saving and looking up records among many. components: sqlite json openssl
//
//   bench_baselines [--records N] [--folder DIR]
//
// A record holds 16 x 16 elements in f32, with the metadata of a real one. The directory store is measured as it is and
// without its synchronizations (what durability costs), beside a plain file written without either; SQLite as it is.
// Printed are medians and 99th percentiles, as Markdown. DIR is made for it and removed. Exit code: 0, or 2 for wrong
// arguments or a store that fails.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "assay/baselines/baseline.hpp"
#include "assay/baselines/directory_store.hpp"
#include "assay/baselines/sqlite_store.hpp"
#include "timing.hpp"

namespace {

using namespace assay;
namespace fs = std::filesystem;

/// The system's files, without what makes them durable.
struct HastyFiles : PosixFileOperations {
  [[nodiscard]] int synchronize_file(int) const { return 0; }
  [[nodiscard]] int synchronize_folder(const std::string&) const { return 0; }
};

BaselineSubject subject_of(std::size_t number) {
  return {"gemm/host/f32.f32.f32/m16-n16-k" + std::to_string(number) + "-nn-row/normal", "C", {{"seed", "1"}}};
}

std::string record_of(std::size_t number) {
  ObservedOutput output;
  output.format = "f32";
  output.extents = {16, 16};
  output.codes.resize(1024, static_cast<unsigned char>(number));
  output.values.resize(256);
  BaselineRecord record;
  record.subject = subject_of(number);
  record.key = baseline_key(record.subject);
  record.tensor = detail::observe_tensor(output, std::size_t{1} << 20, 1).value();
  record.environment.processor = "a processor with a name of forty letters";
  record.environment.libraries = {{"oneDNN", "2.6.2"}, {"OpenBLAS", "0.3.21"}};
  return record_text(record);
}

[[noreturn]] void give_up(const std::string& message) {
  std::fprintf(stderr, "bench_baselines: %s\n", message.c_str());
  std::exit(2);
}

template <class T>
T value_of(Result<T> result) {
  if (!result) give_up(result.error().message);
  return std::move(result).value();
}

void print_row(const std::string& what, std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  std::printf("| %s | %zu | %.1f | %.1f |\n", what.c_str(), seconds.size(), 1e6 * seconds[seconds.size() / 2],
              1e6 * seconds[seconds.size() * 99 / 100]);
  std::fflush(stdout);
}

/// Saves of records that are not there yet.
template <class S>
std::vector<double> saves(S& store, std::size_t first, std::size_t count) {
  std::vector<double> seconds;
  for (std::size_t i = first; i < first + count; ++i) {
    const std::string key = baseline_key(subject_of(i)), text = record_of(i);
    seconds.push_back(seconds_of([&] { static_cast<void>(value_of(store.save(key, text, SaveMode::create))); }));
  }
  return seconds;
}

/// Look-ups of records anywhere among `records`, `parsed` with every byte checked, and of absent ones.
template <class S>
void look_up(const std::string& name, const S& store, std::size_t records) {
  std::mt19937_64 random(1);
  std::vector<double> raw, parsed, absent;
  for (int i = 0; i < 5000; ++i) {
    const std::string key = baseline_key(subject_of(random() % records)),
                      missing = baseline_key(subject_of(records + 10'000'000 + static_cast<std::size_t>(i)));
    raw.push_back(seconds_of([&] {
      if (!value_of(store.load(key))) give_up("a record is missing");
    }));
    parsed.push_back(seconds_of([&] { static_cast<void>(value_of(record_from_text(*value_of(store.load(key))))); }));
    absent.push_back(seconds_of([&] {
      if (value_of(store.load(missing))) give_up("a record is there that nobody saved");
    }));
  }
  print_row(name + ": load", raw);
  print_row(name + ": load, check every byte, read", parsed);
  print_row(name + ": load of a record that is absent", absent);
}

/// Many records in one transaction, which no user of the store has.
void fill_database(const std::string& file, std::size_t records) {
  static_cast<void>(value_of(SqliteStore::open(file, StoreAccess::create)));
  sqlite3* connection = nullptr;
  sqlite3_stmt* statement = nullptr;
  bool done = sqlite3_open(file.c_str(), &connection) == SQLITE_OK &&
              sqlite3_exec(connection, "BEGIN", nullptr, nullptr, nullptr) == SQLITE_OK &&
              sqlite3_prepare_v2(connection, "INSERT INTO baseline_records (key, record) VALUES (?1, ?2)", -1,
                                 &statement, nullptr) == SQLITE_OK;
  for (std::size_t i = 0; i < records && done; ++i) {
    const std::string key = baseline_key(subject_of(i)), text = record_of(i);
    sqlite3_bind_text(statement, 1, key.data(), static_cast<int>(key.size()), SQLITE_STATIC);
    sqlite3_bind_blob64(statement, 2, text.data(), text.size(), SQLITE_STATIC);
    done = sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK;
  }
  sqlite3_finalize(statement);
  done = done && sqlite3_exec(connection, "COMMIT", nullptr, nullptr, nullptr) == SQLITE_OK;
  sqlite3_close(connection);
  if (!done) give_up("the database could not be filled");
}

std::vector<double> plain_writes(const fs::path& folder, std::size_t count) {
  fs::create_directory(folder);
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string path = (folder / std::to_string(i)).string(), text = record_of(i);
    seconds.push_back(seconds_of([&] { std::ofstream(path, std::ios::binary) << text; }));
  }
  return seconds;
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t records = 100'000;
  fs::path folder = "bench-baselines";
  for (int i = 1; i < count; i += 2) {
    const std::string name = arguments[i];
    if (i + 1 == count) give_up(name + " has no value");
    const char* const text = arguments[i + 1];
    if (name == "--folder")
      folder = text;
    else if (name != "--records" || std::from_chars(text, text + std::strlen(text), records).ec != std::errc() ||
             records < 1000)
      give_up("usage: bench_baselines [--records N of 1000 or more] [--folder DIR]");
  }
  if (!fs::create_directory(folder)) give_up("'" + folder.string() + "' is there; name a folder that is not");
  std::printf("| %zu records of %zu bytes | operations | median, µs | 99 %%, µs |\n|---|---|---|---|\n", records,
              record_of(1).size());
  {
    auto hasty = value_of(BasicDirectoryStore<HastyFiles>::open((folder / "store").string(), StoreAccess::create));
    static_cast<void>(saves(hasty, 0, records - 500));
    print_row("a plain file: write", plain_writes(folder / "plain", 500));
    print_row("directory without fsync: save", saves(hasty, records - 500, 250));
    auto store = value_of(DirectoryStore::open((folder / "store").string(), StoreAccess::existing));
    print_row("directory: save", saves(store, records - 250, 250));
    look_up("directory", store, records);
    const double seconds = seconds_of([&] {
      if (value_of(store.list()).size() != records) give_up("the list is not complete");
    });
    print_row("directory: list all", {seconds});
  }
  fill_database((folder / "store.db").string(), records - 250);
  auto sqlite = value_of(SqliteStore::open((folder / "store.db").string(), StoreAccess::existing));
  print_row("SQLite: save", saves(sqlite, records - 250, 250));
  look_up("SQLite", sqlite, records);
  fs::remove_all(folder);
  return 0;
}
