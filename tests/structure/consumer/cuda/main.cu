// A functor of the consumer's own on the device; without a device, the reason.
#include <cstdio>
#include <vector>

#include "assay/backends/cuda.hpp"

struct Square {
  double* values;
  ASSAY_FUNCTION void operator()(std::size_t i) const { values[i] = static_cast<double>(i * i); }
};

namespace {

assay::Result<double> last_square(std::size_t count) {
  auto cuda = assay::Cuda::open();
  if (!cuda) return cuda.propagate();
  auto stream = cuda.value().make_stream();
  if (!stream) return stream.propagate();
  auto values = cuda.value().allocate<double>(count);
  if (!values) return values.propagate();
  double last = 0;
  if (auto run = cuda.value().parallel_for(stream.value(), count, Square{values.value().data()}); !run)
    return run.propagate();
  if (auto copied = cuda.value().copy_to_host(stream.value(), &last, values.value().data() + count - 1, 1); !copied)
    return copied.propagate();
  if (auto done = cuda.value().synchronize(stream.value()); !done) return done.propagate();
  return last;
}

}  // namespace

int main() {
  const auto last = last_square(1000);
  if (last) return last.value() == 998001 ? 0 : 1;
  std::puts(last.error().message.c_str());
  return last.error().kind == assay::ErrorKind::unsupported ? 0 : 1;
}
