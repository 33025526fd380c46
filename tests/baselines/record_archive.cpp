#include "assay/baselines/record_archive.hpp"

#include <iterator>

#include "assay/baselines/memory_store.hpp"
#include "baselines/sample_record.hpp"
#include "testing/catch.hpp"
#include "testing/temporary_folder.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A store with records of so many tests.
MemoryStore filled(int count) {
  MemoryStore store;
  for (int i = 0; i < count; ++i) {
    BaselineRecord record = sample_record(12, i % 2 == 0 ? 0 : 5, static_cast<unsigned>(i));
    record.subject.test += std::to_string(i);
    record.key = baseline_key(record.subject);
    static_cast<void>(
        store.save(record.key + (i == 2 ? ".candidate" : ""), record_text(record), SaveMode::create).value());
  }
  return store;
}

}  // namespace

TEST_CASE("records go through one file from store to store, and what is there stays") {
  const TemporaryFolder folder;
  const std::string path = folder.at("all.baselines");
  const MemoryStore source = filled(5);
  const auto keys = source.list().value();
  CHECK(export_records(source, keys, path).value() == 5);
  MemoryStore target;
  CHECK(import_records(target, path).value().imported == 5);
  CHECK(target.list().value() == keys);
  for (const std::string& key : keys) CHECK(target.load(key).value() == source.load(key).value());

  BaselineRecord other = record_from_text(*target.load(keys[0]).value()).value();
  other.note = "approved here";
  REQUIRE(target.save(keys[0], record_text(other), SaveMode::replace));
  REQUIRE(target.erase(keys[1]));
  const ImportReport again = import_records(target, path).value();
  CHECK(again.imported == 1);
  CHECK(again.unchanged == 3);
  CHECK(again.conflicts == std::vector<std::string>{keys[0]});
  CHECK(record_from_text(*target.load(keys[0]).value()).value().note == "approved here");

  CHECK(export_records(source, {}, folder.at("none")).value() == 0);
  CHECK(import_records(target, folder.at("none")).value().imported == 0);
}

TEST_CASE("an archive is written whole or not at all, over nothing") {
  const TemporaryFolder folder;
  MemoryStore source = filled(2);
  const auto keys = source.list().value();
  std::ofstream(folder.at("there")) << "precious";
  CHECK_THAT(export_records(source, keys, folder.at("there")).error().message, contains("File exists"));
  CHECK(content_of(folder.at("there")) == "precious");
  CHECK(export_records(source, {keys[0], "absent"}, folder.at("a")).error().kind == ErrorKind::not_found);
  std::string damaged = *source.load(keys[1]).value();
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  REQUIRE(source.save(keys[1], damaged, SaveMode::replace));
  CHECK_THAT(export_records(source, keys, folder.at("a")).error().message, contains(keys[1]) && contains("damaged"));
  CHECK_FALSE(export_records(source, {keys[0]}, folder.at("no/folder")));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("of a damaged archive nothing is imported, wherever the damage is") {
  const TemporaryFolder folder;
  const std::string path = folder.at("a"), changed_path = folder.at("b");
  const MemoryStore source = filled(3);
  REQUIRE(export_records(source, source.list().value(), path));
  const std::string text = content_of(path);
  const auto imported = [&](const std::string& changed) {
    std::ofstream(changed_path, std::ios::binary | std::ios::trunc) << changed;
    MemoryStore target;
    const auto report = import_records(target, changed_path);
    if (!target.list().value().empty() && !report) FAIL("imported a part of a damaged archive");
    return report ? std::string() : report.error().message;
  };
  REQUIRE(imported(text).empty());
  for (std::size_t byte = 0; byte < text.size(); byte += byte < 300 || byte + 300 > text.size() ? 1 : 7) {
    std::string changed = text;
    changed[byte] = static_cast<char>(changed[byte] ^ (1 << (byte % 8)));
    if (imported(changed).empty()) FAIL("a flipped bit of byte " << byte << " was not seen");
    if (imported(text.substr(0, byte)).empty()) FAIL("a cut after " << byte << " bytes was not seen");
  }
  CHECK_THAT(imported(text + "x"), contains("something follows its end"));
  const std::string keys[] = {source.list().value()[1], source.list().value()[2]};
  const std::size_t second = text.find("record " + keys[0]), third = text.find("record " + keys[1]);
  CHECK_THAT(imported(text.substr(0, second) + text.substr(third)),
             contains("digest of what it ends"));  // a record was taken out
  CHECK_THAT(imported("assay-baseline-archive/2\n"), contains("use a newer version"));
  CHECK_THAT(imported("record x 99999999999999999999 y\n"), contains("does not begin with"));
  MemoryStore target;
  CHECK(import_records(target, folder.at("absent")).error().kind == ErrorKind::io);
}
