"""What is built in: methods, problems, options of a plan."""
from __future__ import annotations

import dataclasses
import html
from typing import Generic, Iterator, Sequence, TypeVar, Union, overload

from . import library as _c
from .library import decoded, entries, library


@dataclasses.dataclass(frozen=True)
class Parameter:
    """Numbers of a problem or method, each within its range."""

    name: str
    value: tuple[float, ...]
    low: float
    high: float
    text: str

    def __str__(self) -> str:
        return f"{self.name}={','.join(f'{v:g}' for v in self.value)}"


@dataclasses.dataclass(frozen=True)
class Method:
    id: str
    family: str
    order: int
    traits: frozenset[str]
    parameters: tuple[Parameter, ...]
    title: str
    doi: str


@dataclasses.dataclass(frozen=True)
class BuiltIn:
    """A problem that is built in."""

    id: str
    family: str
    step: float
    time: float
    parameters: tuple[Parameter, ...]
    title: str
    doi: str


@dataclasses.dataclass(frozen=True)
class Option:
    """An option of a plan: the keyword of `run`, and what it is."""

    keyword: str
    text: str
    default: str
    key: str
    kind: int
    listed: int
    words: tuple[str, ...]
    high: int
    synonym: str
    placeholder: str


Entry = TypeVar("Entry")


class Listing(Sequence[Entry], Generic[Entry]):
    """A list whose entries can also be had by name, and which a notebook shows as a table."""

    def __init__(self, entries: Sequence[Entry], name: str, columns: Sequence[str]):
        self._entries = tuple(entries)
        self._name = name
        self._columns = tuple(columns)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    @overload
    def __getitem__(self, which: Union[int, str]) -> Entry: ...
    @overload
    def __getitem__(self, which: slice) -> Sequence[Entry]: ...
    def __getitem__(self, which: Union[int, str, slice]) -> Union[Entry, Sequence[Entry]]:
        if not isinstance(which, str):
            return self._entries[which]
        for entry in self._entries:
            if getattr(entry, self._name) == which:
                return entry
        raise KeyError(which)

    def __contains__(self, which: object) -> bool:
        return which in self.names() or which in self._entries

    def names(self) -> list[str]:
        return [getattr(entry, self._name) for entry in self._entries]

    def _rows(self) -> Iterator[list[str]]:
        for entry in self._entries:
            cells = [getattr(entry, column) for column in self._columns]
            yield [" ".join(map(str, sorted(c) if isinstance(c, frozenset) else c)) if isinstance(c, (tuple, frozenset)) else str(c)
                   for c in cells]

    def __repr__(self) -> str:
        rows = [list(self._columns), *self._rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(len(self._columns))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)

    def _repr_html_(self) -> str:
        return table_html(self._columns, self._rows())


def table_html(columns: Sequence[str], rows: Iterator[list[str]]) -> str:
    head = "".join(f"<th style='text-align:left'>{html.escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(f"<td style='text-align:left'>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _parameters(infos: Iterator[_c.ParameterInfo]) -> tuple[Parameter, ...]:
    return tuple(Parameter(decoded(p.name), tuple(p.value[i] for i in range(p.count)), p.low, p.high, decoded(p.text)) for p in infos)


def methods(family: str = "") -> Listing[Method]:
    """The methods that are built in, of all families or of one: id, order, traits, parameters, citation."""
    traits = [decoded(t.id) for t in entries(library.sd_list_trait, _c.TraitInfo)]
    return Listing(
        [Method(decoded(m.id), decoded(m.family), m.order, frozenset(t for k, t in enumerate(traits) if m.traits >> k & 1),
                _parameters(entries(library.sd_list_method_parameter, _c.ParameterInfo, i)), decoded(m.title), decoded(m.doi))
         for i, m in enumerate(entries(library.sd_list_method, _c.MethodInfo)) if family in ("", decoded(m.family))],
        "id", ("id", "family", "order", "title", "doi"))


def problems() -> Listing[BuiltIn]:
    """The problems that are built in: id, default step and time, parameters with their defaults and ranges, citation."""
    return Listing(
        [BuiltIn(decoded(p.id), decoded(p.family), p.step, p.time,
                 _parameters(entries(library.sd_list_problem_parameter, _c.ParameterInfo, i)), decoded(p.title), decoded(p.doi))
         for i, p in enumerate(entries(library.sd_list_problem, _c.ProblemInfo))],
        "id", ("id", "family", "step", "time", "parameters", "title"))


def _option(o: _c.OptionInfo) -> Option:
    words = decoded(o.words)
    return Option(decoded(o.key).replace("-", "_"), decoded(o.text), decoded(o.otherwise) or decoded(o.value), decoded(o.key), o.kind,
                  o.listed, tuple(words.split("|")) if words else (), o.high, decoded(o.synonym), decoded(o.placeholder))


def options() -> Listing[Option]:
    """The options of a plan, which are the keywords of `run`."""
    return Listing([_option(o) for o in entries(library.sd_list_option, _c.OptionInfo)], "keyword", ("keyword", "text", "default"))
