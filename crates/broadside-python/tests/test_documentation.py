"""The Python examples of the documentation, run one after the other."""

import code
import json
import re

import pytest
from conftest import ROOT


class Interpreter(code.InteractiveConsole):
    """Python as one types into it, or pastes; an error ends the test."""

    def showsyntaxerror(self, *arguments: object, **others: object) -> None:
        raise

    def showtraceback(self) -> None:
        raise

    def paste(self, block: str) -> None:
        for line in [*block.splitlines(), ""]:
            self.push(line)


@pytest.mark.parametrize("page", ["docs/python.md", "crates/broadside-python/README.md"])
def test_the_examples_run(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / page).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    interpreter = Interpreter({"__name__": "__main__"}, page)
    for block in blocks:
        interpreter.paste(block)
    assert capsys.readouterr().out


def test_links_lead_somewhere() -> None:
    page = ROOT / "docs/python.md"
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)\)", page.read_text())
    assert links and all((page.parent / link).exists() for link in links), links


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = json.loads((ROOT / "crates/broadside-python/examples/odds.ipynb").read_text())
    names: dict[str, object] = {}
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) == 4
    for cell in code:
        exec(compile(cell.replace("plt.show()", "plt.close('all')"), "odds.ipynb", "exec"), names)
