#include "history_file.hpp"

#include <filesystem>
#include <utility>

#include "assay/performance/history_jsonl.hpp"
#ifdef ASSAY_HAS_SQLITE
#include "assay/performance/history_sqlite.hpp"
#endif

namespace assay_program {

namespace {

template <assay::HistoryStore Store>
class Kept : public HistoryFile {
 public:
  explicit Kept(const std::string& path) : store_(path) {}
  assay::Result<void> append(const std::vector<assay::HistoryRun>& runs) override { return store_.append(runs); }
  assay::Result<assay::History> load() override { return store_.load(); }

 private:
  Store store_;
};

template <class Store>
std::unique_ptr<HistoryFile> kept(const std::string& path) {
  return std::make_unique<Kept<Store>>(path);
}

}  // namespace

assay::Result<std::unique_ptr<HistoryFile>> open_history(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".jsonl" || extension == ".json") return kept<assay::JsonlHistory>(path);
  if (extension == ".sqlite" || extension == ".db") {
#ifdef ASSAY_HAS_SQLITE
    return kept<assay::SqliteHistory>(path);
#else
    return assay::failure(
        assay::ErrorKind::unsupported,
        "'" + path + "' is an SQLite history, and this tool was built without SQLite; name a file .jsonl");
#endif
  }
  return assay::failure(assay::ErrorKind::unsupported,
                        "'" + path + "' is no name of a history; one ends with .jsonl or .sqlite");
}

assay::Result<assay::History> load_history(const std::string& path) {
  auto file = open_history(path);
  if (!file) return file.propagate();
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return assay::failure(assay::ErrorKind::not_found,
                          "there is no history '" + path + "'; assay history import makes one");
  return file.value()->load();
}

}  // namespace assay_program
