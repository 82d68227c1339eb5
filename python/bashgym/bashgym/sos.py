"""A client of the sandbox service (`bashgym sandbox serve`), which uses the protocol of SoS."""

import json
import os
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Self


class SandboxError(RuntimeError):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class ExecResult:
    output: str
    exit_code: int
    exited: bool


class SandboxClient:
    """`token`: of the service; by default that of the variable BASHGYM_SANDBOX_TOKEN."""

    def __init__(self, url: str = "http://127.0.0.1:3000", *, token: str | None = None, timeout: float = 600) -> None:
        self._url = url.rstrip("/")
        self._token = token or os.environ.get("BASHGYM_SANDBOX_TOKEN")
        self._timeout = timeout

    def create(self, image: str = "host", setup_commands: list[str] | None = None, **more: Any) -> "Sandbox":
        answer = self._call("POST", "/sandboxes", {"image": image, "setup_commands": setup_commands or [], **more})
        return Sandbox(self, answer["id"])

    def list(self) -> list[dict[str, Any]]:
        return self._call("GET", "/sandboxes")

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self._token}"} if self._token else {})}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                text = response.read().decode()
        except urllib.error.HTTPError as error:
            raise SandboxError(error.code, error.read().decode(errors="replace")) from None
        try:
            return json.loads(text) if text else None
        except ValueError:
            return text


class Sandbox:
    """`with client.create(...) as sandbox: sandbox.exec("ls")`."""

    def __init__(self, client: SandboxClient, id: str) -> None:
        self.id = id
        self._client = client

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:
            self.stop(remove=True)
            raise

    def __exit__(self, *_: object) -> None:
        self.stop(remove=True)

    def start(self, wait: bool = True) -> Self:
        self._client._call("POST", f"/sandboxes/{self.id}/start", {"wait": wait})
        return self

    def exec(self, command: str, standalone: bool = False) -> ExecResult:
        return ExecResult(**self._client._call("POST", f"/sandboxes/{self.id}/exec", {"command": command, "standalone": standalone}))

    def trajectory(self) -> list[dict[str, Any]]:
        return self._client._call("GET", f"/sandboxes/{self.id}/trajectory")["trajectory"]

    def stop(self, remove: bool = False) -> None:
        self._client._call("POST", f"/sandboxes/{self.id}/stop", {"remove": remove})
