"""Prints the reference values of the tests beside it, from the standard library alone: python3 references.py

Tails of the normal and chi-square distributions are series in 60 digits, those of Student's t Simpson's rule over its density.
"""
from decimal import Decimal as D, getcontext
from math import exp, lgamma, log, pi, sqrt
from statistics import NormalDist, mean, variance

getcontext().prec = 60
PI = D("3.14159265358979323846264338327950288419716939937510582097494459")


def show(name, *values):
    print(name, *("%.17g" % float(value) for value in values))


def normal_p(z):  # two-sided, by Laplace's continued fraction of Mills' ratio
    z = D(z)
    fraction = z
    for k in range(4000, 0, -1):
        fraction = z + D(k) / fraction
    return 2 * (-z * z / 2).exp() / ((2 * PI).sqrt() * fraction)


def chi_square_tail(x, k):  # by the power series of the incomplete gamma function
    half, a = D(x) / 2, D(k) / 2
    gamma = D(1) if k % 2 == 0 else PI.sqrt()
    factor = a
    while factor > 0:
        gamma *= factor
        factor -= 1
    total = term = D(1)
    for i in range(1, 5000):
        term *= half / (a + i)
        total += term
    return 1 - (a * half.ln()).exp() * (-half).exp() * total / gamma


def t_p(t, v, steps=200_000):  # two-sided; x = t / u makes the tail an integral over (0, 1)
    scale = lgamma((v + 1) / 2) - lgamma(v / 2) - log(v * pi) / 2

    def density(u):
        return 0 if u == 0 else exp(scale - (v + 1) / 2 * log(1 + (t / u) ** 2 / v)) * t / u**2

    h = 1 / steps
    inner = sum((4 if i % 2 else 2) * density(i * h) for i in range(1, steps))
    return 2 * (density(0) + inner + density(1)) * h / 3


def t_critical(v):
    low, high = 0.5, 20
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if t_p(middle, v, 20_000) > 0.05 else (low, middle)
    return low


def welch(name, ma, va, na, mb, vb, nb):
    a, b = va / na, vb / nb
    t = (mb - ma) / sqrt(a + b)
    v = (a + b) ** 2 / (a**2 / (na - 1) + b**2 / (nb - 1))
    half = t_critical(v) * sqrt(a + b)
    show(name, t, v, t_p(abs(t), v), mb - ma - half, mb - ma + half)
    return t_critical(v)


for z in ("1.5", "3", "9", "20", "37"):
    show(f"normal p {z}", normal_p(z))
for x, k in (("3.5", 5), ("2", 5), ("81", 1), ("100", 3), ("60", 2), ("0.5", 4), ("12", 7)):
    show(f"chi-square {x} {k}", chi_square_tail(x, k))
for t, v in ((2, 7.77), (9, 30), (30, 100), (2, 3.5)):
    show(f"t p {t} {v}", t_p(t, v))
show("t critical 7.77, 17.7764735161785", t_critical(7.77), t_critical(17.7764735161785))

control = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
treated = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
welch("sleep", mean(control), variance(control), 10, mean(treated), variance(treated), 10)

critical = welch("growthbook", 0.41, 3.9**2, 3407, 0.7, 6.2**2, 3461)
error = sqrt(6.2**2 / 3461 / 0.41**2 + 3.9**2 / 3407 * 0.7**2 / 0.41**4)
show("growthbook lift", 0.29 / 0.41, error, 0.29 / 0.41 - critical * error, 0.29 / 0.41 + critical * error)

for xa, na, xb, nb in ((400, 500, 490, 500), (300, 1000, 345, 1010)):
    a, b, pooled = xa / na, xb / nb, (xa + xb) / (na + nb)
    z = (b - a) / sqrt(pooled * (1 - pooled) * (1 / na + 1 / nb))
    half = NormalDist().inv_cdf(0.975) * sqrt(a * (1 - a) / na + b * (1 - b) / nb)
    show(f"shares {xa}/{na} {xb}/{nb}", z, normal_p(abs(z)), b - a - half, b - a + half)

rho2 = (-2 * log(0.05) + log(-2 * log(0.05) + 1)) / 5000
for n in (500, 2000, 5000, 100_000):
    width = sqrt(n) * sqrt(2 * (n * rho2 + 1) / (n**2 * rho2) * log(sqrt(n * rho2 + 1) / 0.05))
    show(f"sequential {n}", width, width / NormalDist().inv_cdf(0.975))

z = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
for p, q in ((0.3, 0.35), (0.1, 0.11)):
    show(f"sample size {p} {q}", z**2 * (p * (1 - p) + q * (1 - q)) / (q - p) ** 2)
