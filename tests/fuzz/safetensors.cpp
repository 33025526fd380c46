#include "assay/io/safetensors.hpp"

#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// Every tensor can be read, in every way; the file is written and read again the same.
void safetensors(std::string_view bytes) {
  const Result<SafetensorsFile> opened = parse_safetensors(bytes.data(), bytes.size());
  if (!opened) return fuzz::promise_message(opened.error().message);
  const SafetensorsFile& file = opened.value();
  std::vector<SafetensorsTensor> tensors;
  std::size_t total = 0;
  for (const SafetensorsEntry& entry : file.entries()) {
    auto tensor = file.read(entry.name);
    fuzz::promise(tensor.has_value(), "a tensor that was listed can be read");
    total += tensor.value().bytes.size();
    fuzz::promise(tensor.value().value_count() == entry.value_count(), "as many values as the shape says");
    std::vector<double> values(static_cast<std::size_t>(entry.value_count()));
    fuzz::promise(file.read_values(entry, 0, entry.value_count(), values.data()).has_value(), "its values can be read");
    (void)tensor.value().values<float32>();
    tensors.push_back(std::move(tensor).value());
  }
  fuzz::promise(total <= bytes.size(), "no more data than the file has");

  std::vector<SafetensorsData> data;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    data.push_back({file.entries()[i].name, tensors[i].type, tensors[i].shape, tensors[i].bytes.data()});
  detail::expect_writable(data, file.metadata());
  std::vector<const SafetensorsData*> order;
  for (const SafetensorsData& tensor : data) order.push_back(&tensor);
  std::string written = detail::safetensors_preamble(order, file.metadata());
  for (const SafetensorsTensor& tensor : tensors)
    written.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  const Result<SafetensorsFile> again = parse_safetensors(written.data(), written.size());
  fuzz::promise(again.has_value(), "what is written can be read");
  fuzz::promise(again.value().metadata() == file.metadata() && again.value().entries() == file.entries(),
                "names, types, shapes and metadata are the same");
  for (std::size_t i = 0; i < tensors.size(); ++i)
    fuzz::promise(again.value().read(again.value().entries()[i]).value().bytes == tensors[i].bytes,
                  "the data are the same");
}

const fuzz::Registration registration_of_safetensors("safetensors", safetensors);

}  // namespace
