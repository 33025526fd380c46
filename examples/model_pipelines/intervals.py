"""What a few measurements of time say of all."""

import math

import numpy as np


def median_interval(seconds):
    """The median and order statistics that hold it with 95 %, whatever the distribution."""
    ordered, n = np.sort(seconds), len(seconds)
    below, k = 0.0, 0
    while below + math.comb(n, k) / 2**n <= 0.025:
        below += math.comb(n, k) / 2**n
        k += 1
    return float(np.median(ordered)), float(ordered[max(k - 1, 0)]), float(ordered[min(n - k, n - 1)])
