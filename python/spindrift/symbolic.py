"""A problem of one's own: a potential as a SymPy expression, from which torque, its derivative and the header are made.

U depends on Q through forms that are linear in its entries: U = F(s1, s2, ...), s = tr(A^T Q) with A a matrix of numbers and
parameters.  Along Q exp(y), with M = A^T Q,

    ds = t . y,   dt = D y,   t = (M23 - M32, M31 - M13, M12 - M21),   D_kl = M_lk - delta_kl tr M
    torque = -sum F_i t_i,    K = -sum F_i D_i - sum F_ij t_i t_j^T

so that only F, of few variables, is differentiated.  Where A is a rotation, s is the squared distance 2 tr(I - A^T Q), which
attitude.h has without the cancellation."""
from __future__ import annotations

import hashlib
import inspect
import os
import pathlib
import re
import tempfile
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import sympy

from .emitting import cosc_of_square, in_known_functions, sinc_of_square, statements

ROOM = 12  # constants that a problem may have: SD_PROBLEM_MAX of kernels/so3/body.h
AXES = "xyz"

Numbers = Union[float, Sequence[float]]


class Named:
    """Parameters as symbols: c.k, and c.axis[0] of several numbers."""

    def __init__(self, symbols: Mapping[str, Any]):
        self.__dict__.update(symbols)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"the problem has no parameter '{name}', but {', '.join(self.__dict__) or 'none'}")


def rotation(vector: Any) -> sympy.Matrix:
    """exp(hat(vector)), the rotation by a rotation vector of numbers or parameters."""
    x, y, z = vector
    hat = sympy.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    square = x**2 + y**2 + z**2
    return sympy.eye(3) + sinc_of_square(square) * hat + cosc_of_square(square) * hat * hat


def _three(name: str, numbers: Sequence[float]) -> "tuple[float, ...]":
    three = tuple(float(n) for n in numbers)
    if len(three) != 3:
        raise ValueError(f"{name}: three numbers, not {len(three)}")
    return three


class Form:
    """What is linear in Q: its value, and along Q exp(y)  ds = lever axis . y,  d(lever axis) = bend derivative y."""

    room = 0  # constants that it has of its own

    def __init__(self, index: int, of: Any, Q: sympy.Matrix):
        self.index, self.of, self.Q = index, of, Q
        self.value = sympy.Symbol(f"s{index}", real=True)
        self.lever: sympy.Expr = sympy.Integer(1)
        self.bend: sympy.Expr = sympy.Integer(1)
        self.axis: "list[sympy.Expr]" = []
        self.derivative: sympy.Matrix = sympy.zeros(3)

    def define(self, define: Callable[[str, sympy.Expr], sympy.Expr], definitions: "dict[sympy.Symbol, sympy.Expr]") -> None:
        raise NotImplementedError

    def names(self) -> "dict[sympy.Symbol, str]":
        return {}

    def prelude(self, first: int) -> str:
        return ""

    def loaded(self) -> "list[sympy.Expr]":
        """What its own constants are made of, of the parameters."""
        return []

    def load(self, first: int, values: Sequence[str]) -> "list[str]":
        return []


class Linear(Form):
    """tr(A^T Q) of any matrix."""

    def define(self, define: Callable[[str, sympy.Expr], sympy.Expr], definitions: "dict[sympy.Symbol, sympy.Expr]") -> None:
        product = self.of.T * self.Q
        M = sympy.Matrix(3, 3, lambda k, l: define(f"m{self.index}_{k}{l}", product[k, l]))
        definitions[self.value] = M.trace()
        self.axis = [define(f"t{self.index}_{k}", M[(k + 1) % 3, (k + 2) % 3] - M[(k + 2) % 3, (k + 1) % 3]) for k in range(3)]
        self.derivative = sympy.Matrix(3, 3, lambda k, l: M[l, k] - (self.value if k == l else 0))


