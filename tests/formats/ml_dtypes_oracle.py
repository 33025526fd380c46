"""ml_dtypes_oracle.py PROGRAM ENVIRONMENT: ml_dtypes and numpy convert the same numbers as the test program.

Every code is decoded; encoded are all float16 and bfloat16 patterns, all midpoints between neighboring codes with both of
their neighbors, as float32 and as float64, ten million random float32 (half of them any bit pattern, half in the range of
the format) and two million float64. A disagreement is allowed only if it is of a known kind, in the number that stands in
EXPECTED below; who is right is decided here, by exact fractions.

ENVIRONMENT is a virtual environment that cmake/test.sh makes. Exit status 77, which ctest calls skipped, with the reason,
where that version of ml_dtypes is not to be had.
"""

import collections
import functools
import os
import subprocess
import sys
import tempfile
from fractions import Fraction

VERSION = "0.6.0"

program, environment = sys.argv[1:3]
try:
    import ml_dtypes
    import numpy as np

    found = f"ml_dtypes {ml_dtypes.__version__} is installed"
except ImportError:
    ml_dtypes = None
    found = "ml_dtypes is not installed"
if ml_dtypes is None or ml_dtypes.__version__ != VERSION:
    interpreter = os.path.join(environment, "bin", "python3")
    if os.path.exists(interpreter) and os.path.realpath(sys.prefix) != os.path.realpath(environment):
        os.execv(interpreter, [interpreter, *sys.argv])
    reason = os.path.join(environment, "reason")
    why = open(reason).read().strip() if os.path.exists(reason) else "cmake/test.sh installs it"
    print(f"skipped: {found}, this test needs {VERSION}: {why}")
    sys.exit(77)

# Kinds of disagreement, and who is right.
KINDS = {
    "NaN": "both are NaN, with another sign or payload, which no specification fixes: Assay gives the one quiet NaN, ml_dtypes keeps the sign,"
    " numpy the payload, too",
    "NaN to zero": "the format has no NaN; OCP MX 1.0 leaves the conversion to the implementation: Assay gives the largest value, ml_dtypes a zero",
    "rounded twice": "ml_dtypes converts float64 to float32 first, and the second rounding meets a tie that the first one made: Assay's code is nearer",
    "lost in float32": "the same way a positive float64 becomes 0 and then NaN in e8m0fnu, which OCP MX 1.0 does not ask for: Assay gives the smallest number",
    "subnormal": "ml_dtypes gives 2^-126 for numbers between 2^-127 and 1.5 times 2^-127, which are subnormal in float32: Assay's code is nearer",
    "truncated": "ml_dtypes drops the fraction, as a cast in C++ does; Assay rounds to nearest, ties to even, as quantization does",
    "wrapped": "ml_dtypes keeps the lowest bits of an integer out of range; Assay gives the end of the range, as quantization does",
}

