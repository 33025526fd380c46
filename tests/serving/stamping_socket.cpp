#include "assay/serving/detail/stamping_socket.hpp"

#include "testing/catch.hpp"

TEST_CASE("the kernel stamps what arrives while the socket is open", "[serving]") {
  const assay::detail::FileDescriptor socket = assay::detail::open_stamping_socket();
  REQUIRE(socket);
  for (int datagram = 0; datagram < 20; ++datagram) CHECK(assay::detail::next_is_stamped(socket.number()));
}
