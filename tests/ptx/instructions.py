"""The PTX instructions, each translated to one C++ statement in terms of device.h.

A handler gets the instruction and a Body (see translate), takes the modifiers it knows, emits the statement and returns
what is to be counted. Modifiers that are left over are an error, so nothing is ever accepted without being handled.
Only rounding to nearest is known, and no flush to zero and no approximation."""

import re

from ptxparse import SIZES

CTYPES = {'b8': 'uint8_t', 'u8': 'uint8_t', 's8': 'int8_t', 'b16': 'uint16_t', 'u16': 'uint16_t', 's16': 'int16_t',
          'b32': 'uint32_t', 'u32': 'uint32_t', 's32': 'int32_t', 'b64': 'uint64_t', 'u64': 'uint64_t',
          's64': 'int64_t', 'f32': 'float', 'f64': 'double', 'pred': 'bool'}
INTEGERS = ('u16', 's16', 'u32', 's32', 'u64', 's64')
BITS = ('b16', 'b32', 'b64')
SPACES = ('global', 'local', 'shared', 'const', 'param')

SPECIAL = {'%laneid': 'lane(t)', '%warpid': '(t.linear / 32)', '%lanemask_eq': '(1u << lane(t))',
           '%lanemask_lt': '((1u << lane(t)) - 1)', '%lanemask_le': '(~0u >> (31 - lane(t)))',
           '%lanemask_ge': '(~0u << lane(t))', '%lanemask_gt': '(~1u << lane(t))', 'WARP_SZ': '32u'}
for _register in ('tid', 'ntid', 'ctaid', 'nctaid'):
    for _i, _axis in enumerate('xyz'):
        SPECIAL[f'%{_register}.{_axis}'] = f't.{_register}[{_i}]'

HANDLERS = {}


def handles(*opcodes):
    def remember(function):
        for opcode in opcodes:
            HANDLERS[opcode] = function
        return function
    return remember


def unsigned(type):
    return CTYPES['u' + type[1:]]


class Instruction:
    def __init__(self, text, line, fail):
        m = re.match(r'(?:@(!?)([\w%$]+)\s+)?([a-z]\w*)((?:\.[\w:]+)*)\s*(.*)$', text)
        if not m:
            fail('instruction not understood')
        self.negated, self.guard, self.opcode = m[1] == '!', m[2], m[3]
        self.modifiers = m[4].split('.')[1:]
        self.operands = split_operands(m[5])
        self.line, self.text, self.fail = line, text, fail

    def take(self, *names):
        """The modifier among these that is there, or None; it is thereby handled."""
        for name in names:
            if name in self.modifiers:
                self.modifiers.remove(name)
                return name
        return None

    def need(self, *names):
        found = self.take(*names)
        if not found:
            self.fail(f'one of .{" .".join(names)} expected')
        return found

    def finish(self, operands):
        """All modifiers must have been taken; the operands, which must be this many."""
        if self.modifiers:
            self.fail(f'modifier .{self.modifiers[0]} not supported')
        if len(self.operands) != operands:
            self.fail(f'{operands} operands expected')
        return self.operands


def split_operands(text):
    """At commas outside of brackets of any kind."""
    parts, depth, current = [], 0, ''
    for c in text:
        depth += (c in '{[(') - (c in '}])')
        if c == ',' and depth == 0:
            parts.append(current.strip())
            current = ''
        else:
            current += c
    if current.strip():
        parts.append(current.strip())
    return parts


def vector(text):
    """The elements of {a, b}, or the single operand."""
    return [e.strip() for e in text[1:-1].split(',')] if text.startswith('{') else [text]


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


# ------------------------------------------------------------------------------------------------------------- moves

@handles('mov')
def mov(body, i):
    type = i.need('pred', 'f32', 'f64', *INTEGERS, *BITS)
    d, a = i.finish(2)
    if type == 'pred':
        constant = {'0': 'false', '1': 'true', '-1': 'true'}.get(a)
        body.assign(d, type, constant or body.predicate(a))
    elif type == 'f64':
        body.copy(d, '{}', a)
    elif d.startswith('{'):
        unpack(body, i, type, vector(d), a)
    elif a.startswith('{'):
        pack(body, i, type, d, vector(a))
    else:
        body.assign(d, type, body.use(a, type, symbols=True))
    return [('MOVE', 1)]


