#!/usr/bin/env python3
"""Tests of the PTX runner itself: test_runner.py --cxx g++ --nvcc nvcc --include CUDA/include [--library libstandin.a]

Every instruction runs on some thousand operands, edges among them, and must give what is computed here from the
manual's definition in exact arithmetic. Then texts that must be refused, mutations, and samples/behaviour.cu: errors
that must be found, streams, failing calls, leaks."""

import argparse
import importlib.machinery
import json
import math
import os
import platform
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
translate = importlib.machinery.SourceFileLoader('translate', os.path.join(HERE, 'translate')).load_module()
NAN = 0x7fffffffffffffff
FMA = '-mfma' if platform.machine() == 'x86_64' else '-O1'     # elsewhere there is always an instruction for it

# ---------------------------------------------------------------------------------------------------- exact arithmetic


def f(bits):
    return struct.unpack('<d', struct.pack('<Q', bits))[0]


def u(x):
    return NAN if x != x else struct.unpack('<Q', struct.pack('<d', x))[0]


def rounded(exact, negative_zero=False):
    """The double nearest to a fraction."""
    if exact == 0:
        return -0.0 if negative_zero else 0.0
    try:
        value = float(exact)
    except OverflowError:
        value = math.inf if exact > 0 else -math.inf
    return value if value else math.copysign(0.0, exact)


def fma(a, b, c):
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c if not (math.isfinite(a) and math.isfinite(b)) else c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    sign = math.copysign(1, a) * math.copysign(1, b)
    return rounded(exact, exact == 0 and sign < 0 and math.copysign(1, c) < 0)


def div(a, b):
    if b == 0:
        if a == 0 or a != a:
            return math.nan
        return math.copysign(math.inf, math.copysign(1, a) * math.copysign(1, b))
    return a / b


def minimum(a, b, sign):
    if a != a or b != b:
        return b if a != a else a
    if a == b:
        return a if math.copysign(1, a) * sign < 0 else b
    return a if (a < b) == (sign > 0) else b


def s(x, width):
    """The low bits as a signed number."""
    x &= (1 << width) - 1
    return x - (1 << width) if x >> (width - 1) else x


def to_integer(x, rounding, width, signed):
    if x != x:
        return 1 << (width - 1)
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    if math.isinf(x):
        return (high if x > 0 else low) & ((1 << width) - 1)
    return min(max(rounding(Fraction(x)), low), high) & ((1 << width) - 1)


def quotient(a, b, width):
    return (1 << width) - 1 if b == 0 else int(Fraction(abs(a), abs(b)).__floor__()) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b, width):
    return a if b == 0 else a - b * quotient(a, b, width)


def ordered(compare):
    return lambda a, b, c: f(a) == f(a) and f(b) == f(b) and compare(f(a), f(b))


def unordered(compare):
    return lambda a, b, c: f(a) != f(a) or f(b) != f(b) or compare(f(a), f(b))


def bfe(a, position, length, width, signed):
    position, length = position & 255, length & 255
    top = min(position + length - 1, width - 1)
    sign = signed and length and a >> top & 1
    value = 0
    for i in range(width):
        bit = a >> (position + i) & 1 if i < length and position + i < width else (1 if sign else 0)
        value |= bit << i
    return value


def bfi(a, b, position, length, width):
    position, length = position & 255, length & 255
    for i in range(length):
        if position + i < width:
            b = b & ~(1 << (position + i)) | (a >> i & 1) << (position + i)
    return b


def prmt(a, b, c):
    source = (b << 32 | a).to_bytes(8, 'little')
    result = []
    for i in range(4):
        byte = source[c >> 4 * i & 7]
        result.append((255 if byte > 127 else 0) if c >> 4 * i & 8 else byte)
    return int.from_bytes(bytes(result), 'little')


# ----------------------------------------------------------------------------------------------- instruction, expected
# Operands of kind r (32 bits), d (64 bits), h (16 bits), f (double), p (bit 0) number 1, 2, 3 come from a, b, c; the
# result is register 9 of its kind. A function gets the 64-bit operands, and its value is cut to the width of the
# result.

M32 = 0xffffffff
LESS = [('lt', lambda x, y: x < y), ('le', lambda x, y: x <= y), ('gt', lambda x, y: x > y),
        ('ge', lambda x, y: x >= y), ('eq', lambda x, y: x == y), ('ne', lambda x, y: x != y)]


