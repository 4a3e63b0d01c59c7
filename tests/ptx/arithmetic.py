"""Instructions that compute: double precision, comparison and selection, bits and integers.

Only rounding to nearest is known, and no flush to zero and no approximation."""

import re

from instruction import BITS, CTYPES, INTEGERS, handles, unsigned


# ---------------------------------------------------------------------------------------------------- double precision

def double_binary(body, i, operator, kind):
    i.need('rn')
    i.need('f64')
    d, a, b = i.finish(3)
    body.compute(d, f'{body.number(a)} {operator} {body.number(b)}')
    return [(kind, 1)]


def with_carry(body, i):
    """add.cc and its like: the carry flag is a variable of the function."""
    reads, writes = i.opcode in ('addc', 'subc'), i.take('cc')
    type = i.need('u32', 's32', 'u64', 's64')
    d, a, b = i.finish(3)
    function = 'add_carry' if i.opcode.startswith('add') else 'sub_borrow'
    c = unsigned(type)
    body.assign(d, type, f'{function}<{c}>({body.use(a, type)}, {body.use(b, type)}, {"carry" if reads else "false"}, '
                         f'{"carry" if writes else "unused"})')
    body.uses_carry = True
    return [('INTEGER', 1)]


@handles('add', 'sub')
def add_sub(body, i):
    if 'f64' in i.modifiers:
        return double_binary(body, i, '+' if i.opcode == 'add' else '-', 'F64_ADD')
    if 'cc' in i.modifiers:
        return with_carry(body, i)
    type = i.need(*INTEGERS)
    d, a, b = i.finish(3)
    body.assign(d, type, f'wrap_{i.opcode}<{unsigned(type)}>({body.use(a, type)}, {body.use(b, type)})')
    return [('INTEGER', 1)]


@handles('addc', 'subc')
def addc_subc(body, i):
    return with_carry(body, i)


def product(body, i, type, part, a, b):
    """The integer product a*b, and its type."""
    if part == 'wide':
        if type[1:] not in ('16', '32'):
            i.fail('.wide needs 16 or 32 bits')
        wide = type[0] + str(2 * int(type[1:]))
        c = CTYPES[wide]
        return wide, f'({c})(({c}){body.use(a, type)} * ({c}){body.use(b, type)})'
    if part == 'hi':
        return type, f'mul_hi({body.use(a, type)}, {body.use(b, type)})'
    return type, f'wrap_mul<{unsigned(type)}>({body.use(a, type)}, {body.use(b, type)})'


@handles('mul')
def mul(body, i):
    if 'f64' in i.modifiers:
        return double_binary(body, i, '*', 'F64_MUL')
    part, type = i.need('lo', 'hi', 'wide'), i.need(*INTEGERS)
    d, a, b = i.finish(3)
    body.assign(d, *product(body, i, type, part, a, b))
    return [('INTEGER', 1)]


@handles('mad')
def mad(body, i):
    part, type = i.need('lo', 'hi', 'wide'), i.need(*INTEGERS)
    d, a, b, c = i.finish(4)
    result, value = product(body, i, type, part, a, b)
    body.assign(d, result, f'wrap_add<{unsigned(result)}>({value}, {body.use(c, result)})')
    return [('INTEGER', 1)]


@handles('fma')
def fma(body, i):
    i.need('rn')
    i.need('f64')
    d, a, b, c = i.finish(4)
    body.compute(d, f'__builtin_fma({body.number(a)}, {body.number(b)}, {body.number(c)})')
    return [('F64_FMA', 1)]


@handles('div', 'rem')
def div_rem(body, i):
    if i.opcode == 'div' and 'f64' in i.modifiers:
        return double_binary(body, i, '/', 'F64_DIV')
    type = i.need(*INTEGERS)
    d, a, b = i.finish(3)
    function = 'quotient' if i.opcode == 'div' else 'remainder'
    body.assign(d, type, f'{function}<{CTYPES[type]}>({body.use(a, type)}, {body.use(b, type)})')
    return [('INTEGER', 1)]


@handles('rcp', 'sqrt')
def rcp_sqrt(body, i):
    i.need('rn')
    i.need('f64')
    d, a = i.finish(2)
    body.compute(d, f'1.0 / {body.number(a)}' if i.opcode == 'rcp' else f'__builtin_sqrt({body.number(a)})')
    return [('F64_RCP' if i.opcode == 'rcp' else 'F64_SQRT', 1)]


