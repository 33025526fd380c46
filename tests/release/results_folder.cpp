#include "assay/release/results_folder.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "release/sample_certifications.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;
namespace fs = std::filesystem;

namespace {

/// A folder that is gone when the test is.
struct Folder {
  fs::path path = fs::temp_directory_path() /
                  ("assay-results-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("a folder a combination, prepared, then done, then read") {
  Folder folder;
  const NamedCombination one = combination("580.1", "13.0", "pytorch"), two = combination("580.1", "13.0", "jax");
  CHECK(prepare_combination_folder(folder.path, one, "ada").value());
  CHECK(prepare_combination_folder(folder.path, two).value());
  CHECK_FALSE(prepare_combination_folder(folder.path, one, "bob").value());  // what is there stays

  auto folders = read_results_folder(folder.path).value();
  REQUIRE(folders.size() == 2);
  for (const CombinationFolder& entry : folders) CHECK_FALSE(entry.done());

  const fs::path place = folder.path / combination_id(one);
  REQUIRE(write_json(certifying_run({Verdict::pass}), place / "report.json"));
  REQUIRE(write_json(certifying_run({Verdict::pass}, "lab2"), place / "again.json"));
  std::ofstream(place / "notes.txt") << "not a run";
  folders = read_results_folder(folder.path).value();
  const CombinationFolder& done = folders[0].combination == one ? folders[0] : folders[1];
  CHECK(done.done());
  CHECK(done.by == "ada");
  CHECK(done.runs.size() == 2);

  const auto certifications = read_certifications({folder.path}).value();
  REQUIRE(certifications.size() == 2);
  CHECK(certifications[0].combination == one);
  CHECK(certifications[0].by == "ada");
  CHECK(certifications[0].verdict == Verdict::pass);
  CHECK_THAT(certifications[1].source, contains("report.json"));
}

TEST_CASE("copies of one run count once, and one run for two combinations twice") {
  Folder folder;
  const NamedCombination one = combination("580.1", "13.0", "pytorch"), two = combination("580.1", "13.0", "jax");
  for (const char* machine : {"m1", "m2"}) {
    REQUIRE(prepare_combination_folder(folder.path / machine, one));
    REQUIRE(write_json(certifying_run({Verdict::pass}), folder.path / machine / combination_id(one) / "report.json"));
  }
  CHECK(read_certifications({folder.path}).value().size() == 1);
  CHECK(read_certifications({folder.path / "m1", folder.path / "m2"}).value().size() == 1);
  REQUIRE(prepare_combination_folder(folder.path, two));
  REQUIRE(write_json(certifying_run({Verdict::pass}), folder.path / combination_id(two) / "report.json"));
  CHECK(read_certifications({folder.path}).value().size() == 2);
}

TEST_CASE("what cannot be read is an error, never left out") {
  Folder folder;
  const NamedCombination one = combination("580.1", "13.0", "pytorch");
  REQUIRE(prepare_combination_folder(folder.path, one));
  const fs::path place = folder.path / combination_id(one);
  std::ofstream(place / "report.json") << "{\"schema\": \"assay-run/1\"";  // torn
  CHECK_THAT(read_certifications({folder.path}).error().message, contains("report.json") && contains("no valid JSON"));
  std::ofstream(place / combination_file)
      << "{\"schema\": \"assay-combination/1\", \"combination\": {\"driver\": 550}}";
  CHECK_THAT(read_results_folder(folder.path).error().message,
             contains("combination.json") && contains("/combination/driver"));
  CHECK(read_results_folder(folder.path / "absent").error().kind == ErrorKind::not_found);
}

TEST_CASE("the side file") {
  const NamedCombination one = combination("580.1", "13.0", "pytorch");
  const auto read = parse_combination_file(combination_file_text(one, "ada")).value();
  CHECK(read.combination == one);
  CHECK(read.by == "ada");
  CHECK(parse_combination_file(combination_file_text(one)).value().by.empty());
  CHECK_THAT(parse_combination_file("{\"schema\": \"assay-combination/1\", \"combinations\": {}}").error().message,
             contains("nearest: combination"));
  CHECK_FALSE(parse_combination_file("{\"combination\": {}}"));
}

TEST_CASE("a folder that holds another combination is not taken over") {
  Folder folder;
  const NamedCombination one = combination("580.1", "13.0", "pytorch");
  REQUIRE(prepare_combination_folder(folder.path, one));
  std::ofstream(folder.path / combination_id(one) / combination_file)
      << combination_file_text(combination("1", "2", "3"));
  CHECK_THAT(prepare_combination_folder(folder.path, one).error().message, contains("belongs there"));
}

TEST_CASE("merging keeps every run, overwrites none, and changes nothing when it is done again") {
  Folder folder;
  const NamedCombination one = combination("580.1", "13.0", "pytorch"), two = combination("580.1", "13.0", "jax");
  const auto store = [&](const char* machine, const NamedCombination& which, const Run& run) {
    REQUIRE(prepare_combination_folder(folder.path / machine, which, machine));
    REQUIRE(write_json(run, folder.path / machine / combination_id(which) / "report.json"));
  };
  store("m1", one, certifying_run({Verdict::pass}, "m1"));
  store("m2", one, certifying_run({Verdict::fail}, "m2"));
  store("m3", one, certifying_run({Verdict::pass}, "m1"));  // the same bytes as of m1
  store("m3", two, certifying_run({Verdict::pass}, "m3"));
  const std::vector<fs::path> machines{folder.path / "m1", folder.path / "m2", folder.path / "m3"};
  const MergedResults merged = merge_results(machines, folder.path / "all").value();
  CHECK(merged.copied == 3);
  CHECK(merged.present == 1);
  CHECK(merge_results(machines, folder.path / "all").value().copied == 0);
  const auto certifications = read_certifications({folder.path / "all"}).value();
  REQUIRE(certifications.size() == 3);
  const auto report =
      compatibility_report(sample_matrix(), expand(sample_matrix()).value().combinations, certifications);
  CHECK(report.count(CompatibilityState::conflict) == 1);
  CHECK(report.count(CompatibilityState::certified) == 1);
}

TEST_CASE("runs are read with the axes of their combination as labels") {
  Folder folder;
  const NamedCombination one = combination("580.1", "13.0", "pytorch");
  REQUIRE(prepare_combination_folder(folder.path, one));
  const fs::path place = folder.path / combination_id(one);
  Run run = certifying_run({Verdict::pass});
  run.outcomes[0].labels["cuda"] = "measured: 13.0.1";
  REQUIRE(write_json(run, place / "report.json"));
  fs::create_directories(place / "baseline");
  REQUIRE(write_json(run, place / "baseline" / "report.json"));
  REQUIRE(write_json(run, folder.path / "other.json"));
  const auto runs = read_runs({folder.path, folder.path / "other.json", folder.path / "." / "other.json"}).value();
  REQUIRE(runs.size() == 3);  // one of them named three times
  for (const SavedRun& saved : runs) {
    const bool beside = saved.path.filename() == "report.json";
    CHECK(saved.run.outcomes[0].label("driver") == (beside ? "580.1" : ""));
    CHECK(saved.run.outcomes[0].label("cuda") == "measured: 13.0.1");
  }
  std::ofstream(folder.path / "torn.json") << "{";
  CHECK_THAT(read_runs({folder.path}).error().message, contains("torn.json"));
  CHECK(read_runs({folder.path / "absent.json"}).error().kind == ErrorKind::not_found);
  CHECK(read_runs({}).value().empty());
}

TEST_CASE("a folder without a run is no evidence beside others, and a link that leads away is told") {
  Folder folder;
  fs::create_directories(folder.path / "a");
  fs::create_directories(folder.path / "b");
  CHECK(read_runs({folder.path / "a", folder.path / "b"}).value().empty());
  REQUIRE(write_json(certifying_run({Verdict::pass}), folder.path / "a" / "report.json"));
  const auto refused = read_runs({folder.path / "a", folder.path / "b"});
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::not_found);
  CHECK_THAT(refused.error().message, contains((folder.path / "b").string()));
  fs::create_directory_symlink(folder.path / "a", folder.path / "b" / "link");
  CHECK(read_runs({folder.path / "b"}).error().kind == ErrorKind::invalid);
  fs::create_directory_symlink(folder.path / "a", folder.path / "latest");
  CHECK(read_runs({folder.path}).value().size() == 1);
}

TEST_CASE("combinations that were to be run and were not are told") {
  Folder folder;
  const NamedCombination done = combination("580.1", "13.0", "pytorch"),
                         below = combination("580.1", "12.8", "pytorch"),
                         lost = combination("550.54.15", "12.8", "jax");
  for (const auto& each : {done, below, lost}) REQUIRE(prepare_combination_folder(folder.path, each));
  REQUIRE(write_json(certifying_run({Verdict::pass}), folder.path / combination_id(done) / "report.json"));
  fs::create_directories(folder.path / combination_id(below) / "baseline");
  REQUIRE(
      write_json(certifying_run({Verdict::pass}), folder.path / combination_id(below) / "baseline" / "report.json"));
  fs::create_directories(folder.path / combination_id(lost) / "baseline");
  std::ofstream(folder.path / combination_id(lost) / "job.log") << "killed";
  const auto without =
      combinations_without_run({folder.path, folder.path / ".", folder.path / combination_id(done) / "report.json"});
  REQUIRE(without);
  REQUIRE(without.value().size() == 1);
  CHECK_THAT(without.value()[0], contains(combination_text(lost)) && contains(combination_id(lost)));
  CHECK(combinations_without_run({folder.path / combination_id(done)}).value().empty());
  CHECK(combinations_without_run({folder.path / "absent.json"}).value().empty());
  std::ofstream(folder.path / combination_id(done) / combination_file) << "{";
  CHECK(combinations_without_run({folder.path}).error().kind == ErrorKind::malformed);
}
