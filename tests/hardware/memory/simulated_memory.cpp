#include "assay/hardware/memory/simulated_memory.hpp"

#include "assay/core/misuse.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

SimulatedMemory with(CellFaultKind kind, bool rising, bool value, std::uint64_t contents = 0) {
  return {4, 1, CellFault{kind, 1, 2, rising, value}, contents};
}

}  // namespace

TEST_CASE("simulated memory without a fault holds what is written") {
  SimulatedMemory memory(3, 4, std::nullopt, 0x321);
  CHECK(memory.read(0) == 1);
  CHECK(memory.read(2) == 3);
  memory.write(1, 0xFA);
  CHECK(memory.read(1) == 0xA);
}

TEST_CASE("each fault does what its class says") {
  using enum CellFaultKind;
  SimulatedMemory stuck = with(stuck_at, false, true);
  stuck.write(1, 0);
  CHECK(stuck.read(1) == 1);
  SimulatedMemory slow = with(transition, true, false);
  slow.write(1, 1);
  CHECK(slow.read(1) == 0);
  SimulatedMemory inverts = with(coupling_inversion, true, false);
  inverts.write(2, 1);
  CHECK(inverts.read(1) == 1);
  inverts.write(2, 0);
  CHECK(inverts.read(1) == 1);
  SimulatedMemory forces = with(coupling_idempotent, false, true, 0b0100);
  forces.write(2, 0);
  CHECK(forces.read(1) == 1);
  SimulatedMemory state = with(coupling_state, true, true, 0b0100);
  state.write(1, 0);
  CHECK(state.read(1) == 1);
  SimulatedMemory open = with(stuck_open, false, false, 0b0001);
  CHECK(open.read(0) == 1);
  CHECK(open.read(1) == 1);
  CHECK(open.read(3) == 0);
  CHECK(open.read(1) == 0);
  SimulatedMemory destructive = with(read_destructive, false, false);
  CHECK(destructive.read(1) == 1);
  SimulatedMemory deceptive = with(deceptive_read_destructive, false, false);
  CHECK(deceptive.read(1) == 0);
  CHECK(deceptive.read(1) == 1);
  SimulatedMemory incorrect = with(incorrect_read, false, false);
  CHECK(incorrect.read(1) == 1);
  CHECK(incorrect.read(1) == 1);
  SimulatedMemory disturbed = with(write_disturb, false, false);
  disturbed.write(1, 0);
  CHECK(disturbed.read(1) == 1);
  SimulatedMemory leaks = with(retention, false, true);
  leaks.pause();
  CHECK(leaks.read(1) == 1);
  SimulatedMemory nothing = with(no_cell, false, true);
  nothing.write(1, 0);
  CHECK((nothing.read(1) & 1) == 1);
  SimulatedMemory other = with(other_cell, false, false);
  other.write(2, 1);
  CHECK(other.read(1) == 1);
  SimulatedMemory both = with(several_cells, false, false);
  both.write(2, 1);
  CHECK(both.read(1) == 1);
  both.write(1, 0);
  CHECK(both.read(2) == 0);
}

TEST_CASE("an intermittent fault shows now and then, and the same for the same seed") {
  const auto count = [](std::uint64_t seed) {
    SimulatedMemory memory(1, 1, CellFault{CellFaultKind::intermittent, 0, 0, false, false, 0.1}, 0, seed);
    int wrong = 0;
    for (int i = 0; i < 1000; ++i) wrong += static_cast<int>(memory.read(0));
    return wrong;
  };
  CHECK(count(1) > 50);
  CHECK(count(1) < 200);
  CHECK(count(1) == count(1));
}

TEST_CASE("faults of cells that are not there are misuse") {
  CHECK_THROWS_AS(SimulatedMemory(0, 1), Misuse);
  CHECK_THROWS_AS(SimulatedMemory(1, 65), Misuse);
  CHECK_THROWS_AS(SimulatedMemory(4, 1, CellFault{CellFaultKind::stuck_at, 4}), Misuse);
  CHECK_THROWS_AS(SimulatedMemory(4, 1, CellFault{CellFaultKind::coupling_state, 1, 1}), Misuse);
}
