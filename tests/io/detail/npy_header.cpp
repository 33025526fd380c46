#include "assay/io/detail/npy_header.hpp"

#include "io/npy_file.hpp"
#include "testing/catch.hpp"

using namespace assay;
using assay::detail::NpyHeaderParser;
using assay::testing::contains;
using assay::testing::npy_header;

TEST_CASE("npy headers are read in every form that numpy writes") {
  for (const std::string text : {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }     \n",
                                 "{'shape':(3,4),'fortran_order':False,'descr':\"<f4\"}",
                                 " { 'fortran_order' : False , 'shape' : ( 3L , 4L , ) , 'descr' : '<f4' } "}) {
    const auto header = NpyHeaderParser(text).parse();
    REQUIRE(header);
    CHECK(header.value().type == NpyType{NpyKind::floating, 4});
    CHECK(header.value().shape == std::vector<Index>{3, 4});
    CHECK(header.value().data_bytes == 48);
  }
  CHECK(NpyHeaderParser(npy_header("<f8", "()")).parse().value().data_bytes == 8);
  CHECK(NpyHeaderParser(npy_header(">f4", "(7,)")).parse().value().big_endian);
  CHECK_FALSE(NpyHeaderParser(npy_header("|u1", "(7,)")).parse().value().big_endian);
  CHECK(NpyHeaderParser("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }").parse().value().column_major);
  CHECK(NpyHeaderParser(npy_header("|u1", "(7,)")).parse().value().data_bytes == 7);
  CHECK(NpyHeaderParser(npy_header("<i4", "(0, 9223372036854775807)")).parse().error().kind == ErrorKind::malformed);
  CHECK(NpyHeaderParser(npy_header("<i4", "(0, 5)")).parse().value().data_bytes == 0);
}

TEST_CASE("npy headers that say what we do not read are refused with the way out") {
  const auto refused = [](const std::string& text, const std::string& advice) {
    const auto header = NpyHeaderParser(text).parse();
    REQUIRE_FALSE(header);
    CHECK(header.error().kind == ErrorKind::unsupported);
    CHECK_THAT(header.error().message, contains(advice));
  };
  refused(npy_header("|O", "(3,)"), "pickled Python objects");
  refused(npy_header("O8", "(3,)"), "pickled Python objects");
  refused(npy_header(">V2", "(3,)"), "nobody knows what to turn around");
  refused(npy_header("<c8", "(3,)"), "<c8");
  refused(npy_header("<f16", "(3,)"), "<f16");
  refused(npy_header("<U5", "(3,)"), "<U5");
  refused(npy_header("<M8[ns]", "(3,)"), "M8[ns]");
  refused("{'descr': [('x', '<f4'), ('y', '<i4')], 'fortran_order': False, 'shape': (3,), }", "structured");
  refused("{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (3,), }", "structured");
}

TEST_CASE("npy headers that contradict themselves are malformed") {
  const auto malformed = [](const std::string& text, const std::string& reason) {
    const auto header = NpyHeaderParser(text).parse();
    REQUIRE_FALSE(header);
    CHECK(header.error().kind == ErrorKind::malformed);
    CHECK_THAT(header.error().message, contains(reason));
  };
  malformed("", "expected '{', found its end");
  malformed("{}", "lacks the key 'descr'");
  malformed("{'descr': '<f4', 'fortran_order': False}", "lacks the key 'shape'");
  malformed("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "'descr' twice");
  malformed("{'descr': '<f4', 'order': False, 'shape': (1,)}", "key 'order'");
  malformed("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "True or False");
  malformed("{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", "',' or '}'");
  malformed("{'descr': '<f4", "closed");
  malformed("{'descr': 4, 'fortran_order': False, 'shape': (1,)}", "quoted string");
  malformed(npy_header("", "(1,)"), "names no type");
  malformed(npy_header("f4", "(1,)"), "byte order");
  malformed(npy_header("<f4", "(-1,)"), "-1");
  malformed(npy_header("<f4", "(3)"), "(3,)");
  malformed(npy_header("<f4", "[3]"), "'(' of a shape");
  malformed(npy_header("<f4", "(3 4)"), "',' or ')'");
  malformed(npy_header("<f4", "(,)"), "an extent");
  malformed(npy_header("<f4", "(9223372036854775808,)"), "2^63");
  malformed(npy_header("<f4", "(4294967296, 4294967296)"), "2^63");
  malformed(npy_header("<f4", "(2305843009213693952,)"), "2^63");  // elements fit, bytes do not
  malformed(npy_header("<f4", "(1,)") + " extra", "end of the header");
}

TEST_CASE("npy preambles are padded so that the data is aligned, whatever the number of dimensions") {
  for (const std::size_t rank : {0u, 1u, 2u, 9u, 40u, 30000u}) {
    const std::vector<Index> shape(rank, 1);
    const std::string preamble = assay::detail::npy_preamble({NpyKind::floating, 4}, shape);
    CHECK(preamble.size() % 64 == 0);
    CHECK(preamble.back() == '\n');
    const bool small = preamble[6] == 1;
    CHECK(small == (preamble.size() <= 65535 + 10));
    const auto header = NpyHeaderParser(std::string_view(preamble).substr(small ? 10 : 12)).parse();
    REQUIRE(header);
    CHECK(header.value().shape == shape);
  }
}
