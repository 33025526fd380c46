// expect: C\+\+20 is required
// flags: -std=c++17
#include "assay/core/config.hpp"
