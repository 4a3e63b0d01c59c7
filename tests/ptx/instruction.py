"""One PTX instruction: its parts, its types, and who translates it to a C++ statement in terms of device.h.

A handler gets the instruction and a Body (see translate), takes the modifiers it knows, emits the statement and returns
what is to be counted. Modifiers that are left over are an error, so nothing is ever accepted without being handled.
The handlers are in arithmetic.py, movement.py and cooperation.py."""

import re

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
