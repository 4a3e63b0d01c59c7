"""SymPy expressions as C of the kernels: + - * / sqrt, fma where a product is added, and the functions of elementary.h."""
from __future__ import annotations

from typing import Iterable, Mapping, Optional

import sympy
from sympy.core.function import UndefinedFunction


class rsqrt(sympy.Function):  # type: ignore[misc]
    """1/sqrt(x), of which the kernels have a quick one."""

    nargs = 1


class root(sympy.Function):  # type: ignore[misc]
    """sqrt(x), kept apart from powers."""

    nargs = 1


class sinc_of_square(sympy.Function):  # type: ignore[misc]
    """sin(t)/t of t^2, smooth at 0."""

    nargs = 1


class cosc_of_square(sympy.Function):  # type: ignore[misc]
    """(1 - cos t)/t^2 of t^2, smooth at 0."""

    nargs = 1


PLAIN = {sympy.exp: "real_exp", sympy.log: "real_log", sympy.atan: "real_atan", sympy.atan2: "real_atan2", root: "real_sqrt"}
KNOWN = ("sqrt", "powers", "sin", "cos", "tan", "exp", "log", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh")


def in_known_functions(e: sympy.Expr) -> sympy.Expr:
    """The same of functions that the kernels have; those that they do not have are refused by name."""
    e = e.replace(sympy.tan, lambda x: sympy.sin(x) / sympy.cos(x))
    e = e.replace(sympy.asin, lambda x: sympy.atan2(x, sympy.sqrt(1 - x**2)))
    e = e.replace(sympy.acos, lambda x: sympy.atan2(sympy.sqrt(1 - x**2), x))
    for f in (sympy.sinh, sympy.cosh, sympy.tanh):
        e = e.replace(f, lambda x, f=f: f(x).rewrite(sympy.exp))
    allowed = (sympy.sin, sympy.cos, sinc_of_square, cosc_of_square, rsqrt, *PLAIN)
    for f in e.atoms(sympy.Function, UndefinedFunction):
        if not isinstance(f, allowed):
            raise ValueError(f"the kernels have no '{f.func.__name__}'; they have {', '.join(KNOWN)}")
    for part in sympy.preorder_traversal(e):
        if not isinstance(part, (sympy.Add, sympy.Mul, sympy.Pow, sympy.Symbol, sympy.Number, sympy.NumberSymbol, sympy.Function)):
            raise ValueError(f"the kernels have no '{type(part).__name__}'; they have sums, products and {', '.join(KNOWN)}")
        if part.is_finite is False or part.is_extended_real is False:
            raise ValueError(f"the potential has a part that is not a finite real: {part}")
    return e


def _half_integer(p: sympy.Expr) -> bool:
    return bool(p.is_Rational and p.q == 2)


def with_roots(expressions: "list[sympy.Expr]") -> "list[sympy.Expr]":
    """Powers of halves by 1/sqrt; sqrt(x) is x/sqrt(x) where that is there anyway."""
    powers = {p for e in expressions for p in e.atoms(sympy.Pow) if _half_integer(p.exp)}
    inverted = {p.base for p in powers if p.exp < 0}

    def rooted(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
        if not _half_integer(exponent):
            return sympy.Pow(base, exponent)
        whole = abs(exponent.p)
        if exponent < 0:
            return rsqrt(base)**whole
        return base**((whole + 1) // 2) * rsqrt(base) if base in inverted else base**((whole - 1) // 2) * root(base)

    return [e.replace(sympy.Pow, rooted) if e.has(sympy.Pow) else e for e in expressions]


class Emitter:
    """Statements that compute expressions: each definition once, where it is first needed."""

    def __init__(self, names: Mapping[sympy.Symbol, str], definitions: Mapping[sympy.Symbol, sympy.Expr]):
        self.names: "dict[sympy.Symbol, str]" = dict(names)
        self.definitions: "dict[sympy.Symbol, sympy.Expr]" = dict(definitions)
        self.lines: "list[str]" = []
        self.known: "dict[sympy.Expr, str]" = {}
        self.count = 0

    # ---- atoms ----

    def _assign(self, value: str, name: Optional[str] = None) -> str:
        if name is None:
            name = f"v{self.count}"
            self.count += 1
        self.lines.append(f"real {name} = {value};")
        return name

    def atom(self, e: sympy.Expr) -> str:
        """A name, or a number."""
        if e.is_Symbol:
            return self._symbol(e)
        if e.is_number:
            return _literal(e)
        if e not in self.known:
            self.known[e] = self._assign(self.value(e))
        return self.known[e]

    def real(self, e: sympy.Expr) -> str:
        """The same, where a function wants a real."""
        return f"real_splat({_literal(e)})" if e.is_number else self.atom(e)

    def _symbol(self, e: sympy.Symbol) -> str:
        if e not in self.names:
            value = self.definitions[e]
            if value.is_Symbol:
                self.names[e] = self._symbol(value)
            else:
                text = self.value(value)
                self.names[e] = self._assign(f"real_splat({text})" if value.is_number else text, str(e))
        return str(self.names[e])

    # ---- expressions ----

    def value(self, e: sympy.Expr) -> str:
        if e.is_Add:
            return self._sum(e)
        if e.is_Mul:
            return self._product(e)
        if e.is_Pow:
            return self._power(e.base, e.exp)
        if isinstance(e, sympy.Function):
            return self._function(e)
        return self.atom(e)

    def factor(self, e: sympy.Expr) -> str:
        """As a factor of a product."""
        if e.is_Add:
            text = self._sum(e)
            return text if _is_call(text) else f"({text})"
        if e.is_Pow or e.is_Mul:
            return self.atom(e)
        return self.value(e)

    def _product(self, e: sympy.Expr) -> str:
        coefficient, rest = e.as_coeff_Mul()
        above = [f for f in sympy.Mul.make_args(rest) if not _divides(f)]
        below = [f for f in sympy.Mul.make_args(rest) if _divides(f)]
        sign = "-" if coefficient < 0 else ""
        parts = ([] if abs(coefficient) == 1 else [_literal(abs(coefficient))]) + [self.factor(f) for f in above]
        text = sign + (" * ".join(parts) or "1.0")
        if not below:
            return text
        under = sympy.Mul(*[1 / f for f in below])
        return f"{text} / {self.atom(under)}"

    def _sum(self, e: sympy.Expr) -> str:
        """One fma for each product that is added."""
        terms = sorted(e.args, key=lambda t: (t.is_number, self._is_product(t), t.could_extract_minus_sign(), sympy.default_sort_key(t)))
        plain = [t for t in terms if not self._is_product(t)]
        first = next((t for t in plain if not t.could_extract_minus_sign()), plain[-1] if plain and plain[-1].is_number else terms[0])
        literal = first.is_number
        text = _literal(first) if literal else self.value(first)
        for t in terms:
            if t is first:
                continue
            coefficient, rest = t.as_coeff_Mul()
            negative = coefficient < 0
            if not self._is_product(t):
                text = f"{text} {'-' if negative else '+'} {self.factor(abs(coefficient) * rest) if not t.is_number else _literal(abs(t))}"
            else:
                one, other = self._halves(abs(coefficient), rest)
                text = f"real_{'fnma' if negative else 'fma'}({one}, {other}, {f'real_splat({text})' if literal else text})"
            literal = False
        return text

    @staticmethod
    def _is_product(t: sympy.Expr) -> bool:
        return bool(t.is_Mul and not (t.as_coeff_Mul()[0] == -1 and not t.as_coeff_Mul()[1].is_Mul)
                    and not any(_divides(f) for f in t.args)) or bool(t.is_Pow and t.exp.is_Integer and t.exp == 2)

    def _halves(self, coefficient: sympy.Expr, rest: sympy.Expr) -> "tuple[str, str]":
        """A product as two factors."""
        if coefficient != 1:
            return f"real_splat({_literal(coefficient)})", self._whole(rest)
        if rest.is_Pow:
            base = self.atom(rest.base)
            return base, base
        factors = sympy.Mul.make_args(rest)
        return self._whole(factors[0]), self._whole(sympy.Mul(*factors[1:]))

    def _whole(self, e: sympy.Expr) -> str:
        return self.value(e)

    def _power(self, base: sympy.Expr, exponent: sympy.Expr) -> str:
        if exponent.is_Integer and exponent < 0:
            return f"1.0 / {self.atom(base**-exponent)}"
        if exponent.is_Integer:
            return self._whole_power(base, int(exponent))
        return f"real_exp({self.value(exponent * sympy.log(base))})"

    def _whole_power(self, base: sympy.Expr, n: int) -> str:
        if n == 1:
            return self.factor(base)
        half, odd = divmod(n, 2)
        below = self.atom(base) if half == 1 else self.atom(base**half)
        return f"{below} * {below}" + (f" * {self.atom(base)}" if odd else "")

    def _function(self, e: sympy.Function) -> str:
        if isinstance(e, (sympy.sin, sympy.cos)):
            return self._circular(e)
        if isinstance(e, (sinc_of_square, cosc_of_square)):
            return f"real_rotation_series({self.real(e.args[0])}).{'sinc' if isinstance(e, sinc_of_square) else 'cosc'}"
        if isinstance(e, rsqrt):  # which has no meaning for what is not positive: NaN, as of sqrt
            x = self.real(e.args[0])
            return f"real_select(real_less(real_splat(0.0), {x}), real_rsqrt({x}), real_nan())"
        return f"{PLAIN[e.func]}({', '.join(self.real(a) for a in e.args)})"

    def _circular(self, e: sympy.Function) -> str:
        """Both at once."""
        x = self.real(e.args[0])
        sine, cosine = f"sine{self.count}", f"cosine{self.count}"
        self.count += 1
        self.lines += [f"real {sine}, {cosine};", f"real_sincos({x}, &{sine}, &{cosine});"]
        self.known[sympy.sin(e.args[0])], self.known[sympy.cos(e.args[0])] = sine, cosine
        return self.known[e]


def _divides(f: sympy.Expr) -> bool:
    return bool(f.is_Pow and f.exp.is_Integer and f.exp < 0)


def _literal(n: sympy.Expr) -> str:
    return repr(float(n))


def _is_call(text: str) -> bool:
    """real_fma(...) as a whole, which needs no parentheses around it."""
    if not text.startswith("real_f"):
        return False
    depth = 0
    for i, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if not depth and character == ")":
            return i == len(text) - 1
    return False


def statements(names: Mapping[sympy.Symbol, str], definitions: Mapping[sympy.Symbol, sympy.Expr],
               outputs: Iterable[sympy.Expr]) -> "tuple[list[str], list[str]]":
    """Lines that compute what is needed, and the outputs, with common subexpressions taken out."""
    outputs = list(outputs)
    needed: "dict[sympy.Symbol, sympy.Expr]" = {}

    def need(e: sympy.Expr) -> None:
        for s in sorted(e.free_symbols, key=str):
            if s in definitions and s not in needed:
                needed[s] = definitions[s]
                need(definitions[s])

    for e in outputs:
        need(e)
    expressions = with_roots([*needed.values(), *outputs])
    taken, expressions = sympy.cse(expressions, symbols=sympy.numbered_symbols("x"), optimizations=[])
    all_definitions = dict(taken)
    all_definitions.update(zip(needed, expressions))
    emitter = Emitter(names, all_definitions)
    values = [emitter.real(e) for e in expressions[len(needed):]]
    return emitter.lines, values
