"""run_notebook FILE... - executes the cells of notebooks, in a kernel where nbclient is installed, otherwise one after the other here."""
import json
import pathlib
import sys


def by_nbclient(path):
    import nbclient
    import nbformat
    nbclient.NotebookClient(nbformat.read(path, as_version=4), timeout=600, resources={"metadata": {"path": str(path.parent)}}).execute()


def here(path):
    names = {"__name__": "__main__"}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(path), "exec"), names)


for name in sys.argv[1:]:
    file = pathlib.Path(name)
    notebook = json.loads(file.read_text())
    if any(cell.get("outputs") or cell.get("execution_count") for cell in notebook["cells"]):
        sys.exit(f"{file}: outputs are not to be kept in the tree")
    try:
        import nbclient  # noqa: F401
    except ModuleNotFoundError:
        here(file)
    else:
        by_nbclient(file)
    print(f"{file.name}: done")