class Distance(Form):
    """2 tr(I - A^T Q) of a rotation A, which is given by its rotation vector; by none: the identity."""

    def __init__(self, index: int, of: Any, Q: sympy.Matrix):
        super().__init__(index, of, Q)
        self.room = 4 if any(of) else 0
        factor = sympy.Symbol(f"r{index}_factor", real=True)
        self.lever, self.bend = 2 * factor, sympy.Integer(2)
        self.axis = [sympy.Symbol(f"r{index}_axis{k}", real=True) for k in range(3)]
        self.derivative = sympy.Matrix(3, 3, lambda k, l: sympy.Symbol(f"r{index}_derivative{k}{l}", real=True))

    def define(self, define: Callable[[str, sympy.Expr], sympy.Expr], definitions: "dict[sympy.Symbol, sympy.Expr]") -> None:
        pass

    def names(self) -> "dict[sympy.Symbol, str]":
        r = f"r{self.index}"
        found = {self.value: f"{r}.distance2", self.lever / 2: f"{r}.factor"}
        found.update({self.axis[k]: f"{r}.axis.{AXES[k]}" for k in range(3)})
        found.update({self.derivative[k, l]: f"{r}.derivative.{AXES[k]}.{AXES[l]}" for k in range(3) for l in range(3)})
        return found

    def prelude(self, first: int) -> str:
        if not self.room:
            return f"relation r{self.index} = attitude_relation_to_identity(Q);"
        numbers = [f"c->own[{first + k}]" for k in range(4)]
        return (f"quaternion back{self.index} = {{{numbers[0]}, vec3_make({', '.join(numbers[1:])})}};\n  "
                f"relation r{self.index} = attitude_relation(Q, back{self.index});")

    def loaded(self) -> "list[sympy.Expr]":
        return [-x for x in self.of] if self.room else []

    def load(self, first: int, values: Sequence[str]) -> "list[str]":
        if not self.room:
            return []
        back = f"back{self.index}"
        return [f"quaternion {back} = exp_quaternion(vec3_make({', '.join(values)})); /* the inverse */",
                *(f"c->own[{first + k}] = {back}.{part};" for k, part in enumerate(("w", "v.x", "v.y", "v.z")))]


def _as_rotation(A: sympy.Matrix) -> "tuple[sympy.Expr, Any]":
    """A = number exp(hat(vector)): the number and the vector; otherwise 0 and None."""
    if A == A[0, 0] * sympy.eye(3) and A[0, 0].is_number:
        return A[0, 0], sympy.ImmutableMatrix([0, 0, 0])
    series = A.atoms(sinc_of_square, cosc_of_square)
    A = A.applyfunc(sympy.expand)
    number = A[0, 0].subs({f: 0 for f in series})
    sinc = [f for f in series if isinstance(f, sinc_of_square)]
    if len(sinc) != 1 or not number.is_number or number == 0:
        return sympy.Integer(0), None
    spin = [(A[(k + 2) % 3, (k + 1) % 3] - A[(k + 1) % 3, (k + 2) % 3]) / (2 * number) for k in range(3)]
    vector = sympy.ImmutableMatrix([sympy.expand(x).coeff(sinc[0]) for x in spin])
    if (A - number * rotation(vector)).applyfunc(sympy.expand) != sympy.zeros(3):
        return sympy.Integer(0), None
    return number, vector


