"""The interval of a share, for all that scores here."""
import math


def wilson(hits, n):
    """Wilson's 95 % interval of hits out of n; all of 0 to 1 where n is 0."""
    if not n:
        return 0.0, 1.0
    z, p = 1.96, hits / n
    mid = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, mid - half), min(1.0, mid + half)
