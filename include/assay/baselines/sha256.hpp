#pragma once

#include <openssl/evp.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/misuse.hpp"

namespace assay::inline v0::detail {

/// The SHA-256 of the bytes as 64 hexadecimal digits.
[[nodiscard]] inline std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1 || size != 32)
    misuse("OpenSSL computes no SHA-256; is it set up to refuse it?");
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}
[[nodiscard]] inline std::string sha256(const std::vector<unsigned char>& bytes) {
  return sha256(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace assay::inline v0::detail