def double_cases():
    yield 'add.rn.f64 %f9, %f1, %f2;', lambda a, b, c: u(f(a) + f(b))
    yield 'sub.rn.f64 %f9, %f1, %f2;', lambda a, b, c: u(f(a) - f(b))
    yield 'mul.rn.f64 %f9, %f1, %f2;', lambda a, b, c: u(f(a) * f(b))
    yield 'div.rn.f64 %f9, %f1, %f2;', lambda a, b, c: u(div(f(a), f(b)))
    yield 'rcp.rn.f64 %f9, %f1;', lambda a, b, c: u(div(1.0, f(a)))
    yield 'sqrt.rn.f64 %f9, %f1;', lambda a, b, c: u(math.nan if f(a) < 0 else math.sqrt(f(a)))
    yield 'fma.rn.f64 %f9, %f1, %f2, %f3;', lambda a, b, c: u(fma(f(a), f(b), f(c)))
    yield 'min.f64 %f9, %f1, %f2;', lambda a, b, c: u(minimum(f(a), f(b), 1))
    yield 'max.f64 %f9, %f1, %f2;', lambda a, b, c: u(minimum(f(a), f(b), -1))
    yield 'neg.f64 %f9, %f1;', lambda a, b, c: u(-f(a))
    yield 'abs.f64 %f9, %f1;', lambda a, b, c: u(abs(f(a)))
    yield 'copysign.f64 %f9, %f1, %f2;', lambda a, b, c: b & ~(1 << 63) | a & 1 << 63
    yield 'mov.f64 %f9, %f1;', lambda a, b, c: a
    yield 'mov.f64 %f9, 0d7FF8000000000001;', lambda a, b, c: 0x7ff8000000000001
    yield 'selp.f64 %f9, %f1, %f2, %p3;', lambda a, b, c: a if c & 1 else b
    # A register set both by arithmetic and as bits: the first is canonical, the second untouched.
    yield 'mov.f64 %f9, %f1; @%p3 add.rn.f64 %f9, %f1, %f2;', lambda a, b, c: u(f(a) + f(b)) if c & 1 else a
    yield 'add.rn.f64 %f8, %f1, %f2; mov.f64 %f9, %f8;', lambda a, b, c: u(f(a) + f(b))
    yield 'add.rn.f64 %f8, %f1, %f2; selp.f64 %f9, %f8, %f3, %p1;', lambda a, b, c: u(f(a) + f(b)) if a & 1 else c
    yield 'mul.rn.f64 %f8, %f1, %f2; mov.b64 %d9, %f8;', lambda a, b, c: u(f(a) * f(b))
    yield 'sub.rn.f64 %f8, %f1, %f2; mov.b64 {%r8, %r9}, %f8;', lambda a, b, c: u(f(a) - f(b)) >> 32
    for name, bits in (('finite', lambda x: math.isfinite(f(x))), ('infinite', lambda x: math.isinf(f(x))),
                       ('number', lambda x: f(x) == f(x)), ('notanumber', lambda x: f(x) != f(x)),
                       ('normal', lambda x: 0 < (x >> 52 & 0x7ff) < 0x7ff),
                       ('subnormal', lambda x: x >> 52 & 0x7ff == 0 and x << 1 & (1 << 64) - 1 != 0)):
        yield f'testp.{name}.f64 %p9, %f1;', lambda a, b, c, bits=bits: bits(a)


