// expect: references and bounds need IEEE 754 arithmetic
// flags: -ffast-math
#include "assay/core/config.hpp"