def unpack(body, i, type, parts, a):
    part = f'b{8 * SIZES[type] // len(parts)}'
    if part not in BITS:
        i.fail('vector of unsupported size')
    whole = body.use(a, type)
    body.assign_many(parts, part, [f'({CTYPES[part]})({whole} >> {8 * SIZES[part] * n})' for n in range(len(parts))])


def pack(body, i, type, d, parts):
    part = f'b{8 * SIZES[type] // len(parts)}'
    if part not in BITS:
        i.fail('vector of unsupported size')
    c = CTYPES[type]
    shifted = [f'({c})(({c}){body.use(p, part)} << {8 * SIZES[part] * n})' for n, p in enumerate(parts)]
    body.assign(d, type, ' | '.join(shifted))


@handles('cvta')
def cvta(body, i):
    back = i.take('to')
    space = i.need('global', 'local', 'shared', 'const', 'param')
    i.need('u64')
    d, a = i.finish(2)
    window = {'shared': 'SHARED_WINDOW', 'local': 'LOCAL_WINDOW', 'param': 'PARAM_WINDOW'}.get(space, '0ull')
    body.assign(d, 'u64', f'{body.use(a, "u64", symbols=True)} {"-" if back else "+"} {window}')
    return [('MOVE', 1)]


TO_INTEGER = {'rni': '__builtin_rint', 'rzi': '__builtin_trunc', 'rmi': '__builtin_floor', 'rpi': '__builtin_ceil'}


@handles('cvt')
def cvt(body, i):
    rounding = i.take('rn', 'rni', 'rzi', 'rmi', 'rpi')
    types = [m for m in i.modifiers if m in CTYPES]
    if len(types) != 2:
        i.fail('cvt needs two types')
    to, source = types
    i.need(to), i.need(source)
    d, a = i.finish(2)
    value = body.number(a) if source == 'f64' else body.use(a, source, wider=True)
    integer = TO_INTEGER.get(rounding)
    allowed = None
    if source == 'f64' and to == 'f64':
        allowed, result = integer, f'{integer}({value})'
    elif source == 'f64' and to[0] in 'us':
        allowed, result = integer, f'to_integer<{CTYPES[to]}>({integer}({value}))'
    elif to in ('f64', 'f32') and source[0] in 'us':
        allowed, result = rounding == 'rn', f'({CTYPES[to]}){value}'
    elif to == 'f64' and source == 'f32':
        allowed, result = rounding is None, f'(double){value}'
    elif to == 'f32' and source == 'f64':
        allowed = rounding == 'rn'
        result = f'{value} == {value} ? (float){value} : float_from_bits(0x7fffffffu)'
    elif to[0] in 'us' and source[0] in 'us':
        allowed, result = rounding is None, f'({CTYPES[to]}){value}'
    if not allowed:
        i.fail('conversion with this rounding not supported')
    if to == 'f64':
        body.compute(d, result)
    else:
        body.assign(d, to, result, wider=True)
    return [('CONVERT', 1)]


# ------------------------------------------------------------------------------------------------------------- memory

def take_hints(i):
    """Cache, ordering and scope hints: accesses here are always coherent and in order."""
    while i.take('volatile', 'weak', 'relaxed', 'acquire', 'release', 'acq_rel', 'cta', 'gpu', 'sys', 'nc', 'ca', 'cg',
                 'cs', 'lu', 'cv', 'wb', 'wt'):
        pass


def element_type(i):
    return i.need('f64', 'f32', 'u8', 's8', 'b8', *INTEGERS, *BITS)


def count_access(verb, space, size):
    name = 'PARAM_CONST' if space in ('param', 'const') else (space or 'generic').upper()
    return [(f'{verb}_{name}', size)]