def compare_cases():
    for name, compare in LESS:
        yield f'setp.{name}.f64 %p9, %f1, %f2;', ordered(compare)
        yield f'setp.{name}u.f64 %p9, %f1, %f2;', unordered(compare)
        yield f'setp.{name}.s32 %p9, %r1, %r2;', lambda a, b, c, k=compare: k(s(a, 32), s(b, 32))
        yield f'setp.{name}.u32 %p9, %r1, %r2;', lambda a, b, c, k=compare: k(a & M32, b & M32)
        yield f'setp.{name}.s64 %p9, %d1, %d2;', lambda a, b, c, k=compare: k(s(a, 64), s(b, 64))
        yield f'setp.{name}.u64 %p9, %d1, %d2;', lambda a, b, c, k=compare: k(a, b)
        yield f'setp.{name}.s16 %p9, %h1, %h2;', lambda a, b, c, k=compare: k(s(a, 16), s(b, 16))
    for name, ptx in (('lt', 'lo'), ('le', 'ls'), ('gt', 'hi'), ('ge', 'hs')):
        yield f'setp.{ptx}.u32 %p9, %r1, %r2;', lambda a, b, c, k=dict(LESS)[name]: k(a & M32, b & M32)
    yield 'setp.eq.b64 %p9, %d1, %d2;', lambda a, b, c: a == b
    yield 'setp.num.f64 %p9, %f1, %f2;', ordered(lambda x, y: True)
    yield 'setp.nan.f64 %p9, %f1, %f2;', unordered(lambda x, y: False)
    yield 'setp.lt.and.f64 %p9, %f1, %f2, %p3;', lambda a, b, c: f(a) < f(b) and c & 1
    yield 'setp.lt.or.s32 %p9, %r1, %r2, !%p3;', lambda a, b, c: s(a, 32) < s(b, 32) or not c & 1
    yield 'setp.lt.xor.s32 %p9, %r1, %r2, %p3;', lambda a, b, c: (s(a, 32) < s(b, 32)) != (c & 1)
    yield 'setp.lt.s32 %p8|%p9, %r1, %r2;', lambda a, b, c: s(a, 32) >= s(b, 32)
    yield 'selp.b64 %d9, %d1, %d2, %p3;', lambda a, b, c: a if c & 1 else b
    yield 'selp.u32 %r9, 7, %r2, %p3;', lambda a, b, c: 7 if c & 1 else b
    yield 'selp.u16 %h9, %h1, %h2, %p3;', lambda a, b, c: a if c & 1 else b


def integer_cases():
    for w, k in ((16, 'h'), (32, 'r'), (64, 'd')):
        m = (1 << w) - 1
        yield f'add.s{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c: a + b
        yield f'sub.u{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c: a - b
        yield f'add.u{w} %{k}9, %{k}1, -5;', lambda a, b, c: a - 5
        yield f'mul.lo.s{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c: a * b
        yield f'mul.hi.u{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c, m=m, w=w: (a & m) * (b & m) >> w
        yield f'mul.hi.s{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c, w=w: s(a, w) * s(b, w) >> w
        yield f'mad.lo.u{w} %{k}9, %{k}1, %{k}2, %{k}3;', lambda a, b, c: a * b + c
        yield f'div.u{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c, m=m, w=w: quotient(a & m, b & m, w)
        yield f'div.s{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c, w=w: quotient(s(a, w), s(b, w), w)
        yield f'rem.u{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c, m=m, w=w: remainder(a & m, b & m, w)
        yield f'rem.s{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c, w=w: remainder(s(a, w), s(b, w), w)
        yield f'min.s{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c, w=w: min(s(a, w), s(b, w))
        yield f'max.u{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c, m=m: max(a & m, b & m)
        yield f'neg.s{w} %{k}9, %{k}1;', lambda a, b, c: -a
        yield f'abs.s{w} %{k}9, %{k}1;', lambda a, b, c, w=w: abs(s(a, w))
        yield f'and.b{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c: a & b
        yield f'or.b{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c: a | b
        yield f'xor.b{w} %{k}9, %{k}1, %{k}2;', lambda a, b, c: a ^ b
        yield f'not.b{w} %{k}9, %{k}1;', lambda a, b, c: ~a
        yield f'shl.b{w} %{k}9, %{k}1, %r2;', lambda a, b, c, w=w: a << (b & M32) if b & M32 < w else 0
        yield f'shr.u{w} %{k}9, %{k}1, %r3;', lambda a, b, c, m=m, w=w: (a & m) >> min(c & M32, w)
        yield f'shr.s{w} %{k}9, %{k}1, %r3;', lambda a, b, c, w=w: s(a, w) >> min(c & M32, w)
    yield 'mul.wide.u32 %d9, %r1, %r2;', lambda a, b, c: (a & M32) * (b & M32)
    yield 'mul.wide.s32 %d9, %r1, %r2;', lambda a, b, c: s(a, 32) * s(b, 32)
    yield 'mul.wide.s16 %r9, %h1, %h2;', lambda a, b, c: s(a, 16) * s(b, 16)
    yield 'mul.wide.u16 %r9, %h1, %h2;', lambda a, b, c: (a & 65535) * (b & 65535)
    yield 'mad.wide.u32 %d9, %r1, %r2, %d3;', lambda a, b, c: (a & M32) * (b & M32) + c
    yield 'mad.hi.u32 %r9, %r1, %r2, %r3;', lambda a, b, c: ((a & M32) * (b & M32) >> 32) + c
    yield 'add.cc.u32 %r8, %r1, %r2; addc.u32 %r9, %r3, 0;', lambda a, b, c: c + ((a & M32) + (b & M32) >> 32)
    yield 'sub.cc.u64 %d8, %d1, %d2; subc.u64 %d9, %d3, 0;', lambda a, b, c: c - (a < b)
    yield 'add.cc.u32 %r8, %r1, %r2; addc.cc.u32 %r8, %r2, %r3; addc.u32 %r9, 0, 0;', \
        lambda a, b, c: (b & M32) + (c & M32) + ((a & M32) + (b & M32) >> 32) >> 32
    yield 'and.pred %p9, %p1, %p2;', lambda a, b, c: a & b & 1
    yield 'xor.pred %p9, %p1, %p2;', lambda a, b, c: (a ^ b) & 1
    yield 'not.pred %p9, %p1;', lambda a, b, c: ~a & 1


