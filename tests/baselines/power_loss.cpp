#include "testing/power_loss.hpp"

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

using RecordedStore = BasicDirectoryStore<RecordingFiles>;

RecordedStore opened(const TemporaryFolder& folder, const RecordingFiles& files) {
  auto store = RecordedStore::open(folder.at("store"), StoreAccess::create, files);
  REQUIRE(store);
  return std::move(store).value();
}

void save(RecordedStore& store, FileJournal& journal, const std::string& key, const std::string& record,
          SaveMode mode) {
  journal.events.push_back({FileEvent::Kind::begin, key, record, 0, false});
  const Result<bool> saved = store.save(key, record, mode);
  REQUIRE(saved);
  REQUIRE(saved.value());
  journal.events.push_back({FileEvent::Kind::acknowledge, key, record, 0, false});
}

/// A life of a store: made, three records created, one replaced twice, one erased and made again.
PowerLossReport life(const RecordingFiles& files) {
  const TemporaryFolder folder;
  FileJournal& journal = *files.journal;
  RecordedStore store = opened(folder, files);
  save(store, journal, "k1", "first record of k1", SaveMode::create);
  save(store, journal, "k1", "second record of k1", SaveMode::replace);
  save(store, journal, "k12", "in the same folder", SaveMode::create);
  save(store, journal, "n2", "in another folder", SaveMode::create);
  journal.events.push_back({FileEvent::Kind::begin, "n2", {}, 0, true});
  REQUIRE(store.erase("n2").value());
  journal.events.push_back({FileEvent::Kind::acknowledge, "n2", {}, 0, true});
  save(store, journal, "n2", "made again", SaveMode::create);
  save(store, journal, "k1", "third record of k1", SaveMode::replace);
  return replay_power_losses(journal.events, folder.path.string());
}

/// Two processes: while the first has made a folder and not yet synchronized its name, the second saves into it.
PowerLossReport two_processes(bool second_forgets_folders) {
  const TemporaryFolder folder;
  RecordingFiles first, second;
  second.journal = first.journal;
  second.forget_folder = second_forgets_folders;
  static_cast<void>(opened(folder, first));
  first.after_make_folder = [&, second] {
    RecordedStore other = opened(folder, second);
    save(other, *second.journal, "k2", "of the second process", SaveMode::create);
  };
  RecordedStore store = opened(folder, first);
  save(store, *first.journal, "k1", "of the first process", SaveMode::create);
  return replay_power_losses(first.journal->events, folder.path.string());
}

}  // namespace

TEST_CASE("no power failure loses or tears what a directory store acknowledged") {
  const PowerLossReport report = life(RecordingFiles());
  CHECK(report.harm == "");
  CHECK(report.aftermaths > 150);
  CHECK(report.aftermaths < 20'000);  // all of them were looked at
}

TEST_CASE("a store that another process is making is safe to save into") {
  const PowerLossReport report = two_processes(false);
  CHECK(report.harm == "");
  CHECK(report.aftermaths > 100);
}

TEST_CASE("a store that forgets to synchronize files or folders is caught") {
  RecordingFiles forgets_file, forgets_folder;
  forgets_file.forget_file = true;
  forgets_folder.forget_folder = true;
  CHECK_THAT(life(forgets_file).harm, contains("torn"));
  CHECK_THAT(life(forgets_folder).harm, contains("lost"));
  CHECK_THAT(two_processes(true).harm, contains("lost"));
}
