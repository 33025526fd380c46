#include "assay/hardware/soak/soak_journal.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "testing/catch.hpp"

using namespace assay;

namespace {

std::filesystem::path fresh_journal() {
  const auto path = std::filesystem::temp_directory_path() / ("assay_soak_journal_" + std::to_string(::getpid()));
  std::filesystem::remove(path);
  return path;
}

const SoakRecord record{3, "a", 1.5, 0.25, 10.125, Verdict::fail, "a \"quoted\"\nreason"};

}  // namespace

TEST_CASE("records come back as they were kept, and a torn end costs one record") {
  const auto path = fresh_journal();
  {
    SoakJournal journal = SoakJournal::open(path, "plan").value();
    CHECK(journal.records().empty());
    REQUIRE(journal.keep(record));
    REQUIRE(journal.keep(record));
  }
  CHECK(SoakJournal::open(path, "plan").value().records() == std::vector{record, record});
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
  {
    SoakJournal torn = SoakJournal::open(path, "plan").value();
    CHECK(torn.records().size() == 1);
    REQUIRE(torn.keep(record));
  }
  CHECK(SoakJournal::open(path, "plan").value().records().size() == 2);
  CHECK(SoakJournal::open(path, "another").error().kind == ErrorKind::invalid);
  std::ofstream(path, std::ios::app) << "{\"round\":1}\n";
  CHECK(SoakJournal::open(path, "plan").error().message.find("line 4") != std::string::npos);
  std::ofstream(path) << "hello\n";
  CHECK(SoakJournal::open(path, "plan").error().kind == ErrorKind::malformed);
  std::filesystem::remove(path);
  CHECK(SoakJournal::open("/nonexistent/journal", "plan").error().kind == ErrorKind::io);
}

TEST_CASE("a soak that is killed goes on where it was") {
  const auto path = fresh_journal();
  const std::vector<SoakStep> steps{{"a", [](double, std::uint64_t) {
                                       std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                       Outcome outcome;
                                       outcome.verdict = Verdict::pass;
                                       return outcome;
                                     }}};
  SoakOptions options;
  options.seconds = 1e6;
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    SoakJournal journal = SoakJournal::open(path, "plan").value();
    options.keep = [&](const SoakRecord& each) { return journal.keep(each); };
    static_cast<void>(run_soak(steps, options, journal.records()));
    ::_exit(0);
  }
  const auto lines = [&] {
    std::ifstream file(path);
    std::string line;
    std::size_t count = 0;
    while (std::getline(file, line)) ++count;
    return count;
  };
  while (lines() < 5) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  SoakJournal journal = SoakJournal::open(path, "plan").value();
  const std::vector<SoakRecord> earlier = journal.records();
  REQUIRE(earlier.size() >= 4);
  options.seconds = earlier.back().begin + earlier.back().seconds + 0.01;
  options.keep = [&](const SoakRecord& each) { return journal.keep(each); };
  const SoakResult result = run_soak(steps, options, earlier).value();
  CHECK(result.complete);
  CHECK(result.earlier == earlier.size());
  CHECK(result.records.size() > earlier.size());
  CHECK(result.records[earlier.size()].round == earlier.back().round + 1);
  CHECK(SoakJournal::open(path, "plan").value().records() == result.records);
  std::filesystem::remove(path);
}