# The format: its name in ml_dtypes, its bits, how many values are compared, and how many disagreements of each kind there are.
EXPECTED = {
    "f16": ("float16", 16, 12_577_554, {"NaN": 24_284}),
    "bf16": ("bfloat16", 16, 12_588_306, {"NaN": 11_184, "rounded twice": 68_388}),
    "e4m3fn": ("float8_e4m3fn", 8, 12_132_870, {"NaN": 11_058, "rounded twice": 2_983}),
    "e5m2": ("float8_e5m2", 8, 12_132_834, {"NaN": 11_058, "rounded twice": 3_048}),
    "e4m3fnuz": ("float8_e4m3fnuz", 8, 12_132_882, {"rounded twice": 2_912}),
    "e5m2fnuz": ("float8_e5m2fnuz", 8, 12_132_882, {"rounded twice": 3_074}),
    "e4m3b11fnuz": ("float8_e4m3b11fnuz", 8, 12_132_882, {"rounded twice": 2_912}),
    "e4m3": ("float8_e4m3", 8, 12_132_786, {"NaN": 11_058, "rounded twice": 2_837}),
    "e3m4": ("float8_e3m4", 8, 12_132_690, {"NaN": 11_058, "rounded twice": 2_604}),
    "e8m0fnu": ("float8_e8m0fnu", 8, 12_132_882, {"subnormal": 3_540, "lost in float32": 212_696, "rounded twice": 1_760}),
    "e2m3fn": ("float6_e2m3fn", 6, 12_131_538, {"NaN to zero": 22_384, "rounded twice": 2_073}),
    "e3m2fn": ("float6_e3m2fn", 6, 12_131_538, {"NaN to zero": 22_384, "rounded twice": 2_269}),
    "e2m1fn": ("float4_e2m1fn", 4, 12_131_202, {"NaN to zero": 22_384, "rounded twice": 1_617}),
    "int4": ("int4", 4, 9_198_387, {"truncated": 1_834_045, "wrapped": 2_183_847}),
    "uint4": ("uint4", 4, 9_198_387, {"truncated": 980_239, "wrapped": 3_289_518}),
    "int2": ("int2", 2, 9_198_303, {"truncated": 1_258_436, "wrapped": 2_354_614}),
    "uint2": ("uint2", 2, 9_198_303, {"truncated": 756_313, "wrapped": 2_878_047}),
}


def dtype_of(format):
    name = EXPECTED[format][0]
    return np.dtype(np.float16 if name == "float16" else getattr(ml_dtypes, name))


def all_codes(format):
    return np.arange(1 << EXPECTED[format][1]).astype(f"u{dtype_of(format).itemsize}")


def is_integer(format):
    return "int" in format


@functools.cache
def finite_values(format):
    """The finite values in order, and, at each end, the one that would follow if the format went on."""
    values = value_of(format, all_codes(format))
    values = np.unique(values[np.isfinite(values)])
    if values[0] > 0:  # powers of two
        return np.concatenate([[values[0] / 2], values, [values[-1] * 2]])
    return np.concatenate([[2 * values[0] - values[1]], values, [2 * values[-1] - values[-2]]])


def random_bits(count, seed, float_type):
    return np.random.PCG64(seed).random_raw(count * np.dtype(float_type).itemsize // 8).view(float_type)


def random_in_range(count, seed, float_type, format):
    """Exponents from two below the smallest value's to two above the largest's; half of the values have few significant bits."""
    fraction_bits, bias = {"f4": (23, 127), "f8": (52, 1023)}[float_type]
    values = finite_values(format)
    exponents = np.frexp([np.min(values[values > 0]), values[-1]])[1].astype("i8") - 1
    least, most = np.clip(exponents + [-2, 2], 1 - bias, bias)
    raw, more = np.random.PCG64(seed).random_raw(2 * count).reshape(2, count)
    fields = (raw % np.uint64(most - least + 1)).astype("i8") + least + bias
    fraction = more >> np.uint64(64 - fraction_bits)
    few = np.uint64((1 << fraction_bits) - 1) << (raw >> np.uint64(32)) % np.uint64(fraction_bits)
    fraction = np.where(raw >> np.uint64(63), fraction, fraction & few)
    bits = (raw >> np.uint64(62) & np.uint64(1)) << np.uint64(8 * int(float_type[1]) - 1) | fields.astype("u8") << np.uint64(fraction_bits) | fraction
    return bits.astype("u" + float_type[1]).view(float_type)


def beside(values, float_type):
    """The values, which must be exact in that type, and the neighbors of each."""
    exact = values.astype(float_type)
    assert np.array_equal(exact.astype("f8"), values), f"a midpoint is not exact in {float_type}"
    infinity = exact.dtype.type(np.inf)
    return np.concatenate([exact, np.nextafter(exact, infinity), np.nextafter(exact, -infinity)])


def shared_inputs():
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan]
    return {
        "f16": np.arange(65536, dtype="u2").view("f2"),
        "bf16": np.arange(65536, dtype="u2").view(ml_dtypes.bfloat16),
        "random_f32": np.concatenate([random_bits(5_000_000, 1, "f4"), np.array(special + [1e-45, -1e-45, 3.4028235e38], "f4")]),
        "random_f64": np.concatenate([random_bits(1_000_000, 2, "f8"), np.array(special + [5e-324, -5e-324, 1.7976931348623157e308], "f8")]),
    }