def bit_cases():
    m = M32
    yield 'shf.l.wrap.b32 %r9, %r1, %r2, %r3;', lambda a, b, c: ((b & m) << 32 | a & m) << (c & 31) >> 32
    yield 'shf.r.wrap.b32 %r9, %r1, %r2, %r3;', lambda a, b, c: ((b & m) << 32 | a & m) >> (c & 31)
    yield 'shf.l.clamp.b32 %r9, %r1, %r2, %r3;', lambda a, b, c: ((b & m) << 32 | a & m) << min(c & m, 32) >> 32
    yield 'shf.r.clamp.b32 %r9, %r1, %r2, %r3;', lambda a, b, c: ((b & m) << 32 | a & m) >> min(c & m, 32)
    yield 'prmt.b32 %r9, %r1, %r2, %r3;', lambda a, b, c: prmt(a & m, b & m, c & m)
    yield 'prmt.b32 %r9, %r1, %r2, 0x0123;', lambda a, b, c: int.from_bytes((a & m).to_bytes(4, 'little'), 'big')
    for table in (0x96, 0xe8, 0xca, 0x01, 0xfe):
        yield f'lop3.b32 %r9, %r1, %r2, %r3, {table:#x};', lambda a, b, c, t=table: sum(
            (t >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1) & 1) << i for i in range(32))
    yield 'and.b32 %r7, %r2, 31; and.b32 %r8, %r3, 31; bfe.u32 %r9, %r1, %r7, %r8;', \
        lambda a, b, c: bfe(a & m, b & 31, c & 31, 32, False)
    yield 'and.b32 %r7, %r2, 31; and.b32 %r8, %r3, 63; bfe.s32 %r9, %r1, %r7, %r8;', \
        lambda a, b, c: bfe(a & m, b & 31, c & 63, 32, True)
    yield 'bfe.u64 %d9, %d1, %r2, %r3;', lambda a, b, c: bfe(a, b, c, 64, False)
    yield 'bfe.s64 %d9, %d1, 60, %r3;', lambda a, b, c: bfe(a, 60, c, 64, True)
    yield 'and.b32 %r8, %r3, 31; bfi.b32 %r9, %r1, %r2, %r8, 5;', lambda a, b, c: bfi(a & m, b & m, c & 31, 5, 32)
    yield 'bfi.b64 %d9, %d1, %d2, 32, 32;', lambda a, b, c: (a & m) << 32 | b & m
    yield 'popc.b32 %r9, %r1;', lambda a, b, c: bin(a & m).count('1')
    yield 'popc.b64 %r9, %d1;', lambda a, b, c: bin(a).count('1')
    yield 'clz.b32 %r9, %r1;', lambda a, b, c: 32 - (a & m).bit_length()
    yield 'clz.b64 %r9, %d1;', lambda a, b, c: 64 - a.bit_length()
    yield 'brev.b32 %r9, %r1;', lambda a, b, c: int(f'{a & m:032b}'[::-1], 2)
    yield 'brev.b64 %d9, %d1;', lambda a, b, c: int(f'{a:064b}'[::-1], 2)
    yield 'mov.b64 {%r8, %r9}, %d1;', lambda a, b, c: a >> 32
    yield 'mov.b64 %d9, {%r1, %r2};', lambda a, b, c: (b & m) << 32 | a & m
    yield 'mov.b32 %r9, {%h1, %h2};', lambda a, b, c: (b & 65535) << 16 | a & 65535
    yield 'mov.u32 %r9, %laneid; add.s32 %r9, %r9, %r1;', None    # the lane is not known here: only that it runs


