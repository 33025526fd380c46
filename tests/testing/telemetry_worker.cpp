// Serves readings of a library to a test: telemetry_worker LIBRARY [PATH].
#include <string>

#include "assay/telemetry/serve_readings.hpp"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  return assay::serve_readings(arguments[1], count > 2 ? arguments[2] : "");
}
