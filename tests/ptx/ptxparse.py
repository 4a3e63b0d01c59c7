"""Reads PTX: the text in a nvcc object, and its parts: variables, functions, statements. It knows the grammar, not the
instructions. Anything it does not know is an error with file and line."""

import re
import struct
from dataclasses import dataclass, field


class PtxError(Exception):
    pass


@dataclass
class Variable:
    name: str
    space: str
    type: str
    align: int
    count: int          # elements
    size: int           # bytes
    init: str = None    # the text of the initialiser
    line: int = 0
    extern: bool = False


@dataclass
class Parameter:
    name: str
    type: str
    size: int
    align: int
    offset: int = 0


@dataclass
class Statement:
    """kind: label, open, close, directive, instruction."""
    kind: str
    text: str
    line: int


@dataclass
class Function:
    name: str
    entry: bool
    returns: list
    parameters: list
    line: int
    statements: list = field(default_factory=list)
    max_threads: int = 1024


@dataclass
class Module:
    file: str
    target: int = 0                     # the compute capability that it was compiled for, such as 75
    variables: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)


SIZES = {'b8': 1, 'u8': 1, 's8': 1, 'b16': 2, 'u16': 2, 's16': 2, 'b32': 4, 'u32': 4, 's32': 4, 'f32': 4,
         'b64': 8, 'u64': 8, 's64': 8, 'f64': 8}


def elf_section(data, wanted):
    """The bytes of one section of a 64-bit little-endian ELF file."""
    header = struct.unpack_from('<Q', data, 0x28)[0]
    entry_size, count, names = struct.unpack_from('<HHH', data, 0x3a)
    sections = [struct.unpack_from('<IIQQQQIIQQ', data, header + i * entry_size) for i in range(count)]
    strings = sections[names][4]
    for name, _, _, _, offset, size, *_ in sections:
        start = strings + name
        if data[start:data.index(b'\0', start)].decode() == wanted:
            return data[offset:offset + size]
    return None


def fatbin_ptx(fatbin, file):
    """The texts of the PTX images in a fatbinary: containers of images, each with a header that tells its size."""
    found = []
    at = 0
    while at < len(fatbin):
        magic, _, header, size = struct.unpack_from('<IHHQ', fatbin, at)
        if magic != 0xba55ed50:
            raise PtxError(f'{file}: .nv_fatbin is not a fatbinary')
        image, end = at + header, at + header + size
        while image < end:
            kind, _, image_header, image_size = struct.unpack_from('<HHIQ', fatbin, image)
            body = fatbin[image + image_header:image + image_header + image_size]
            if kind == 1 and b'.version' not in body:
                raise PtxError(f'{file}: the PTX is compressed; compile with nvcc --no-compress')
            if kind == 1:
                found.append(body.rstrip(b'\0').decode('ascii'))
            image += image_header + image_size
        at = (end + 7) // 8 * 8
    return found


def target_of(text, file):
    m = re.search(r'^\.target sm_(\d+)', text, re.M)
    if not m:
        raise PtxError(f'{file}: no .target')
    return int(m[1])


def read_images(file):
    """Every PTX of an object, or the one of a text, by its target."""
    with open(file, 'rb') as f:
        data = f.read()
    if data[:4] != b'\x7fELF':
        texts = [data.decode('ascii')]
    else:
        fatbin = elf_section(data, '.nv_fatbin')
        if fatbin is None:
            raise PtxError(f'{file}: no .nv_fatbin section')
        texts = fatbin_ptx(fatbin, file)
    images = {target_of(text, file): text for text in texts}
    if not images or len(images) != len(texts):
        raise PtxError(f'{file}: {len(texts)} PTX images for {len(images)} targets')
    return images


def read_ptx(file, target=None):
    """The PTX for one target, or the lowest, which every device can take."""
    images = read_images(file)
    target = min(images) if target is None else target
    if target not in images:
        raise PtxError(f'{file}: no PTX for sm_{target}, but for sm_{", sm_".join(map(str, sorted(images)))}')
    return images[target]


