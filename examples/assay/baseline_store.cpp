#ifdef ASSAY_HAS_OPENSSL
#include "baseline_store.hpp"

#include <string_view>

#include "assay/baselines/directory_store.hpp"
#include "assay/suite/glob.hpp"
#ifdef ASSAY_HAS_SQLITE
#include "assay/baselines/sqlite_store.hpp"
#endif
#ifdef ASSAY_HAS_POSTGRESQL
#include "assay/baselines/postgresql_store.hpp"
#endif

namespace assay_program {

namespace {

/// A store opened as any.
template <class S>
assay::Result<assay::AnyStore> as_any(assay::Result<S> store) {
  if (!store) return store.propagate();
  return assay::AnyStore(std::move(store).value());
}

[[maybe_unused]] assay::Failure built_without(const std::string& text, const char* library) {
  return assay::failure(assay::ErrorKind::unsupported,
                        "the store '" + text + "' needs " + library + ", without which this program was built");
}

}  // namespace

assay::Result<assay::AnyStore> open_baseline_store(const std::string& text, assay::StoreAccess access) {
  const auto behind = [&](std::string_view kind) { return text.substr(kind.size()); };
  if (text.rfind("sqlite:", 0) == 0) {
#ifdef ASSAY_HAS_SQLITE
    return as_any(assay::SqliteStore::open(behind("sqlite:"), access));
#else
    return built_without(text, "SQLite");
#endif
  }
  if (text.rfind("postgresql:", 0) == 0) {
#ifdef ASSAY_HAS_POSTGRESQL
    return as_any(
        assay::PostgresqlStore::open(text.rfind("postgresql://", 0) == 0 ? text : behind("postgresql:"), access));
#else
    return built_without("postgresql:…", "libpq");
#endif
  }
  return as_any(assay::DirectoryStore::open(text, access));
}

std::string title_of(const assay::BaselineRecord& record) {
  return record.subject.test + (record.subject.output.empty() ? "" : "/" + record.subject.output);
}

assay::Result<std::vector<NamedRecord>> records_named(const assay::Baseline<assay::AnyStore>& baseline,
                                                      const std::vector<std::string>& names,
                                                      std::vector<std::string>& unreadable) {
  constexpr std::size_t least = 6;
  const auto keys = baseline.store().list();
  if (!keys) return keys.propagate();
  std::vector<NamedRecord> found;
  std::vector<bool> used(names.size(), false);
  for (const std::string& key : keys.value()) {
    auto record = baseline.load(key);
    if (!record) unreadable.push_back(record.error().message);
    if (!record || !record.value()) continue;
    bool fits = names.empty();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool matches = (names[i].size() >= least && key.rfind(names[i], 0) == 0) ||
                           assay::glob_matches(names[i], title_of(*record.value())) ||
                           assay::glob_matches(names[i], record.value()->subject.test);
      used[i] = used[i] || matches;
      fits = fits || matches;
    }
    if (fits) found.push_back({key, *std::move(record).value()});
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!used[i])
      return assay::failure(
          assay::ErrorKind::not_found,
          "'" + names[i] + "' is no test in " + baseline.store().describe() +
              ", nor the beginning of a key (6 characters at least)" +
              (unreadable.empty() ? ""
                                  : "; " + std::to_string(unreadable.size()) +
                                        " records there cannot be read, the first: " + unreadable.front()));
  return found;
}

}  // namespace assay_program
#endif
