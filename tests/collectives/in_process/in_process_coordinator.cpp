#include "assay/collectives/in_process/in_process_coordinator.hpp"

#include <thread>

#include "testing/catch.hpp"

using namespace assay;
using Texts = std::vector<std::optional<std::string>>;

namespace {

Deadline soon() {
  return deadline_after(std::chrono::seconds(60));
}

}  // namespace

TEST_CASE("every rank gets every rank's text, round after round") {
  auto coordinators = in_process_coordinators(5);
  std::vector<int> right(5, 0);
  std::vector<std::thread> threads;
  for (InProcessCoordinator& coordinator : coordinators) {
    threads.emplace_back([&coordinator, &right] {
      for (int round = 0; round < 200; ++round) {
        Texts expected;
        for (int rank = 0; rank < 5; ++rank) expected.emplace_back(std::to_string(rank * 1000 + round));
        if (coordinator.exchange(std::to_string(coordinator.rank() * 1000 + round), soon()).value() == expected)
          ++right[static_cast<std::size_t>(coordinator.rank())];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(right == std::vector<int>(5, 200));
}

TEST_CASE(
    "ranks that have not come by the deadline are absent, to all alike; who is late learns that it was, and goes on "
    "with the others") {
  auto coordinators = in_process_coordinators(3);
  const Deadline early = deadline_after(std::chrono::milliseconds(20));
  Texts first;
  std::thread other([&] { first = coordinators[0].exchange("a", soon()).value(); });
  const Texts second = coordinators[2].exchange("c", early).value();
  other.join();
  const Texts late = coordinators[1].exchange("b", soon()).value();
  CHECK((!second[1] && second[2] == "c" && first == second && late == second));
  std::vector<Texts> next(3);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < 3; ++rank)
    threads.emplace_back([&, rank] { next[rank] = coordinators[rank].exchange("again", soon()).value(); });
  for (std::thread& thread : threads) thread.join();
  for (const Texts& texts : next) CHECK(texts == Texts(3, "again"));
}

TEST_CASE("meet names the ranks that did not come") {
  auto coordinators = in_process_coordinators(3);
  const auto met = meet(coordinators[1], deadline_after(std::chrono::milliseconds(5)));
  REQUIRE(!met);
  CHECK(met.error().message == "these ranks did not come in time: 0, 2");
  CHECK(meet(in_process_coordinators(1)[0], soon()));
}