@handles('min', 'max')
def min_max(body, i):
    type = i.need('f64', *INTEGERS)
    d, a, b = i.finish(3)
    if type == 'f64':
        body.compute(d, f'{i.opcode}({body.number(a)}, {body.number(b)})')
        return [('F64_COMPARE', 1)]
    function = 'smaller' if i.opcode == 'min' else 'larger'
    body.assign(d, type, f'{function}<{CTYPES[type]}>({body.use(a, type)}, {body.use(b, type)})')
    return [('INTEGER', 1)]


@handles('neg', 'abs')
def neg_abs(body, i):
    type = i.need('f64', 's16', 's32', 's64')
    d, a = i.finish(2)
    if type == 'f64':
        body.compute(d, f'-{body.number(a)}' if i.opcode == 'neg' else f'__builtin_fabs({body.number(a)})')
        return [('F64_OTHER', 1)]
    value = body.use(a, type)
    negated = f'wrap_sub<{unsigned(type)}>(0, {value})'
    body.assign(d, type, negated if i.opcode == 'neg' else f'{value} < 0 ? {negated} : ({unsigned(type)}){value}')
    return [('INTEGER', 1)]


@handles('copysign')
def copysign(body, i):
    i.need('f64')
    d, a, b = i.finish(3)
    body.assign(d, 'f64', f'copysign({body.use(a, "f64")}, {body.use(b, "f64")})')
    return [('F64_OTHER', 1)]


@handles('testp')
def testp(body, i):
    test = i.need('finite', 'infinite', 'number', 'notanumber', 'normal', 'subnormal')
    i.need('f64')
    d, a = i.finish(2)
    exponent = f'(bits({body.use(a, "f64")}) >> 52 & 0x7ff)'
    fraction = f'(bits({body.use(a, "f64")}) << 12)'
    body.assign(d, 'pred', {
        'finite': f'{exponent} != 0x7ff', 'infinite': f'{exponent} == 0x7ff && {fraction} == 0',
        'number': f'!({exponent} == 0x7ff && {fraction} != 0)', 'notanumber': f'{exponent} == 0x7ff && {fraction} != 0',
        'normal': f'{exponent} != 0 && {exponent} != 0x7ff', 'subnormal': f'{exponent} == 0 && {fraction} != 0'}[test])
    return [('F64_COMPARE', 1)]


# ------------------------------------------------------------------------------------------- comparison and selection

COMPARE = {'eq': '==', 'ne': '!=', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=',
           'lo': '<', 'ls': '<=', 'hi': '>', 'hs': '>='}


def comparison(body, i, compare, type, a, b):
    use = body.number if type == 'f64' else lambda x: body.use(x, type)
    a, b = use(a), use(b)
    if type != 'f64':
        if compare not in COMPARE or (compare in ('lo', 'ls', 'hi', 'hs') and type[0] != 'u'):
            i.fail(f'comparison .{compare} does not fit .{type}')
        if type[0] == 'b' and compare not in ('eq', 'ne'):
            i.fail(f'comparison .{compare} does not fit .{type}')
        return f'{a} {COMPARE[compare]} {b}'
    if compare in ('num', 'nan'):
        return f'{"!" if compare == "num" else ""}unordered({a}, {b})'
    if compare[-1] == 'u' and compare[:-1] in COMPARE:
        return f'(unordered({a}, {b}) || {a} {COMPARE[compare[:-1]]} {b})'
    if compare in ('lo', 'ls', 'hi', 'hs'):
        i.fail(f'comparison .{compare} does not fit .f64')
    return f'(!unordered({a}, {b}) && {a} != {b})' if compare == 'ne' else f'{a} {COMPARE[compare]} {b}'


@handles('setp')
def setp(body, i):
    compare = i.need(*COMPARE, 'equ', 'neu', 'ltu', 'leu', 'gtu', 'geu', 'num', 'nan')
    combine = i.take('and', 'or', 'xor')
    type = i.need('f64', *INTEGERS, *BITS)
    operands = i.finish(4 if combine else 3)
    result = comparison(body, i, compare, type, operands[1], operands[2])
    destinations = operands[0].split('|')
    values = [result, f'!({result})']
    if combine:
        c = body.predicate(operands[3])
        values = [f'({v}) {dict(zip(("and", "or", "xor"), ("&&", "||", "!=")))[combine]} {c}' for v in values]
    body.assign_many([d.strip() for d in destinations], 'pred', values)
    return [('F64_COMPARE' if type == 'f64' else 'INTEGER', 1)]