def own_inputs(format):
    values = finite_values(format)
    midpoints = values[:-1] + (values[1:] - values[:-1]) / 2
    near = random_in_range(1_000_000, 4, "f8", format)
    near = (near.view("i8") + np.arange(near.size) % 3 - 1).view("f8")  # ties, and what float32 would make one
    return {
        "midpoints_f32": beside(midpoints, "f4"),
        "midpoints_f64": beside(midpoints, "f8"),
        "range_f32": random_in_range(5_000_000, 3, "f4", format),
        "range_f64": near,
    }


def inputs_of(format, shared):
    inputs = {**shared, **own_inputs(format)}
    if is_integer(format):  # C++ leaves casts of larger numbers undefined
        inputs = {what: array[np.abs(array.astype("f8")) < 128] for what, array in inputs.items()}
    return {"decode": all_codes(format), **inputs}


def value_of(format, codes):
    return codes.view(dtype_of(format)).astype("f8")


def nearer(format, among, values, ours, theirs):
    """Where, among those places, `ours` is nearer to the value than `theirs`, in exact arithmetic; beyond the largest value the format goes on."""
    beyond = Fraction(finite_values(format)[-1])

    def distance(value, decoded):
        return abs(Fraction(value) - (Fraction(decoded) if np.isfinite(decoded) else beyond if value > 0 else -beyond))

    result = np.zeros(len(values), bool)
    for i in np.flatnonzero(among):
        result[i] = distance(values[i], ours[i]) < distance(values[i], theirs[i])
    return result


def kinds_of_integers(format, values, ours, theirs):
    lowest, highest = finite_values(format)[[1, -2]]
    truncated = np.trunc(values)
    inside = (truncated >= lowest) & (truncated <= highest)
    right = ours == np.clip(np.rint(values), lowest, highest)
    span = highest - lowest + 1
    yield "truncated", right & inside & (theirs == truncated)
    yield "wrapped", right & ~inside & ((theirs - truncated) % span == 0)


def kinds_of_floats(format, what, values, ours, theirs):
    nan = np.isnan(values)
    without_nan = not np.isnan(value_of(format, all_codes(format))).any()
    smallest, largest = finite_values(format)[[1, -2]]
    yield "NaN", nan & np.isnan(ours) & np.isnan(theirs)
    yield "NaN to zero", nan & without_nan & (theirs == 0) & (ours == largest)
    lost = (values > 0) & (values.astype("f4") == 0) & (ours == smallest) & np.isnan(theirs)
    yield "lost in float32", lost
    subnormal = (format == "e8m0fnu") & (values > 2.0**-127) & (values < 1.5 * 2.0**-127)
    yield "subnormal", nearer(format, subnormal, values, ours, theirs)
    if what.endswith("_f64"):
        inexact = np.isfinite(values) & (values.astype("f4") != values) & ((values > 0) | (smallest < 0))
        yield "rounded twice", nearer(format, inexact & ~lost & ~subnormal, values, ours, theirs)


