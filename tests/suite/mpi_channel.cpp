#include "assay/suite/mpi_channel.hpp"

#include "testing/catch.hpp"

using namespace assay;

// As the only process of a job, without mpirun; with more of them tests/examples/distribution.py runs it.
TEST_CASE("messages go through MPI whole and in their order; without MPI there is no channel") {
  CHECK(MpiChannel::open().error().kind == ErrorKind::invalid);
  int provided = 0;
  REQUIRE(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS);
  {
    auto opened = MpiChannel::open();
    REQUIRE(opened);
    MpiChannel channel = std::move(opened).value();
    CHECK(channel.rank() == 0);
    CHECK(channel.size() == 1);
    CHECK(!channel.receive(std::chrono::milliseconds(1)));
    channel.send(0, "");
    channel.send(0, std::string(3000000, 'x'));
    channel.send(0, "last");
    const auto first = channel.receive(std::chrono::milliseconds(1000));
    REQUIRE(first);
    CHECK(first->bytes.empty());
    CHECK(first->from == 0);
    const auto second = channel.receive(std::chrono::milliseconds(1000));
    REQUIRE(second);
    CHECK(second->bytes == std::string(3000000, 'x'));
    CHECK(channel.receive(std::chrono::milliseconds(1000))->bytes == "last");
    CHECK(!channel.any_lost());
  }
  MPI_Finalize();
  CHECK(MpiChannel::open().error().kind == ErrorKind::invalid);
}