def only_kernels(text, wanted):
    """The text without the other kernels; wanted says by name. Variables and functions stay."""
    kernel = re.compile(r'^(?:\.\w+ )*\.entry\s+([\w$]+)\(.*?^}\n', re.M | re.S)
    return kernel.sub(lambda m: m.group() if wanted(m[1]) else '', text)


def strip_comments(text):
    """Comments become blanks, so that lines keep their numbers."""
    blank = lambda m: re.sub(r'[^\n]', ' ', m.group())
    return re.sub(r'//[^\n]*|/\*.*?\*/', blank, text, flags=re.S)


VARIABLE = re.compile(r'''(?P<link>(?:\.(?:visible|extern|weak|common)\s+)*)
    \.(?P<space>global|const|shared|local)\s+ (?:\.align\s+(?P<align>\d+)\s+)?
    \.(?P<type>\w+)\s+ (?P<name>[\w$%.]+) (?P<dims>(?:\[\d*\])*) \s* (?:=\s*(?P<init>.*))?$''', re.X | re.S)

PARAMETER = re.compile(r'''\.param\s+(?:\.align\s+(?P<align>\d+)\s+)?\.(?P<type>\w+)\s+
    (?:\.ptr\s+(?:\.(?:global|shared|const|local)\s+)?(?:\.align\s+\d+\s+)?)?
    (?:\.align\s+(?P<align2>\d+)\s+)?(?P<name>[\w$%]+)(?:\[(?P<count>\d+)\])?$''', re.X)

FUNCTION = re.compile(r'''(?:\.(?:visible|weak)\s+)*\.(?P<kind>entry|func)\s*
    (?:\((?P<returns>[^()]*)\)\s*)?(?P<name>[\w$%.]+)\s*(?:\((?P<parameters>[^()]*)\))?(?P<rest>[^{;]*)\{''', re.X)


def parse_variable(text, fail):
    m = VARIABLE.match(text)
    if not m or m['type'] not in SIZES:
        fail(f'declaration not understood: {text[:80]}')
    count = 1
    extern = 'extern' in m['link']
    for n in re.findall(r'\[(\d*)\]', m['dims']):
        if not n and not (extern and m['space'] == 'shared'):
            fail('an array without a size')
        count *= int(n or 0)
    size = SIZES[m['type']]
    align = int(m['align'] or size)
    return Variable(m['name'], m['space'], m['type'], align, count, count * size, m['init'], 0, extern)


def parse_parameters(text, fail):
    """A list of .param declarations, laid out one after another."""
    result, offset = [], 0
    for part in filter(None, (p.strip() for p in (text or '').split(','))):
        m = PARAMETER.match(part)
        if not m or m['type'] not in SIZES:
            fail(f'parameter not understood: {part}')
        unit = SIZES[m['type']]
        align = int(m['align'] or m['align2'] or unit)
        size = unit * int(m['count'] or 1)
        offset = (offset + align - 1) // align * align
        result.append(Parameter(m['name'], m['type'], size, align, offset))
        offset += size
    return result


def matching_brace(text, start):
    depth = 0
    for m in re.compile(r'[{}]').finditer(text, start):
        depth += 1 if m.group() == '{' else -1
        if depth == 0:
            return m.start()
    return -1


LABEL = re.compile(r'([\w$%]+)\s*:(?!:)')


def parse_body(text, line):
    """Splits a body into statements. A brace that starts a statement opens a scope; others belong to an operand."""
    statements, at = [], 0
    while True:
        skipped = re.compile(r'\s*').match(text, at).end()
        line += text.count('\n', at, skipped)
        at = skipped
        if at == len(text):
            return statements
        if text[at] in '{}':
            statements.append(Statement('open' if text[at] == '{' else 'close', text[at], line))
            at += 1
            continue
        label = LABEL.match(text, at)
        if label:
            statements.append(Statement('label', label[1], line))
            at = label.end()
            continue
        if re.compile(r'\.loc\s').match(text, at):
            end = text.index('\n', at) - 1   # line information: no semicolon, nothing to run
        else:
            end = text.find(';', at)
            end = len(text) if end < 0 else end
            content = re.sub(r'\s+', ' ', text[at:end]).strip()
            statements.append(Statement('directive' if content[0] == '.' else 'instruction', content, line))
        line += text.count('\n', at, end)
        at = min(end + 1, len(text))