@handles('selp')
def selp(body, i):
    type = i.need('f64', 'f32', *INTEGERS, *BITS)
    d, a, b, p = i.finish(4)
    if type == 'f64':
        body.copy(d, f'{body.predicate(p)} ? {{}} : {{}}', a, b)
        return [('F64_OTHER', 1)]
    body.assign(d, type, f'{body.predicate(p)} ? {body.use(a, type)} : {body.use(b, type)}')
    return [('INTEGER', 1)]


# ------------------------------------------------------------------------------------------------------- bits, integers

@handles('and', 'or', 'xor')
def logic(body, i):
    type = i.need('pred', *BITS)
    d, a, b = i.finish(3)
    operator = {'and': '&', 'or': '|', 'xor': '^'}[i.opcode]
    use = body.predicate if type == 'pred' else lambda x: body.use(x, type)
    body.assign(d, type, f'{use(a)} {operator} {use(b)}')
    return [('INTEGER', 1)]


@handles('not')
def logic_not(body, i):
    type = i.need('pred', *BITS)
    d, a = i.finish(2)
    body.assign(d, type, f'!{body.predicate(a)}' if type == 'pred' else f'~{body.use(a, type)}')
    return [('INTEGER', 1)]


@handles('shl', 'shr')
def shift(body, i):
    type = i.need(*BITS, *(INTEGERS if i.opcode == 'shr' else ()))
    d, a, n = i.finish(3)
    function = 'shift_left' if i.opcode == 'shl' else 'shift_right'
    body.assign(d, type, f'{function}<{CTYPES[type]}>({body.use(a, type)}, {body.use(n, "u32")})')
    return [('INTEGER', 1)]


@handles('shf')
def funnel_shift(body, i):
    direction, mode = i.need('l', 'r'), i.need('wrap', 'clamp')
    i.need('b32')
    d, a, b, n = i.finish(4)
    n = body.use(n, 'u32')
    n = f'{n} & 31' if mode == 'wrap' else f'smaller<uint32_t>({n}, 32)'
    function = 'funnel_left' if direction == 'l' else 'funnel_right'
    body.assign(d, 'b32', f'{function}({body.use(a, "b32")}, {body.use(b, "b32")}, {n})')
    return [('INTEGER', 1)]


@handles('prmt')
def prmt(body, i):
    i.need('b32')
    d, *abc = i.finish(4)
    body.assign(d, 'b32', f'permute({", ".join(body.use(x, "b32") for x in abc)})')
    return [('INTEGER', 1)]


@handles('lop3')
def lop3(body, i):
    i.need('b32')
    d, a, b, c, table = i.finish(5)
    if not re.fullmatch(r'0x[0-9a-fA-F]+|\d+', table):
        i.fail('the table of lop3 must be a constant')
    body.assign(d, 'b32', f'lop3({", ".join(body.use(x, "b32") for x in (a, b, c))}, {int(table, 0)})')
    return [('INTEGER', 1)]


@handles('bfe')
def bfe(body, i):
    type = i.need('u32', 's32', 'u64', 's64')
    d, a, position, length = i.finish(4)
    body.assign(d, type, f'bit_extract<{CTYPES[type]}>({body.use(a, type)}, {body.use(position, "u32")}, '
                         f'{body.use(length, "u32")})')
    return [('INTEGER', 1)]


@handles('bfi')
def bfi(body, i):
    type = i.need('b32', 'b64')
    d, a, b, position, length = i.finish(5)
    body.assign(d, type, f'bit_insert<{CTYPES[type]}>({body.use(a, type)}, {body.use(b, type)}, '
                         f'{body.use(position, "u32")}, {body.use(length, "u32")})')
    return [('INTEGER', 1)]


@handles('popc', 'clz', 'brev')
def bit_counts(body, i):
    type = i.need('b32', 'b64')
    d, a = i.finish(2)
    value = body.use(a, type)
    if i.opcode == 'brev':
        body.assign(d, type, f'reverse_bits<{CTYPES[type]}>({value})')
    elif i.opcode == 'popc':
        body.assign(d, 'u32', f'(uint32_t)__builtin_popcountll({value})')
    else:
        body.assign(d, 'u32', f'leading_zeros({value})')
    return [('INTEGER', 1)]