@handles('ld')
def ld(body, i):
    take_hints(i)
    space, lanes, type = i.take(*SPACES), i.take('v2', 'v4'), element_type(i)
    d, address = i.finish(2)
    parts = vector(d)
    if len(parts) != int((lanes or 'v1')[1:]):
        i.fail('vector of the wrong length')
    size = SIZES[type] * len(parts)
    place, called = body.place(space, address, size, 'READ')
    c = CTYPES[type]
    if len(parts) == 1:
        body.assign(d, type, f'get<{c}>({place})', wider=True)
    else:
        body.assign_many(parts, type, [f'get<{c}>(m + {n * SIZES[type]})' for n in range(len(parts))],
                         before=f'const unsigned char *m = {place};')
    return [('MOVE', 1)] if called else count_access('LOAD', space, size)


@handles('st')
def st(body, i):
    take_hints(i)
    space, lanes, type = i.take('global', 'local', 'shared', 'param'), i.take('v2', 'v4'), element_type(i)
    address, values = i.finish(2)
    parts = vector(values)
    if len(parts) != int((lanes or 'v1')[1:]):
        i.fail('vector of the wrong length')
    size = SIZES[type] * len(parts)
    place, called = body.place(space, address, size, 'WRITE')
    if space == 'param' and not called:
        i.fail('kernel parameters are read only')
    c = CTYPES[type]
    if len(parts) == 1:
        body.emit(f'put<{c}>({place}, {body.use(values, type, wider=True)});')
    else:
        body.emit_block([f'unsigned char *m = {place};'] + [f'put<{c}>(m + {n * SIZES[type]}, {body.use(p, type)});'
                                                           for n, p in enumerate(parts)])
    return [('MOVE', 1)] if called else count_access('STORE', space, size)


ATOMIC = {'add': 'wrap_add<{u}>(old, {b})', 'min': 'smaller<{c}>(old, {b})', 'max': 'larger<{c}>(old, {b})',
          'and': 'old & {b}', 'or': 'old | {b}', 'xor': 'old ^ {b}', 'exch': '{b}', 'cas': 'old == {b} ? {v} : old',
          'inc': 'old >= {b} ? 0 : old + 1', 'dec': 'old == 0 || old > {b} ? {b} : old - 1'}
ATOMIC_TYPES = {'add': ('u32', 's32', 'u64'), 'min': ('u32', 's32', 'u64', 's64'), 'max': ('u32', 's32', 'u64', 's64'),
                'and': ('b32', 'b64'), 'or': ('b32', 'b64'), 'xor': ('b32', 'b64'), 'exch': ('b32', 'b64'),
                'cas': ('b32', 'b64'), 'inc': ('u32',), 'dec': ('u32',)}


@handles('atom', 'red')
def atom(body, i):
    take_hints(i)
    space, operation = i.take('global', 'shared'), i.need(*ATOMIC)
    type = i.need(*ATOMIC_TYPES[operation])
    d = i.operands.pop(0) if i.opcode == 'atom' else '_'
    address, b, *value = i.finish(3 if operation == 'cas' else 2)
    place, _ = body.place(space, address, SIZES[type], 'ATOMIC')
    c = CTYPES[type]
    update = ATOMIC[operation].format(u=unsigned(type), c=c, b=body.use(b, type), v=value and body.use(value[0], type))
    body.assign(d, type, f'atomic<{c}>({place}, [&]({c} old) {{ return ({c})({update}); }})')
    return [('ATOMICS', 1)]


@handles('membar', 'fence')
def fence(body, i):
    i.take('sc', 'acq_rel')
    i.need('cta', 'gl', 'gpu', 'sys')
    i.finish(0)
    return [('BARRIER', 1)]


# ------------------------------------------------------------------------------------------------------- cooperation

@handles('bar', 'barrier')
def bar(body, i):
    i.take('cta')
    i.take('aligned')
    body.cooperates = True
    if i.take('warp'):
        i.need('sync')
        mask, = i.finish(1)
        body.emit(f'warp(t, WARP_SYNC, {body.use(mask, "b32")}, 0, 0, 0);')
        return [('WARP', 1)]
    if i.take('red'):
        operation = i.need('and', 'or', 'popc')
        type = i.need('u32' if operation == 'popc' else 'pred')
        d, id, p = i.finish(3)
        result = f'barrier(t, {body.use(id, "u32")}, RED_{operation.upper()}, {body.predicate(p)})'
        body.assign(d, type, result)
        return [('BARRIER', 1)]
    i.need('sync')
    id, = i.finish(1)
    body.emit(f'barrier(t, {body.use(id, "u32")}, RED_NONE, false);')
    return [('BARRIER', 1)]