def convert_cases():
    floor, ceil, trunc = math.floor, math.ceil, math.trunc
    for mode, rounding in (('rzi', trunc), ('rni', round), ('rmi', floor), ('rpi', ceil)):
        for type, k in (('s32', 'r'), ('u32', 'r'), ('s64', 'd'), ('u64', 'd'), ('s16', 'h'), ('u16', 'h')):
            yield f'cvt.{mode}.{type}.f64 %{k}9, %f1;', lambda a, b, c, r=rounding, t=type: \
                to_integer(f(a), r, int(t[1:]), t[0] == 's')
        yield f'cvt.{mode}.f64.f64 %f9, %f1;', lambda a, b, c, r=rounding: \
            u(math.copysign(float(r(f(a))), f(a)) if math.isfinite(f(a)) else f(a))
    for type, k in (('s32', 'r'), ('u32', 'r'), ('s64', 'd'), ('u64', 'd'), ('s16', 'h'), ('u16', 'h')):
        w = int(type[1:])
        value = (lambda x, w=w: s(x, w)) if type[0] == 's' else (lambda x, w=w: x & ((1 << w) - 1))
        yield f'cvt.rn.f64.{type} %f9, %{k}1;', lambda a, b, c, v=value: u(rounded(Fraction(v(a))))
    yield 'cvt.u64.u32 %d9, %r1;', lambda a, b, c: a & M32
    yield 'cvt.s64.s32 %d9, %r1;', lambda a, b, c: s(a, 32)
    yield 'cvt.u32.u64 %r9, %d1;', lambda a, b, c: a
    yield 'cvt.s32.s8 %r9, %r1;', lambda a, b, c: s(a, 8)
    yield 'cvt.u32.u16 %r9, %h1;', lambda a, b, c: a & 65535
    yield 'cvt.s64.s16 %d9, %h1;', lambda a, b, c: s(a, 16)


def cases():
    for group in (double_cases, compare_cases, integer_cases, bit_cases, convert_cases):
        yield from group()


WIDTHS = {'f': 64, 'd': 64, 'r': 32, 'h': 16, 'p': 1}
KERNEL = '''.visible .entry k{n}(
.param .u64 k{n}_0, .param .u64 k{n}_1, .param .u64 k{n}_2, .param .u64 k{n}_3, .param .u64 k{n}_4)
{{
.reg .pred %p<10>, %q; .reg .b16 %h<10>; .reg .b32 %r<10>, %x<4>; .reg .b64 %d<10>, %y<10>; .reg {register} %f<10>;
mov.u32 %x1, %ctaid.x; mov.u32 %x2, %ntid.x; mov.u32 %x3, %tid.x; mad.lo.s32 %x1, %x1, %x2, %x3;
cvt.u64.u32 %y1, %x1; ld.param.u64 %y2, [k{n}_4]; setp.ge.u64 %q, %y1, %y2; @%q bra END; shl.b64 %y1, %y1, 3;
{load}
{instruction}
{result}
ld.param.u64 %y3, [k{n}_3]; cvta.to.global.u64 %y3, %y3; add.s64 %y3, %y3, %y1; st.global.u64 [%y3], %y2;
END: ret;
}}
'''
LOAD = '''ld.param.u64 %y3, [k{n}_{j}]; cvta.to.global.u64 %y3, %y3; add.s64 %y3, %y3, %y1; ld.global.u64 %d{i}, [%y3];
cvt.u32.u64 %r{i}, %d{i}; cvt.u16.u64 %h{i}, %d{i}; mov.b64 %f{i}, %d{i};
and.b64 %y4, %d{i}, 1; setp.ne.s64 %p{i}, %y4, 0;'''
RESULT = {'f': 'mov.b64 %y2, %f9;', 'd': 'mov.b64 %y2, %d9;', 'r': 'cvt.u64.u32 %y2, %r9;',
          'h': 'cvt.u64.u16 %y2, %h9;', 'p': 'selp.u64 %y2, 1, 0, %p9;'}


