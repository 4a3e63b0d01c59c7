"""test_contributing SOURCE BUILD - CONTRIBUTING's worked example, followed to the letter: its file, its line, its commands."""
import pathlib
import re
import shutil
import subprocess
import sys

source, build = map(pathlib.Path, sys.argv[1:3])
copy = build / "contributing"
text = (source / "CONTRIBUTING.md").read_text(encoding="utf-8")
blocks = re.findall(r"^```(c (\S+)|sh)\n(.*?)^```$", text, re.S | re.M)
files = [(path, content) for kind, path, content in blocks if kind != "sh"]
commands = [content for kind, path, content in blocks if kind == "sh"]
if len(files) != 2 or len(commands) != 1:
    sys.exit(f"CONTRIBUTING has {len(files)} files and {len(commands)} lists of commands, not two and one")

shutil.rmtree(copy, ignore_errors=True)
copy.mkdir(parents=True)
for name in ("CMakeLists.txt", "host", "include", "kernels", "tests", "tools", "bench", "papers", "README.md"):
    path = source / name
    (shutil.copytree if path.is_dir() else shutil.copy2)(path, copy / name)
for name, content in files:
    path = copy / name
    if path.exists():  # a list: the line is added to it
        with open(path, "a", encoding="utf-8") as stream:
            stream.write(content)
    else:
        path.write_text(content, encoding="utf-8")
done = subprocess.run(["sh", "-e", "-c", commands[0]], cwd=copy, text=True, capture_output=True)
print(done.stdout[-3000:], done.stderr[-3000:])
if done.returncode:
    sys.exit("the commands failed")
if not re.search(r"^well: 64 ", done.stdout, re.M) or len(re.findall(r"^(vlv|rattle|rk4) +\S", done.stdout, re.M)) != 3:
    sys.exit("the run does not show the new problem with its three methods")