@handles('shfl')
def shfl(body, i):
    i.need('sync')
    mode = i.need('up', 'down', 'bfly', 'idx')
    i.need('b32')
    d, a, b, c, mask = i.finish(5)
    body.cooperates = True
    destinations = [x.strip() for x in d.split('|')]
    operands = ', '.join(body.use(x, 'b32') for x in (mask, a, b, c))
    body.emit_block([f'WarpResult w = warp(t, SHFL_{mode.upper()}, {operands});',
                     body.assignment(destinations[0], 'b32', 'w.value'),
                     body.assignment(destinations[1], 'pred', 'w.predicate') if len(destinations) > 1 else ''])
    return [('WARP', 1)]


@handles('vote')
def vote(body, i):
    i.need('sync')
    mode = i.need('all', 'any', 'uni', 'ballot')
    type = i.need('b32' if mode == 'ballot' else 'pred')
    d, p, mask = i.finish(3)
    body.cooperates = True
    body.assign(d, type, f'warp(t, VOTE_{mode.upper()}, {body.use(mask, "b32")}, {body.predicate(p)}, 0, 0).value')
    return [('WARP', 1)]


@handles('redux')
def redux(body, i):
    i.need('sync')
    operation = i.need('add', 'min', 'max', 'and', 'or', 'xor')
    type = i.need(*(('b32',) if operation in ('and', 'or', 'xor') else ('u32', 's32')))
    d, a, mask = i.finish(3)
    body.cooperates = True
    name = (type[0] if operation in ('min', 'max') else '') + operation
    body.assign(d, type, f'warp(t, REDUX_{name.upper()}, {body.use(mask, "b32")}, {body.use(a, type)}, 0, 0).value')
    return [('WARP', 1)]


@handles('activemask')
def activemask(body, i):
    """Which lanes run together is the scheduler's choice: here each runs alone."""
    i.need('b32')
    d, = i.finish(1)
    body.assign(d, 'b32', '1u << lane(t)')
    return [('WARP', 1)]


# ------------------------------------------------------------------------------------------------------------ control

@handles('bra')
def bra(body, i):
    i.take('uni')
    target, = i.finish(1)
    body.emit(f'goto {body.goto_label(target)};')
    return [('BRANCH', 1)]


@handles('brx')
def brx(body, i):
    i.need('idx')
    i.take('uni')
    index, table = i.finish(2)
    if table not in body.branch_targets:
        i.fail(f'no .branchtargets {table}')
    cases = ' '.join(f'case {n}: goto {body.goto_label(x)};' for n, x in enumerate(body.branch_targets[table]))
    index = body.use(index, 'u32')
    body.emit(f'switch ({index}) {{ {cases} default: fault(t, "a branch table", {index}, 0); }}')
    return [('BRANCH', 1)]


@handles('ret', 'exit')
def ret(body, i):
    i.take('uni') if i.opcode == 'ret' else None
    i.finish(0)
    if i.opcode == 'exit' and not body.function.entry:
        i.fail('exit in a function that is not a kernel')
    body.emit_return()
    return [('BRANCH', 1)]


@handles('trap')
def trap(body, i):
    i.finish(0)
    body.emit('fault(t, nullptr, 0, 0);')
    return [('BRANCH', 1)]


@handles('call')
def call(body, i):
    i.take('uni')
    operands = list(i.operands)
    i.finish(len(operands))
    returned = vector_of(operands.pop(0)) if operands and operands[0].startswith('(') else []
    if not operands or len(operands) > 2:
        i.fail('only direct calls are supported')
    body.emit_call(operands[0], returned, vector_of(operands[1]) if len(operands) > 1 else [])
    return [('CALL', 1)]


def vector_of(text):
    return [e.strip() for e in text.strip('() ').split(',') if e.strip()]
