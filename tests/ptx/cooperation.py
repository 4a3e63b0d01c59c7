"""Instructions between threads, and those that lead through the code."""

from instruction import handles


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
