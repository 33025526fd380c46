// An image is read, scaled, normalized, cut into windows, classified and read as text: two implementations, stage by
// stage. Each fault that is built in by hand is found at its stage, and right implementations are left in peace.
//
//   image_pipeline [FOLDER]    with a folder: records the stages there, for assay pipeline run

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "assay/io/npy.hpp"
#include "assay/pipeline/divergence.hpp"

namespace {

using assay::Pipeline;
using assay::Result;
using assay::Stage;
using assay::StageIds;
using assay::StageTensor;
using assay::StageTexts;
using assay::StageValue;

/// What an implementation does; the defaults are right.
struct Choices {
  bool bgr = false;              ///< decode: channels the wrong way round
  bool corners = false;          ///< resize: pixel centers at whole numbers
  bool no_antialiasing = false;  ///< resize: two taps, however much smaller the picture gets
  bool truncates = false;        ///< quantize: 7.9 becomes 7
  bool wrong_mean = false;       ///< normalize: the mean of another data set
  bool late_window = false;      ///< windows: begin one column late
  bool wrong_blank = false;      ///< text: the last symbol is taken for CTC's blank
  bool single = false;           ///< right: sums in float32
};

constexpr std::int64_t source_height = 24, source_width = 96, height = 8, width = 32, channels = 3, window = 4,
                       windows = width / window, symbols = 5;
constexpr const char* alphabet = "-abcd";  // the first is CTC's blank

double pixel(std::int64_t y, std::int64_t x, std::int64_t c) {
  const double wave = std::sin(0.37 * static_cast<double>(x) + 0.9 * static_cast<double>(c)) +
                      std::cos(0.61 * static_cast<double>(y) + 0.05 * static_cast<double>(x * c));
  return std::floor(127.5 + 60 * wave);
}

StageTensor decode(const Choices& choices) {
  StageTensor image{{source_height, source_width, channels}, {}};
  for (std::int64_t y = 0; y < source_height; ++y)
    for (std::int64_t x = 0; x < source_width; ++x)
      for (std::int64_t c = 0; c < channels; ++c)
        image.values.push_back(pixel(y, x, choices.bgr ? channels - 1 - c : c));
  return image;
}

/// Weights of source pixels of one target pixel: a triangle, as wide as the picture shrinks.
std::vector<double> taps(std::int64_t target, std::int64_t target_size, std::int64_t source_size,
                         const Choices& choices) {
  const double scale = static_cast<double>(source_size) / static_cast<double>(target_size);
  const double center =
      choices.corners
          ? static_cast<double>(target) * (static_cast<double>(source_size - 1) / static_cast<double>(target_size - 1))
          : (static_cast<double>(target) + 0.5) * scale - 0.5;
  const double radius = choices.no_antialiasing ? 1 : std::max(scale, 1.0);
  std::vector<double> weights(static_cast<std::size_t>(source_size), 0.0);
  double sum = 0;
  for (std::int64_t i = 0; i < source_size; ++i) {
    const double weight = std::max(0.0, 1 - std::abs(static_cast<double>(i) - center) / radius);
    weights[static_cast<std::size_t>(i)] = weight;
    sum += weight;
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

double add(double sum, double term, const Choices& choices) {
  return choices.single ? static_cast<double>(static_cast<float>(sum) + static_cast<float>(term)) : sum + term;
}

StageTensor resize(const StageTensor& image, const Choices& choices) {
  StageTensor scaled{{height, width, channels}, {}};
  for (std::int64_t y = 0; y < height; ++y) {
    const auto rows = taps(y, height, source_height, choices);
    for (std::int64_t x = 0; x < width; ++x) {
      const auto columns = taps(x, width, source_width, choices);
      for (std::int64_t c = 0; c < channels; ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
          for (std::size_t j = 0; rows[i] != 0 && j < columns.size(); ++j)
            if (columns[j] != 0)
              sum = add(
                  sum,
                  rows[i] * columns[j] * image.values[(i * source_width + j) * channels + static_cast<std::size_t>(c)],
                  choices);
        scaled.values.push_back(sum);
      }
    }
  }
  return scaled;
}

StageTensor quantize(StageTensor image, const Choices& choices) {
  for (double& value : image.values) value = choices.truncates ? std::floor(value) : std::floor(value + 0.5);
  return image;
}

StageTensor normalize(StageTensor image, const Choices& choices) {
  const double mean[] = {0.485, 0.456, choices.wrong_mean ? 0.5 : 0.406}, deviation[] = {0.229, 0.224, 0.225};
  for (std::size_t i = 0; i < image.values.size(); ++i)
    image.values[i] = (image.values[i] / 255 - mean[i % channels]) / deviation[i % channels];
  return image;
}

/// The mean of each channel over windows of the width.
StageTensor cut(const StageTensor& image, const Choices& choices) {
  StageTensor features{{windows, channels}, {}};
  for (std::int64_t w = 0; w < windows; ++w)
    for (std::int64_t c = 0; c < channels; ++c) {
      double sum = 0;
      for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < window; ++x) {
          const std::int64_t column = std::min(w * window + x + (choices.late_window ? 1 : 0), width - 1);
          sum = add(sum, image.values[static_cast<std::size_t>((y * width + column) * channels + c)], choices);
        }
      features.values.push_back(sum / (height * window));
    }
  return features;
}

StageTensor model(const StageTensor& features, const Choices& choices) {
  StageTensor logits{{windows, symbols}, {}};
  for (std::size_t w = 0; w < windows; ++w)
    for (std::size_t s = 0; s < symbols; ++s) {
      double sum = 0.1 * static_cast<double>(s);
      for (std::size_t c = 0; c < channels; ++c)
        sum = add(sum, std::sin(1.7 * static_cast<double>(s * channels + c)) * features.values[w * channels + c],
                  choices);
      logits.values.push_back(sum);
    }
  return logits;
}

StageIds classify(const StageTensor& logits) {
  StageIds ids;
  for (std::size_t w = 0; w < windows; ++w) {
    const auto row = logits.values.begin() + static_cast<std::ptrdiff_t>(w * symbols);
    ids.ids.push_back(std::max_element(row, row + symbols) - row);
  }
  return ids;
}

/// CTC: equal neighbors are one, blanks are none.
StageTexts read(const StageIds& ids, const Choices& choices) {
  const std::int64_t blank = choices.wrong_blank ? symbols - 1 : 0;
  std::string text;
  for (std::size_t i = 0; i < ids.ids.size(); ++i)
    if (ids.ids[i] != blank && (i == 0 || ids.ids[i] != ids.ids[i - 1])) text += alphabet[ids.ids[i]];
  return {{text}};
}

/// A stage that takes the output of one before it.
template <class Input, class Function>
Stage stage(const char* name, const char* input, double bound, const char* origin, Function function) {
  Stage own;
  own.name = name;
  own.inputs = {input};
  own.bound.absolute = bound;
  own.bound.origin = origin;
  own.run = [function](const std::vector<const StageValue*>& inputs) -> Result<StageValue> {
    return StageValue(function(std::get<Input>(*inputs[0])));
  };
  return own;
}

Pipeline pipeline(const Choices& choices) {
  Pipeline whole{"image", {}};
  Stage first;
  first.name = "01_decode";
  first.run = [choices](const auto&) -> Result<StageValue> { return StageValue(decode(choices)); };
  whole.stages = {first,
                  // float32 sums of up to 36 products of at most 255: 36 roundings of 2^-24 · 255.
                  stage<StageTensor>("02_resize", "01_decode", 36 * 255.0 / (1 << 24), "derived: sums in float32",
                                     [choices](const StageTensor& image) { return resize(image, choices); }),
                  stage<StageTensor>("03_quantize", "02_resize", 0, "derived: whole numbers of the same input",
                                     [choices](const StageTensor& image) { return quantize(image, choices); }),
                  stage<StageTensor>("04_normalize", "03_quantize", 1e-6, "declared",
                                     [choices](const StageTensor& image) { return normalize(image, choices); }),
                  // 32 float32 additions of values up to 3, divided by 32.
                  stage<StageTensor>("05_windows", "04_normalize", 32 * 3.0 / (1 << 24), "derived: sums in float32",
                                     [choices](const StageTensor& image) { return cut(image, choices); }),
                  stage<StageTensor>("06_model", "05_windows", 1e-5, "declared",
                                     [choices](const StageTensor& features) { return model(features, choices); }),
                  stage<StageTensor>("07_classify", "06_model", 0, "exact: ids",
                                     [](const StageTensor& logits) { return classify(logits); }),
                  stage<StageIds>("08_text", "07_classify", 0, "exact: text",
                                  [choices](const StageIds& ids) { return read(ids, choices); })};
  return whole;
}

/// One built-in fault, and where it is to be found.
struct Fault {
  const char* name;
  const char* stage;
  Choices choices;
};

std::vector<Fault> faults() {
  std::vector<Fault> all(7);
  all[0] = {"channels BGR", "01_decode", {}};
  all[0].choices.bgr = true;
  all[1] = {"corners instead of half pixels", "02_resize", {}};
  all[1].choices.corners = true;
  all[2] = {"no antialiasing", "02_resize", {}};
  all[2].choices.no_antialiasing = true;
  all[3] = {"truncating instead of rounding", "03_quantize", {}};
  all[3].choices.truncates = true;
  all[4] = {"mean of another data set", "04_normalize", {}};
  all[4].choices.wrong_mean = true;
  all[5] = {"windows one column late", "05_windows", {}};
  all[5].choices.late_window = true;
  all[6] = {"blank of CTC is the last symbol", "08_text", {}};
  all[6].choices.wrong_blank = true;
  return all;
}

/// Writes outputs as `assay pipeline run` reads them. Whether all could be written.
bool record(const std::vector<assay::StageOutput>& outputs, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const assay::StageOutput& output : outputs) {
    const StageValue& value = output.value.value();
    if (const auto* tensor = std::get_if<StageTensor>(&value)) {
      const std::vector<assay::Index> shape(tensor->shape.begin(), tensor->shape.end());
      if (!assay::write_npy((folder / (output.stage + ".npy")).string(), tensor->values.data(), shape)) return false;
      continue;
    }
    std::ofstream file(folder / (output.stage + ".json"));
    file << "[";
    if (const auto* ids = std::get_if<StageIds>(&value))
      for (std::size_t i = 0; i < ids->ids.size(); ++i) file << (i > 0 ? "," : "") << ids->ids[i];
    else
      file << '"' << std::get<StageTexts>(value).texts.front() << '"';
    file << "]\n";
    if (!file.flush()) return false;
  }
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  const Pipeline reference = pipeline({});
  const auto outputs = assay::run_free(reference);
  std::printf("the reference reads \"%s\"\n", std::get<StageTexts>(outputs.back().value.value()).texts[0].c_str());
  int missed = 0;
  for (const Fault& fault : faults()) {
    const assay::Divergence divergence = assay::find_divergence(reference, pipeline(fault.choices));
    const bool found = divergence.guilty == std::vector<std::string>{fault.stage};
    std::printf("%-32s %-12s %s\n", fault.name, fault.stage, found ? "found there, and only there" : "MISSED");
    missed += found ? 0 : 1;
    if (count > 1) {
      const std::filesystem::path folder = std::filesystem::path(arguments[1]) / fault.stage;
      if (!record(assay::run_free(pipeline(fault.choices)), folder / "free") ||
          !record(assay::run_fed(pipeline(fault.choices), outputs), folder / "fed"))
        return 2;
    }
  }
  Choices single;
  single.single = true;
  const assay::Divergence right = assay::find_divergence(reference, pipeline(single));
  std::printf("%-32s %-12s %s\n", "sums in float32", "none", right.guilty.empty() ? "left in peace" : "ACCUSED");
  if (count > 1 && !record(outputs, std::filesystem::path(arguments[1]) / "reference")) return 2;
  return missed == 0 && right.guilty.empty() ? 0 : 1;
}