def judge(format, what, inputs, ours, theirs):
    """How many disagreements there are of each kind, about codes, or about values if `what` is "decode". Raises where one is of no known kind."""
    places = np.flatnonzero(ours.view(f"u{ours.itemsize}") != theirs.view(f"u{theirs.itemsize}"))
    inputs, ours, theirs = inputs[places], ours[places], theirs[places]
    if what == "decode":
        kinds = {"NaN": np.isnan(value_of(format, inputs)) & np.isnan(ours) & np.isnan(theirs)}
    elif is_integer(format):
        kinds = dict(kinds_of_integers(format, inputs.astype("f8"), value_of(format, ours), value_of(format, theirs)))
    else:
        kinds = dict(kinds_of_floats(format, what, inputs.astype("f8"), value_of(format, ours), value_of(format, theirs)))
    unexplained = np.flatnonzero(sum(kinds.values()) != 1)
    if unexplained.size:
        shown = [f"{inputs[i]!r}: {ours[i]!r} here, {theirs[i]!r} there" for i in unexplained[:5]]
        raise AssertionError(f"{format} {what}: {unexplained.size} of {len(places)} disagreements are of no known kind: {'; '.join(shown)}")
    return collections.Counter({kind: int(where.sum()) for kind, where in kinds.items() if where.any()})


def is_caught(*arguments):
    try:
        judge(*arguments)
    except AssertionError:
        return True
    return False


def convert(conversions):
    """What the test program makes of {(format, what): inputs}."""
    with tempfile.TemporaryDirectory() as directory:
        given = {}  # arrays that several formats share are written once
        with open(os.path.join(directory, "requests.txt"), "w") as requests:
            for number, ((format, what), array) in enumerate(conversions.items()):
                if id(array) not in given:
                    given[id(array)] = f"in{number}"
                    known = array.dtype in (np.dtype("f4"), np.dtype("f8")) or what == "decode"
                    (array if known else array.astype("f4")).tofile(os.path.join(directory, f"in{number}"))
                conversion = what if what == "decode" else "encode_f64" if array.dtype == np.dtype("f8") else "encode_f32"
                requests.write(f"{format} {conversion} {given[id(array)]} out{number}\n")
        subprocess.run([program, "[.ml_dtypes]"], check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, ASSAY_ORACLE_DIRECTORY=directory))
        result = {}
        for number, (format, what) in enumerate(conversions):
            result[format, what] = np.fromfile(os.path.join(directory, f"out{number}"), "f8" if what == "decode" else all_codes(format).dtype)
        return result


def compare(format, shared):
    """How many values were compared, and the disagreements by kind."""
    inputs = inputs_of(format, shared)
    converted = convert({(format, what): array for what, array in inputs.items()})
    count, kinds = 0, collections.Counter()
    for what, array in inputs.items():
        ours = converted[format, what]
        theirs = value_of(format, array) if what == "decode" else array.astype(dtype_of(format)).view(ours.dtype)
        assert len(ours) == len(theirs) == len(array)
        kinds += judge(format, what, array, ours, theirs)
        count += len(array)
        # One wrong code among all must not escape.
        spoilt = ours.copy()
        agreed = np.flatnonzero(np.isfinite(theirs if what == "decode" else array.astype("f8")) & (ours == theirs))
        place = agreed[agreed.size // 3]
        spoilt[place] = spoilt[place] + 1 if what == "decode" else spoilt[place] ^ 1
        assert is_caught(format, what, array, spoilt, theirs), f"{format} {what}: a wrong code is not seen"
    return count, dict(kinds)


def main():
    np.seterr(all="ignore")
    shared = shared_inputs()
    wrong = []
    print(f"ml_dtypes {ml_dtypes.__version__}, numpy {np.__version__}")
    print("format          values disagreements")
    for format in EXPECTED:
        count, kinds = compare(format, shared)
        print(f"{format:<12} {count:>9} {sum(kinds.values()):>13} ", ", ".join(f"{kind} {n}" for kind, n in kinds.items()), flush=True)
        if EXPECTED[format][2:] != (count, kinds):
            wrong.append(f"{format}: counted {count, kinds}, expected {EXPECTED[format][2:]}")
    for kind, reason in KINDS.items():
        print(f"{kind}: {reason}")
    assert not wrong, "; ".join(wrong)


main()
