#include "assay/io/npy.hpp"

#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// What is read is written and read again the same; every element can be asked for.
void npy(std::string_view bytes) {
  const Result<NpyArray> read = parse_npy(bytes.data(), bytes.size());
  if (!read) return fuzz::promise_message(read.error().message);
  const NpyArray& array = read.value();
  Index count = 1;
  for (const Index extent : array.shape) count *= extent;
  fuzz::promise(count == array.size() && array.bytes.size() == static_cast<std::size_t>(count) * array.type.size,
                "as many bytes as the shape says");
  fuzz::promise(array.bytes.size() <= bytes.size(), "no more data than the file has");
  if (array.type.kind != NpyKind::raw) {
    for (Index position = 0; position < count; ++position) (void)array.value(position);
    if (const auto values = array.values<float32>(); values)
      fuzz::promise(values.value().size() == static_cast<std::size_t>(count), "a value for each element");
  }
  const std::string written = detail::npy_preamble(array.type, array.shape) +
                              std::string(reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
  const Result<NpyArray> again = parse_npy(written.data(), written.size());
  fuzz::promise(again && again.value().type == array.type && again.value().shape == array.shape &&
                    again.value().bytes == array.bytes,
                "the array is written and read again the same");
}

const fuzz::Registration registration_of_npy("npy", npy);

}  // namespace