class Parser:
    def __init__(self, file, text):
        self.text = strip_comments(text)
        self.module = Module(file, target_of(text, file))
        self.at = 0
        self.line_at, self.line = 0, 1

    def line_number(self):
        self.line += self.text.count('\n', self.line_at, self.at)
        self.line_at = self.at
        return self.line

    def fail(self, message):
        raise PtxError(f'{self.module.file}:{self.line_number()}: {message}')

    def parse(self):
        blank = re.compile(r'\s*')
        while True:
            self.at = blank.match(self.text, self.at).end()
            if self.at == len(self.text):
                return self.module
            self.directive()

    def directive(self):
        word = re.compile(r'\.?\w+').match(self.text, self.at)
        word = word.group() if word else self.text[self.at]
        if word in ('.version', '.target', '.address_size', '.file'):
            return self.header(word)
        function = FUNCTION.match(self.text, self.at)
        if function:
            return self.function(function)
        if word not in ('.visible', '.extern', '.weak', '.common', '.global', '.const', '.shared', '.func'):
            self.fail(f'unknown directive {word}')
        end = self.text.index(';', self.at)
        text = self.text[self.at:end].strip()
        if '.func' in text.split('(')[0].split():
            pass    # a declaration; a call of something without a body is refused where it stands
        else:
            variable = parse_variable(text, self.fail)
            variable.line = self.line_number()
            self.module.variables[variable.name] = variable
        self.at = end + 1

    def header(self, word):
        end = self.text.index('\n', self.at)
        value = self.text[self.at + len(word):end].strip()
        if word == '.address_size' and value != '64':
            self.fail('only 64-bit addresses are supported')
        if word == '.target' and ',' in value:
            self.fail(f'target option not supported: {value}')
        self.at = end

    def function(self, m):
        f = Function(m['name'], m['kind'] == 'entry', parse_parameters(m['returns'], self.fail),
                     parse_parameters(m['parameters'], self.fail), self.line_number())
        self.bounds(f, m['rest'])
        open_brace = m.end() - 1
        close = matching_brace(self.text, open_brace)
        if close < 0:
            self.fail('no closing brace')
        self.at = open_brace + 1
        f.statements = parse_body(self.text[open_brace + 1:close], self.line_number())
        self.module.functions[f.name] = f
        self.at = close + 1

    def bounds(self, f, rest):
        """The directives between a function's head and its body."""
        for name, values in re.findall(r'\.(\w+)([^.]*)', rest):
            numbers = [int(n) for n in re.findall(r'\d+', values)]
            if name in ('maxntid', 'reqntid'):
                f.max_threads = 1
                for n in numbers:
                    f.max_threads *= n
            elif name not in ('minnctapersm', 'maxnreg', 'noreturn'):
                self.fail(f'unknown directive .{name}')


def initial_bytes(variable, fail):
    """The initialiser of a variable as bytes; what it does not mention is zero."""
    formats = {'1': '<B', '2': '<H', '4': '<I', '8': '<Q'}
    size = SIZES[variable.type]
    result = bytearray()
    for word in re.findall(r'[^\s,{}]+', variable.init or ''):
        if re.fullmatch(r'0[dDfF][0-9a-fA-F]+', word):
            value = int(word[2:], 16)
        else:
            try:
                value = int(word, 0)
            except ValueError:
                fail(f'initialiser not understood: {word}')
        result += struct.pack(formats[str(size)], value & ((1 << 8 * size) - 1))
    if len(result) > variable.size:
        fail(f'too many initial values for {variable.name}')
    return bytes(result)