class Problem:
    """A rigid body in a potential of one's own.

        sd.Problem("mine", potential=lambda Q, c: c.k*(1 - Q[2, 2])**2, parameters={"k": 1.5}, J=(1, 2, 3))

    potential(Q, c): Q is the attitude matrix (body to space), c has the parameters; the value is a SymPy expression.
    momentum(Q, P, c), if there is a symmetry: up to three functions of Q and the body's angular momentum P = J W that stay
    constant.  `attitude` (a rotation vector) and `velocity` (in the body's frame) are where member 0 starts.  `header` is the
    text that is compiled, `path` a file with it; whatever takes a path takes the problem."""

    def __init__(self, name: str, potential: Callable[..., Any], parameters: Optional[Mapping[str, Numbers]] = None,
                 J: Sequence[float] = (1, 1, 1), *, attitude: Sequence[float] = (0.5, 0.3, 0.0),
                 velocity: Sequence[float] = (0.0, 0.2, 0.6), momentum: Optional[Callable[..., Any]] = None, step: float = 0.1,
                 time: float = 100.0, title: str = "", doi: str = ""):
        if not re.fullmatch(r"[a-z][a-z0-9-]{0,23}", name):
            raise ValueError(f"name: small letters, digits and hyphens, at most 24, not '{name}'")
        self.name = name
        self.step, self.time, self.title, self.doi = float(step), float(time), title or name, doi
        self.parameters = {"J": _three("J", J), "attitude": _three("attitude", attitude), "velocity": _three("velocity", velocity)}
        self.own = {key: tuple(float(v) for v in (value if hasattr(value, "__len__") else (value,)))  # type: ignore[union-attr]
                    for key, value in (parameters or {}).items()}
        for key, value in self.own.items():
            if key in self.parameters or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,23}", key):
                raise ValueError(f"parameters: '{key}' is taken, or no name")
            if not 1 <= len(value) <= 3:
                raise ValueError(f"parameters: {key} has one to three numbers, not {len(value)}")
        self.Q = sympy.Matrix(3, 3, lambda i, j: sympy.Symbol(f"Q{i + 1}{j + 1}", real=True))
        self.P = sympy.Matrix([sympy.Symbol(f"P{k + 1}", real=True) for k in range(3)])
        self._symbols = {key: [sympy.Symbol(f"p_{key}_{k}", real=True) for k in range(len(value))] for key, value in self.own.items()}
        self._c = Named({key.replace("-", "_"): s[0] if len(s) == 1 else sympy.Matrix(s) for key, s in self._symbols.items()})
        self._slots: "dict[sympy.Expr, sympy.Symbol]" = {}
        self.potential = in_known_functions(sympy.sympify(self._call(potential, self.Q)))
        self._check_symbols(self.potential, [*self.Q])
        self.momentum = self._momentum(momentum)
        self._derive()
        self.header = self._header()

    def _call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The parameters are for who wants them."""
        wanted = len(inspect.signature(function).parameters)
        return function(*arguments, self._c) if wanted > len(arguments) else function(*arguments)

    def _momentum(self, momentum: Optional[Callable[..., Any]]) -> "list[sympy.Expr]":
        value = [] if momentum is None else self._call(momentum, self.Q, self.P)
        listed = list(value) if isinstance(value, (list, tuple, sympy.MatrixBase)) else [value]
        if len(listed) > 3:
            raise ValueError(f"momentum: at most three functions, not {len(listed)}")
        found = [in_known_functions(sympy.sympify(m)) for m in listed]
        for m in found:
            self._check_symbols(m, [*self.Q, *self.P])
        return [self._hoisted(m) for m in found] + [sympy.Integer(0)] * (3 - len(found))

    def _check_symbols(self, e: sympy.Expr, variables: Sequence[sympy.Symbol]) -> None:
        strange = e.free_symbols - set(variables) - {s for group in self._symbols.values() for s in group}
        if strange:
            raise ValueError(f"'{min(map(str, strange))}' is neither an entry of Q nor a parameter")

    # ---- constants ----

    def _is_constant(self, e: sympy.Expr) -> bool:
        return bool(e.free_symbols) and e.free_symbols <= {s for group in self._symbols.values() for s in group}

    def _slot(self, e: sympy.Expr) -> sympy.Expr:
        """What depends on parameters alone is computed once, when a run begins."""
        if not self._is_constant(e):
            return e
        if e not in self._slots:
            self._slots[e] = sympy.Symbol(f"constant{len(self._slots)}", real=True)
        return self._slots[e]

    def _hoisted(self, e: sympy.Expr) -> sympy.Expr:
        """Such parts of an expression, each as large as it can be."""
        if self._is_constant(e):
            coefficient, rest = e.as_coeff_Mul()
            return coefficient * self._slot(rest)
        if e.is_Add or e.is_Mul:
            constant = [a for a in e.args if self._is_constant(a)]
            others = [self._hoisted(a) for a in e.args if a not in constant]
            return e.func(self._hoisted(e.func(*constant)) if constant else e.func(), *others)
        return e.func(*[self._hoisted(a) for a in e.args]) if e.args else e

    # ---- the potential as a function of forms ----

    def _form(self, e: sympy.Expr) -> sympy.Expr:
        """constant + number s, where s is a form that is there already or becomes one."""
        constant = e.subs({q: 0 for q in self.Q})
        A = self.Q.applyfunc(lambda q: e.diff(q))
        scale, vector = _as_rotation(A)
        if vector is not None:
            return self._hoisted(sympy.expand(constant + 3 * scale)) - scale * self._new_form(Distance, vector) / 2
        scale = next(a for a in A if a != 0)
        if all(a.is_number for a in A):
            A = A / scale
        else:
            scale = sympy.Integer(1)
        return self._hoisted(constant) + scale * self._new_form(Linear, sympy.ImmutableMatrix(A.applyfunc(self._slot)))

    def _new_form(self, kind: "type[Form]", of: Any) -> sympy.Symbol:
        if (kind, of) not in self._forms:
            self._forms[kind, of] = kind(len(self._forms), of, self.Q)
        return self._forms[kind, of].value

    def _is_linear(self, e: sympy.Expr) -> bool:
        inside = [q for q in self.Q if e.has(q)]
        return bool(inside) and not any(e.diff(q).has(*self.Q) for q in inside)

    def _in_forms(self, e: sympy.Expr) -> sympy.Expr:
        if not e.has(*self.Q):
            return self._hoisted(e)
        if self._is_linear(e) and not (e.is_Mul and e.as_independent(*self.Q, as_Add=False)[1].is_Add):
            return self._form(e)
        if e.is_Add:
            linear = [a for a in e.args if self._is_linear(a)]
            rest = [self._in_forms(a) for a in e.args if a not in linear]
            return sympy.Add(self._in_forms(sympy.Add(*linear)) if linear else 0, *rest)
        if e.is_Mul:
            constant, varying = e.as_independent(*self.Q, as_Add=False)
            if constant != 1:
                return self._hoisted(constant) * self._in_forms(varying)
        return e.func(*[self._in_forms(a) for a in e.args])

    @staticmethod
    def _shorter(e: sympy.Expr) -> sympy.Expr:
        expanded = sympy.expand(e)
        return expanded if sympy.count_ops(expanded) < sympy.count_ops(e) else e

    def _define(self, name: str, e: sympy.Expr) -> sympy.Expr:
        """A name for what is more than a number or a name already."""
        if e.is_Atom or (-e).is_Atom:
            return e
        symbol = sympy.Symbol(name, real=True)
        self.definitions[symbol] = e
        return symbol

    def _derive(self) -> None:
        """Definitions, and what potential, torque and its derivative are in their terms."""
        self._forms: "dict[Any, Form]" = {}
        self.definitions: "dict[sympy.Symbol, sympy.Expr]" = {}
        self.U = F = self._in_forms(self.potential)
        forms, zero = list(self._forms.values()), sympy.Integer(0)
        for f in forms:
            f.define(self._define, self.definitions)
        slopes = [self._shorter(F.diff(f.value)) for f in forms]
        push = [self._define(f"f{i}", slopes[i] * f.lever) for i, f in enumerate(forms)]
        turn = [self._define(f"g{i}", slopes[i] * f.bend) for i, f in enumerate(forms)]
        curve = [[self._define(f"h{min(i, j)}_{max(i, j)}", self._shorter(slopes[min(i, j)].diff(forms[max(i, j)].value)) * f.lever * g.lever)
                  for j, g in enumerate(forms)] for i, f in enumerate(forms)]
        along = [[self._define(f"w{i}_{l}", sum((curve[i][j] * g.axis[l] for j, g in enumerate(forms)), zero)) for l in range(3)]
                 for i, _ in enumerate(forms)]
        self.torque = [-sum((push[i] * f.axis[k] for i, f in enumerate(forms)), zero) for k in range(3)]
        self.derivative = [[-sum((turn[i] * f.derivative[k, l] + f.axis[k] * along[i][l] for i, f in enumerate(forms)), zero)
                            for l in range(3)] for k in range(3)]
        if self._room() > ROOM:
            raise ValueError(f"the potential needs {self._room()} constants that are made of its parameters; there is room for {ROOM}")

    def _room(self) -> int:
        return len(self._slots) + sum(f.room for f in self._forms.values())

    # ---- the header ----

    def _function(self, head: str, outputs: Sequence[sympy.Expr], value: str, used: str = "Qc") -> str:
        names = {self.Q[i, j]: f"q.{AXES[i]}.{AXES[j]}" for i in range(3) for j in range(3)}
        names.update({self.P[k]: f"P.{AXES[k]}" for k in range(3)})
        names.update({symbol: f"c->own[{i}]" for i, symbol in enumerate(self._slots.values())})
        for form in self._forms.values():
            names.update(form.names())
        lines, values = statements(names, self.definitions, outputs)
        text = "\n  ".join([*lines, f"return {value.format(*values)};"])
        first = [form.prelude(self._first(form)) for form in self._forms.values() if re.search(rf"\br{form.index}\.", text)]
        first += ["mat3 q = attitude_matrix(Q);"] if re.search(r"\bq\.", text) else []
        whole = "\n  ".join([*first, text])
        there = {"Q": r"\(Q[,)]", "P": r"\bP\.", "c": r"\bc->"}
        unused = [f"(void){v}" for v in there if v in used and not re.search(there[v], whole)]
        return f"FN {head} {{\n  " + (", ".join(unused) + ";\n  " if unused else "") + whole + "\n}\n"

    def _first(self, form: Form) -> int:
        """Where a form's own constants begin: after those of all, one form after the other."""
        forms = list(self._forms.values())
        return len(self._slots) + sum(f.room for f in forms[:forms.index(form)])

    def _load(self, name: str) -> str:
        names, index = {}, 0
        for group in self._symbols.values():
            for symbol in group:
                names[symbol] = f"real_splat(own[{index}])"
                index += 1
        forms = list(self._forms.values())
        lines, values = statements(names, {}, [*self._slots, *(e for form in forms for e in form.loaded())])
        body = [*lines, *(f"c->own[{i}] = {value};" for i, value in enumerate(values[:len(self._slots)]))]
        rest = values[len(self._slots):]
        for form in forms:
            own, rest = rest[:len(form.loaded())], rest[len(form.loaded()):]
            body += form.load(self._first(form), own)
        body = body or ["(void)c, (void)own;"]
        return f"FN void {name}_load(constants *c, const double *own) {{\n  " + "\n  ".join(body) + "\n}\n"

    def _table(self, name: str) -> str:
        texts = {"J": "principal moments of inertia", "attitude": "rotation vector of the initial attitude",
                 "velocity": "initial angular velocity, body frame"}
        limits = {"J": "1e-9, 1e9", "attitude": "-100, 100"}
        rows = [f'    {{"{key}", {len(value)}, {{{", ".join(map(repr, value))}}}, {limits.get(key, "-1e6, 1e6")}, '
                f'"{texts.get(key, "of the potential")}"}},' for key, value in {**self.parameters, **self.own}.items()]
        return f"static const sd_parameter {name}_parameters[] = {{\n" + "\n".join(rows) + "\n    {0}};\n"

    def _header(self) -> str:
        name = self.name.replace("-", "_")
        quoted = [re.sub(r'[^ -~]|["\\*]', "", text) for text in (self.title, self.doi)]
        formula = re.sub(r"[^ -~]|\*/", "", self._formula())
        head = (f"/* {self.name} - written by spindrift's Python package.\n *\n"
                f" *   U = {formula if len(formula) < 400 else formula[:400] + ' ...'}\n *\n"
                f' * PROBLEM(so3, {name}, "{self.name}", {self.step!r}, {self.time!r}, "{quoted[0]}", "{quoted[1]}") */\n')
        attitude = "attitude Q, const constants *c"
        rows = ", ".join("vec3_make({}, {}, {})" for _ in range(3))
        return "\n".join([
            head + '#include "../body.h"\n', self._table(name), self._load(name),
            self._function(f"real {name}_potential({attitude})", [self.U], "{}"),
            self._function(f"vec3 {name}_torque({attitude})", self.torque, "vec3_make({}, {}, {})"),
            self._function(f"mat3 {name}_torque_derivative({attitude})", [e for row in self.derivative for e in row], f"mat3_rows({rows})"),
            self._function(f"vec3 {name}_momentum(attitude Q, vec3 P, const constants *c)", self.momentum, "vec3_make({}, {}, {})",
                           "QPc")])

    def _formula(self) -> str:
        """For people: parameters by their names."""
        return re.sub(r"\bp_([\w-]+)_(\d)\b",
                      lambda m: m[1] + (str(int(m[2]) + 1) if len(self.own[m[1]]) > 1 else ""), str(self.potential))

    @property
    def path(self) -> pathlib.Path:
        """A file with the header, in the user's cache; the same text has the same file."""
        digest = hashlib.sha256(self.header.encode()).hexdigest()[:16]
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        path = pathlib.Path(base, "spindrift", "problems", digest, f"{self.name}.h")
        if not path.exists() or path.read_text() != self.header:
            for folder in (*reversed(path.parent.parents), path.parent):  # for the user alone, as the library makes those of code
                folder.mkdir(mode=0o700, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
                file.write(self.header)
            os.replace(file.name, path)
        return path

    def __fspath__(self) -> str:
        return str(self.path)

    def __repr__(self) -> str:
        return f"Problem({self.name}: U = {self._formula()})"