def operands():
    random.seed(7)
    edges = [0, 1, 2, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, M32,
             1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, (1 << 53) + 1, 0x7ff4000000000001, 0xfff8000000000000, NAN]
    doubles = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, math.inf, -math.inf, 5e-324, -5e-324,
               2.2250738585072014e-308, 1.7976931348623157e308, 2147483647.5, -2147483648.5, 4294967295.5, 9.3e18,
               -9.3e18, 1.9e19, 0.1, 3.0, 1e16, 1e-200]
    edges += [struct.unpack('<Q', struct.pack('<d', x))[0] for x in doubles]
    triples = [(a, b, random.choice(edges)) for a in edges for b in random.sample(edges, 9)]
    for _ in range(250):
        triples.append(tuple(random.getrandbits(64) for _ in range(3)))
        triples.append(tuple(u(random.gauss(0, 1)) for _ in range(3)))
        a, b = random.gauss(0, 1), random.gauss(0, 1)
        triples.append((u(a), u(b), u(-a * b)))        # what fma leaves of a cancelled product
        triples.append((u(a * 2.0 ** 52), random.getrandbits(6), random.getrandbits(5)))
    return triples


class Tests:
    def __init__(self, given, directory):
        self.given, self.directory, self.failures, self.count = given, directory, 0, 0
        self.library = given.library or self.build_library()

    def path(self, name):
        return os.path.join(self.directory, name)

    def check(self, ok, what):
        self.count += 1
        if not ok:
            self.failures += 1
            print(f'FAIL {what}')

    def run(self, *command, **more):
        return subprocess.run(command, check=True, **more)

    def compile(self, source, output, *flags):
        self.run(*self.given.cxx.split(), '-std=c++17', '-O1', '-ffp-contract=off', *self.given.flags.split(),
                 '-I', HERE, '-isystem', self.given.include, *flags, '-c', source, '-o', output)
        return output

    def build_library(self):
        nothing = ('-DSTANDIN_TRANSLATE=""', '-DSTANDIN_COMPILE=""')  # no PTX is loaded at run time here
        objects = [self.compile(os.path.join(HERE, n), self.path(n + '.o'), *nothing) for n in sorted(os.listdir(HERE))
                   if n.endswith('.cpp')]
        self.run('ar', 'rcs', self.path('libstandin.a'), *objects)
        return self.path('libstandin.a')

    def link(self, output, *objects):
        self.run(*self.given.cxx.split(), *self.given.flags.split(), *objects, self.library, '-lpthread', '-ldl', '-o',
                 output)
        return output

    def error_of(self, text):
        """What the translator says to a PTX text, '' if it takes it."""
        try:
            translate.Unit(translate.Parser('x.ptx', text).parse(), False).translate()
        except translate.PtxError as error:
            return str(error)
        return ''

    # Instructions

    def instructions(self):
        """With doubles in registers of their own, and in registers of any 64 bits, as nvcc writes them from sm_100 on."""
        for register in ('.f64', '.b64'):
            self.instructions_on(register)

    def instructions_on(self, register):
        all_cases, triples = list(cases()), operands()
        text = '.version 9.0\n.target sm_75\n.address_size 64\n'
        for n, (instruction, _) in enumerate(all_cases):
            kind = instruction.rsplit('9,', 1)[0][-1] if '%p8|' not in instruction else 'p'
            if '{' in instruction.split(',')[0].split(';')[-1] or '9}' in instruction:
                kind = 'r'
            load = '\n'.join(LOAD.format(n=n, i=i + 1, j=i) for i in range(3))
            text += KERNEL.format(n=n, load=load, instruction=instruction, result=RESULT[kind], register=register)
        with open(self.path('x.ptx'), 'w') as file:
            file.write(text)
        self.run(sys.executable, os.path.join(HERE, 'translate'), '--count', '-o', self.path('x.cpp'),
                 self.path('x.ptx'))
        program = self.link(self.path('driver'), self.compile(self.path('x.cpp'), self.path('x.o'), FMA),
                            self.compile(os.path.join(HERE, 'samples', 'driver.cpp'), self.path('driver.o')))
        with open(self.path('in'), 'wb') as file:
            for column in zip(*triples):
                file.write(struct.pack(f'<{len(triples)}Q', *column))
        self.run(program, self.path('in'), self.path('out'), *(f'k{n}' for n in range(len(all_cases))),
                 env={**os.environ, 'STANDIN_COUNT': self.path('counts.json')})
        self.instruction_counts(all_cases, triples)
        with open(self.path('out'), 'rb') as file:
            for instruction, expected in all_cases:
                results = struct.unpack(f'<{len(triples)}Q', file.read(8 * len(triples)))
                self.compare(instruction, expected, triples, results)

    def instruction_counts(self, all_cases, triples):
        """An instruction under a condition is counted where it holds; what a kernel loads and stores is known."""
        with open(self.path('counts.json')) as file:
            counts = json.load(file)
        n = next(n for n, (instruction, _) in enumerate(all_cases) if '@%p3 add' in instruction)
        k = counts[f'k{n}']
        self.check(k['f64']['add'] == sum(c & 1 for _, _, c in triples), f'additions under a condition: {k}')
        self.check(k['load']['global'] == 24 * len(triples) and k['store']['global'] == 8 * len(triples), f'bytes: {k}')
        threads = (len(triples) + 63) // 64 * 64
        self.check(k['threads'] == threads and k['branch'] == threads + threads, f'branches: {k}')

    def compare(self, instruction, expected, triples, results):
        if expected is None:
            return
        last = instruction.strip(';').split(';')[-1]
        kind = last.split('9', 1)[0][-1]
        width = WIDTHS[kind]
        for (a, b, c), result in zip(triples, results):
            wanted = int(expected(a, b, c)) & ((1 << width) - 1)
            if wanted != result:
                return self.check(False, f'{instruction} of {a:#x}, {b:#x}, {c:#x}: {result:#x}, expected {wanted:#x}')
        self.check(True, instruction)

    # What must be refused

    def refusals(self):
        frame = '.version 9.0\n.target sm_75\n.address_size 64\n{}\n.visible .entry k(.param .u64 k_0)\n' \
                '{{\n.reg .b32 %r<4>; .reg .b64 %d<4>; .reg .f64 %f<4>; .reg .pred %p<3>; .shared .b32 sv[4];\n' \
                '{}\nret;\n}}\n'
        self.check(self.error_of(frame.format('', 'add.rn.f64 %f1, %f2, %f3;')) == '', 'the frame of the refusals')
        for body in ('add.f64 %f1, %f2, %f3;', 'add.rz.f64 %f1, %f2, %f3;', 'fma.rn.ftz.f64 %f1, %f2, %f3, %f1;',
                     'rcp.approx.ftz.f64 %f1, %f2;', 'sqrt.approx.f64 %f1, %f2;', 'mul.rn.f32 %f1, %f2, %f3;',
                     'sin.approx.f32 %r1, %r2;', 'vadd.u32.u32.u32 %r1, %r2, %r3, %r1;', 'add.sat.s32 %r1, %r2, %r3;',
                     'add.s32 %r1, %d2, %r3;', 'add.s64 %d1, %d2;', 'add.s32 %r9, %r1, %r2;', 'mov.u32 %r1, %clock;',
                     'ld.global.v3.u32 {%r1, %r2, %r3}, [%d1];', 'ld.global.v2.u32 %r1, [%d1];',
                     'ld.param.u64 %d1, [k_0+8];', 'ld.param.u64 %d1, [k_0+4];', 'st.param.u64 [k_0], %d1;',
                     'bra NOWHERE;',
                     'call.uni missing, ();',
                     'atom.global.add.f64 %f1, [%d1], %f2;', 'bar.sync 0, 32;', 'shfl.bfly.b32 %r1, %r2, 1, 31;',
                     'cvt.f64.s32 %f1, %r1;', 'cvt.rz.f64.s64 %f1, %d1;', 'cvt.u32.f64 %r1, %f1;', '.maxnreg 3;',
                     'ld.global.u32 %r1, [sv];', 'setp.lo.s32 %p1, %r1, %r2;', 'fma.rn.f64 %f1, %f2, %f3, %f1, %f2;',
                     'add.rn.f64 %f1, %f2, 3;', '.pragma "unknown";', 'red.async.global.add.u32 [%d1], %r1;'):
            error = self.error_of(frame.format('', body))
            self.check(error.startswith('x.ptx:8: '), f'{body} gives "{error}"')
        for directive in ('.texref t;', '.global .f16 x;', '.surfref y;', '.alias a, b;', '.section .debug {}'):
            error = self.error_of(frame.format(directive, ''))
            self.check(error.startswith('x.ptx:4: '), f'{directive} gives "{error}"')

    # Mutations

    def mutate(self, *arguments):
        command = [sys.executable, os.path.join(HERE, 'mutate'), *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def mutations(self):
        text = '''.version 9.0
fma.rn.f64 %fd1, %fd2, %fd3, %fd4;
div.rn.f64 %fd1, %fd2, %fd3;
sqrt.rn.f64 %fd1, %fd2;
setp.lt.f64 %p1, %fd1, %fd2;
selp.f64 %fd1, %fd2, %fd3, %p1;
bar.sync 0;
shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;
atom.global.add.u32 %r1, [%rd1], %r2;
'''
        with open(self.path('m.ptx'), 'w') as file:
            file.write(text)
        for kind in ('fma', 'div', 'sqrt', 'setp', 'selp', 'barrier', 'shuffle', 'atomic'):
            count = int(self.mutate('--count', self.path('m.ptx'), kind).stdout)
            self.check(count > 0, f'no mutation of {kind}')
            seen = {text}
            for n in range(count):
                mutant = self.mutate(self.path('m.ptx'), kind, str(n)).stdout
                self.check(mutant not in seen, f'mutation {kind} {n} changes nothing')
                seen.add(mutant)
            beyond = self.mutate(self.path('m.ptx'), kind, str(count))
            self.check(beyond.returncode != 0, f'mutation {kind} {count} does not exist')

    # Behaviour

    def behaviour(self):
        sample = os.path.join(HERE, 'samples', 'behaviour.cu')
        targets = self.given.targets.split(',')
        code = [x for n in targets for x in ('-gencode', f'arch=compute_{n},code=compute_{n}')]
        self.run(*self.given.nvcc.split(), '--fmad=false', '-std=c++20', *code, '--no-compress', '-I', HERE, '-c', sample,
                 '-o', self.path('behaviour.o'))
        translated = []
        for n in targets:
            source, output = self.path(f'behaviour_{n}.cpp'), self.path(f'behaviour_{n}.o')
            self.run(sys.executable, os.path.join(HERE, 'translate'), '--count', '--target', n, '-o', source,
                     self.path('behaviour.o'))
            translated.append(self.compile(source, output, FMA))
        program = self.link(self.path('behaviour'), self.path('behaviour.o'), *translated)
        for more in ({'STANDIN_CAPABILITY': n, 'STANDIN_REVERSE': r} for n in targets for r in '01'):
            process = subprocess.run([program, self.path('counts.json'), targets[-1]], env={**os.environ, **more},
                                     capture_output=True, text=True)
            lines = process.stdout.splitlines()
            self.count += sum(line.startswith('ok') for line in lines)
            for line in lines:
                if not line.startswith('ok'):
                    self.check(False, f'{more} {line}')
            self.check(process.returncode == 0 and lines,
                       f'behaviour {more}: status {process.returncode}\n{process.stderr}')


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    arguments.add_argument('--cxx', default='g++')
    arguments.add_argument('--flags', default='', help='further flags of the compiler, such as sanitizers')
    arguments.add_argument('--nvcc', default='nvcc')
    arguments.add_argument('--include', default='/usr/local/cuda/include', help='where cuda_runtime_api.h is')
    arguments.add_argument('--targets', default='75,120', help='compute capabilities that the sample is compiled for')
    arguments.add_argument('--library', help='the stand-in and execute.cpp, compiled; otherwise they are compiled here')
    arguments.add_argument('--only', help='one of: instructions refusals mutations behaviour')
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        tests = Tests(given, directory)
        for name in ('instructions', 'refusals', 'mutations', 'behaviour'):
            if given.only in (None, name):
                getattr(tests, name)()
    print(f'{tests.count} checks, {tests.failures} failed')
    sys.exit(tests.failures > 0)


if __name__ == '__main__':
    main()
