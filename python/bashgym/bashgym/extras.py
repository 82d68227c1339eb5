"""Packages that are installed on request."""


def missing_extra(error: ModuleNotFoundError, extra: str) -> ModuleNotFoundError:
    """The error for a package of an extra, with the command that installs it."""
    text = f"This needs the Python package {error.name}. Install it with: pip install 'bashgym[{extra}]'"
    return ModuleNotFoundError(f"{text} (from a checkout: pip install './python/bashgym[{extra}]').", name=error.name)
