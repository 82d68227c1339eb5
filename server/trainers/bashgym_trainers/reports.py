"""Settings of the reporters, which receive the progress of a run. Their files go to the folder of the run."""

from __future__ import annotations

import os

from .config import Config


def open_reports(config: Config, names: list[str]) -> None:
    """Sets where the libraries write their files. Keys and addresses come from the environment."""
    folder = config.output / "reports"
    for name in names:
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    os.environ["TENSORBOARD_LOGGING_DIR"] = str(folder / "tensorboard")
    os.environ["TRACKIO_DIR"] = str(folder / "trackio")
    os.environ["WANDB_DIR"] = str(folder / "wandb")
    if "wandb" in names:
        os.environ.setdefault("WANDB_PROJECT", "bashgym")
        os.environ["WANDB_RUN_ID"] = config.run_id  # a resumed run continues its curve
        os.environ["WANDB_RESUME"] = "allow"
        for switch in ("WANDB_DISABLE_GIT", "WANDB_DISABLE_CODE"):  # sends nothing about the machine except the run
            os.environ[switch] = "true"
    if "mlflow" in names:
        os.environ.setdefault("MLFLOW_TRACKING_URI", f"sqlite:///{folder / 'mlflow' / 'mlflow.db'}")
        os.environ.setdefault("MLFLOW_EXPERIMENT_NAME", "bashgym")
