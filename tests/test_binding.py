"""What the Python package believes of the library: structs, functions and numbers are those of spindrift.h.

SPINDRIFT_LIBRARY names the shared library, SOURCE the source tree, CC the compiler."""
import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["SOURCE"])
sys.path.insert(0, str(SOURCE / "python"))
import spindrift as sd  # noqa: E402
from spindrift import library as c, plan as planning  # noqa: E402


class Header(unittest.TestCase):
    """What ctypes believes is what spindrift.h says."""

    TYPES = {"size_t": "c_ulong", "int": "c_int", "double": "c_double", "uint64_t": "c_ulong", "sd_status": "c_int", "sd_verdict": "c_int",
             "sd_reason": "c_int", "sd_option_kind": "c_int", "char": "c_char"}

    def setUp(self):
        text = (SOURCE / "include/spindrift.h").read_text()
        self.text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)

    def kind(self, declared, stars, room):
        """The name of the ctypes type of a declared member or argument."""
        base = declared.replace("const", "").split()[-1]
        if stars == 1 and base == "char" and "unsigned" not in declared and not room:
            return "c_char_p"
        if stars:
            return "pointer"
        name = self.TYPES[base]
        return f"{name} * {room}" if room else name

    @staticmethod
    def seen(kind):
        if issubclass(kind, ctypes.Array):
            return f"{kind._type_.__name__} * {kind._length_}"
        if kind is ctypes.c_void_p or issubclass(kind, ctypes._Pointer) or issubclass(kind, ctypes._CFuncPtr):
            return "pointer"
        return kind.__name__

    def members(self, name):
        body = re.search(r"typedef struct \{([^}]*)\} %s;" % name, self.text).group(1)
        body = re.sub(r"^#.*$", "", body, flags=re.M)
        for statement in filter(None, map(str.strip, body.split(";"))):
            declared, first = re.match(r"((?:const |unsigned )*\w+)\s+(.*)", statement, re.S).groups()
            for part in first.split(","):
                stars, member, room = re.fullmatch(r"\s*(\**)(?:const )?(\w+)(?:\[(\w+)\])?\s*", part).groups()
                yield member, self.kind(declared, len(stars), room)

    STRUCTS = {"sd_family_info": c.FamilyInfo, "sd_array_info": c.ArrayInfo, "sd_start_info": c.StartInfo, "sd_trait_info": c.TraitInfo,
               "sd_method_info": c.MethodInfo, "sd_problem_info": c.ProblemInfo, "sd_parameter_info": c.ParameterInfo,
               "sd_option_info": c.OptionInfo, "sd_statistic_info": c.StatisticInfo, "sd_quantity_info": c.QuantityInfo,
               "sd_report": c.Report, "sd_control": c.Control, "sd_axis_info": c.AxisInfo, "sd_view": c.View}

    def test_structs(self):
        self.assertEqual({kind for kind in vars(c).values() if isinstance(kind, type) and issubclass(kind, ctypes.Structure)},
                         {*self.STRUCTS.values(), ctypes.Structure, c.Sized, c.Summary}, "a struct that is not held against the header")
        for name, ours in self.STRUCTS.items():
            declared = list(self.members(name))
            self.assertEqual([(m, self.seen(k)) for m, k in ours._fields_], declared, name)
        begun = [entry for entry in self.members("sd_summary")]
        self.assertEqual([(m, self.seen(k)) for m, k in c.Summary._fields_], begun[:len(c.Summary._fields_)])

    def test_places(self):
        """Sizes and offsets, by the compiler."""
        structs = {**self.STRUCTS, "sd_summary": c.Summary}
        lines = [f'printf("{name}.{member} %zu %zu\\n", offsetof({name}, {member}), sizeof(({name} *)0)->{member});'
                 for name, kind in structs.items() for member, _ in kind._fields_]
        lines += [f'printf("{name} 0 %zu\\n", sizeof({name}));' for name in self.STRUCTS]
        with tempfile.TemporaryDirectory() as place:
            source, program = pathlib.Path(place, "places.c"), pathlib.Path(place, "places")
            source.write_text("#include <spindrift.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n")
            subprocess.run([os.environ.get("CC", "cc"), f"-I{SOURCE}/include", source, "-o", program], check=True)
            theirs = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
        ours = [f"{name}.{member} {getattr(kind, member).offset} {getattr(kind, member).size}"
                for name, kind in structs.items() for member, _ in kind._fields_]
        self.assertEqual([*ours, *(f"{name} 0 {ctypes.sizeof(kind)}" for name, kind in self.STRUCTS.items())], theirs)

    def test_functions(self):
        for name, (result, arguments) in c.FUNCTIONS.items():
            declared, stars, listed = re.search(r"^(\w[\w ]*?)\s+(\**)%s\(([^)]*)\)" % name, self.text, re.S | re.M).groups()
            wanted = []
            for argument in [] if listed == "void" else listed.split(","):
                kind, star, _, room = re.fullmatch(r"\s*((?:const )*\w+)\s*([*const ]*?)(\w+)(\[\w+\])?\s*", argument, re.S).groups()
                base = kind.split()[-1]
                count = star.count("*") + bool(room)
                wanted.append("pointer" if base not in self.TYPES and not count else self.kind(kind, count, None))
            self.assertEqual([self.seen(k) for k in arguments], wanted, name)
            self.assertEqual("None" if result is None else self.seen(result),
                             "None" if declared == "void" and not stars else self.kind(declared, len(stars), None), name)

    def test_numbers(self):
        listed = re.findall(r"STATUS\(SD_(\w+), (\d+),", (SOURCE / "include/spindrift_status.def").read_text())
        self.assertEqual({s.name: s.value for s in sd.Status}, {name: int(number) for name, number in listed})
        kinds = re.findall(r"SD_OPTION_\w+", re.search(r"typedef enum \{([^}]*SD_OPTION_TEXT[^}]*)\}", self.text).group(1))
        self.assertEqual([kinds[i] for i in planning.WHOLE], ["SD_OPTION_UNSIGNED", "SD_OPTION_INTEGER", "SD_OPTION_INT"])
        self.assertEqual([kinds[planning.CHOICE], kinds[planning.PARAMETER]], ["SD_OPTION_CHOICE", "SD_OPTION_PARAMETER"])
        listed = re.findall(r"SD_(?:NOT_)?LISTED\w*", re.search(r"enum \{([^}]*SD_NOT_LISTED[^}]*)\}", self.text).group(1))
        self.assertEqual([listed[i] for i in (planning.JOINED, planning.REPEATED, planning.RUNS)],
                         ["SD_LISTED_JOINED", "SD_LISTED_REPEATED", "SD_LISTED_RUNS"])

    def test_keywords_are_the_options(self):
        keys = [o.key for o in sd.options()]
        for key in ("problem", "method", "sigma-attitude", "until-decided", "checkpoint-every"):
            self.assertIn(key, keys)
            self.assertIn(key.replace("-", "_"), sd.run.__signature__.parameters)
        self.assertIn("until_decided", sd.run.__doc__)


if __name__ == "__main__":
    unittest.main()
