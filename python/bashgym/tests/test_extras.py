import sys

import pytest


@pytest.mark.parametrize(("package", "use", "extra"), [("gymnasium", "gym", "gym"), ("verifiers", "verifiers", "verifiers")])
def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, package: str, use: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"bashgym.{use}", raising=False)
    with pytest.raises(ModuleNotFoundError, match=rf"{package}.*pip install 'bashgym\[{extra}\]'"):
        module = __import__(f"bashgym.{use}", fromlist=["x"])
        module.load_environment("http://127.0.0.1:1", [])
