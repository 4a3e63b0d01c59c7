"""Instructions that move: between registers, between types, and between registers and memory."""

from instruction import BITS, CTYPES, INTEGERS, SPACES, handles, unsigned, vector
from ptxparse import SIZES


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
                         before=f'const unsigned char *m = {place};', wider=True)
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
