#include "assay/collectives/directory_coordinator.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::contains;

namespace {

struct Folder {
  std::string path = [] {
    std::string name = (std::filesystem::temp_directory_path() / "assay_coordinator_XXXXXX").string();
    return std::string(::mkdtemp(name.data()));
  }();
  ~Folder() { std::filesystem::remove_all(path); }
};

std::unique_ptr<DirectoryCoordinator> opened(const Folder& folder, const std::string& run, int rank, int size) {
  auto made = DirectoryCoordinator::open(folder.path, run, rank, size);
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(made).value();
}

Deadline soon(int milliseconds) {
  return deadline_after(std::chrono::milliseconds(milliseconds));
}

/// Runs `body` in a process of its own; it gives the exit status.
pid_t in_process(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  return child;
}
int status_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

TEST_CASE("processes exchange texts of any bytes through a folder, again and again") {
  const Folder folder;
  constexpr int size = 4, rounds = 40;
  const auto text = [](int rank, int round) {
    return std::string(static_cast<std::size_t>(round * rank), '\0') + std::to_string(rank * 100 + round);
  };
  std::vector<pid_t> children;
  for (int rank = 0; rank < size; ++rank) {
    children.push_back(in_process([&] {
      const auto coordinator = opened(folder, "job-1", rank, size);
      for (int round = 0; round < rounds; ++round) {
        const auto all = coordinator->exchange(text(rank, round), soon(20000));
        if (!all) return 1;
        for (int other = 0; other < size; ++other)
          if (all.value()[static_cast<std::size_t>(other)] != text(other, round)) return 2;
      }
      return 0;
    }));
  }
  for (const pid_t child : children) CHECK(status_of(child) == 0);
  std::size_t left = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::recursive_directory_iterator(folder.path)) ++left;
  CHECK(left <= 1 + size + 2 * (size + 1));  // what is read no more is gone
}

TEST_CASE("all abide by who was decided to be absent, the late one included") {
  const Folder folder;
  const auto punctual = opened(folder, "run", 0, 3), late = opened(folder, "run", 2, 3);
  const auto seen = punctual->exchange("a", soon(30));
  REQUIRE(seen);
  CHECK(seen.value() == std::vector<std::optional<std::string>>{"a", std::nullopt, std::nullopt});
  CHECK(late->exchange("c", soon(30)).value() == seen.value());
  const auto met = meet(*punctual, soon(30));
  REQUIRE(!met);
  CHECK(met.error().message == "these ranks did not come in time: 1, 2");
}

TEST_CASE("files of another run, or of another start of this one, are not mistaken") {
  const Folder folder;
  {
    const auto earlier = opened(folder, "run.1", 0, 2), other = opened(folder, "run.1", 1, 2);
    REQUIRE(earlier->exchange("old", soon(10)));
  }
  CHECK(opened(folder, "run.2", 1, 2)->exchange("new", soon(10)).value() ==
        std::vector<std::optional<std::string>>{std::nullopt, "new"});
  const auto again = DirectoryCoordinator::open(folder.path, "run.1", 0, 2);
  REQUIRE(!again);
  CHECK(again.error().kind == ErrorKind::invalid);
  CHECK_THAT(again.error().message, contains("rank 0 took part in the run 'run.1' before"));
}

TEST_CASE("a rank that is killed is absent afterwards") {
  const Folder folder;
  const auto survivor = opened(folder, "run", 1, 2);
  const pid_t victim = in_process([&] {
    const auto coordinator = opened(folder, "run", 0, 2);
    static_cast<void>(coordinator->exchange("alive", soon(5000)));
    ::raise(SIGKILL);
    return 0;
  });
  CHECK(survivor->exchange("first", soon(5000)).value() == std::vector<std::optional<std::string>>{"alive", "first"});
  CHECK(status_of(victim) == -SIGKILL);
  CHECK(survivor->exchange("second", soon(30)).value() ==
        std::vector<std::optional<std::string>>{std::nullopt, "second"});
}

TEST_CASE("names, ranks and folders that cannot be are refused") {
  const Folder folder;
  for (const std::string& run : {std::string(), std::string("a/b"), std::string(".."), std::string(300, 'x')})
    CHECK(DirectoryCoordinator::open(folder.path, run, 0, 1).error().kind == ErrorKind::invalid);
  CHECK(DirectoryCoordinator::open(folder.path, "run", 2, 2).error().kind == ErrorKind::invalid);
  CHECK(DirectoryCoordinator::open(folder.path, "run", -1, 2).error().kind == ErrorKind::invalid);
  std::ofstream(folder.path + "/file") << "x";
  CHECK(DirectoryCoordinator::open(folder.path + "/file", "run", 0, 1).error().kind == ErrorKind::io);

  const auto coordinator = opened(folder, "gone", 0, 1);
  std::filesystem::remove_all(folder.path + "/gone");
  const auto lost = coordinator->exchange("x", soon(10));
  REQUIRE(!lost);
  CHECK(lost.error().kind == ErrorKind::io);
}

TEST_CASE("a decision that is not of this many ranks is told of") {
  const Folder folder;
  const auto coordinator = opened(folder, "run", 0, 2);
  std::ofstream(folder.path + "/run/decision-0") << "111";
  CHECK(coordinator->exchange("x", soon(10)).error().kind == ErrorKind::io);
}
