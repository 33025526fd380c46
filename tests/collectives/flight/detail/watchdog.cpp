#include "assay/collectives/flight/detail/watchdog.hpp"

#include "testing/catch.hpp"

using namespace assay;
using detail::Watchdog;
using detail::Watched;

TEST_CASE("what was taken off a watchdog is looked at no more", "[collectives][flight]") {
  Watchdog watchdog;
  // With so many, it is busy listing them for a good part of the time, and most removals come while it does.
  const auto other = std::make_shared<Watched>([] {}, [] {});
  for (int i = 0; i < 400000; ++i) watchdog.add(other);
  int late = 0;
  for (int i = 0; i < 100; ++i) {
    const auto removed = std::make_shared<std::atomic<bool>>(false);
    const auto looked_late = std::make_shared<std::atomic<bool>>(false);
    const auto watched = std::make_shared<Watched>([] {}, [=] { *looked_late = *looked_late || *removed; });
    watchdog.add(watched);
    std::this_thread::sleep_for(std::chrono::microseconds(3000 + 97 * i));
    watchdog.remove(watched.get());
    *removed = true;
    std::this_thread::sleep_for(2 * Watchdog::interval);
    late += *looked_late ? 1 : 0;
  }
  CHECK(late == 0);
}
