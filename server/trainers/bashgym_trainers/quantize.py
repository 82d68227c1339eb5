"""Quantizes a 16-bit GGUF with ggml's routines, which xllamacpp exports, so that llama.cpp need not be built."""

from __future__ import annotations

import ctypes
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter
from gguf.constants import GGML_QUANT_SIZES, Keys
from gguf.quants import dequantize

from .errors import TrainerError
from .recipe import Mixture, Shape, types_of
from .tool_io import EventWriter

FILE_TYPE = {Mixture.Q4_K_M: 15, Mixture.Q5_K_M: 17}  # llama_ftype
QUANTIZATION_VERSION = 2
ROWS_AT_ONCE = 4096


def quantize(source: Path, output: Path, quantization: str, threads: int | None, events: EventWriter) -> None:
    """Writes ``output``. Raises ``TrainerError`` (quantize_failed)."""
    mixture = Mixture(quantization)
    routine = _routine()
    reader = GGUFReader(source)
    architecture = str(_value(reader, Keys.General.ARCHITECTURE))
    shapes = [Shape(tensor.name, len(tensor.shape), int(tensor.shape[0])) for tensor in reader.tensors]
    layers = int(_value(reader, f"{architecture}.block_count") or 0)
    experts = int(_value(reader, f"{architecture}.expert_count") or 0)
    kinds = types_of(shapes, mixture, architecture, layers, experts)

    writer = GGUFWriter(output, architecture)
    _copy_fields(reader, writer)
    writer.add_file_type(FILE_TYPE[mixture])
    writer.add_quantization_version(QUANTIZATION_VERSION)
    for tensor in reader.tensors:
        kind = _kind(tensor, kinds)
        shape = [int(size) for size in reversed(tensor.shape)]
        writer.add_tensor_info(tensor.name, shape, np.dtype(np.float32), _bytes_of(shape, kind), kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for number, tensor in enumerate(reader.tensors):
            events.progress("quantize", number, len(reader.tensors), "tensors")
            writer.write_tensor_data(_converted(tensor, _kind(tensor, kinds), routine, pool))
    writer.close()


def _kind(tensor: Any, kinds: dict[str, str | None]) -> GGMLQuantizationType:  # noqa: ANN401
    name = kinds[tensor.name]
    return tensor.tensor_type if name is None else GGMLQuantizationType[name]


def _converted(tensor: Any, kind: GGMLQuantizationType, routine: Any, pool: ThreadPoolExecutor) -> np.ndarray:  # noqa: ANN401
    if kind == tensor.tensor_type:
        return tensor.data
    values = np.ascontiguousarray(dequantize(tensor.data, tensor.tensor_type), dtype=np.float32)
    columns = values.shape[-1]
    rows = values.reshape(-1, columns)
    if kind == GGMLQuantizationType.F16:
        return values.astype(np.float16)
    out = np.empty((rows.shape[0], _bytes_of([columns], kind)), dtype=np.uint8)

    def piece(start: int) -> None:
        part = rows[start : start + ROWS_AT_ONCE]
        target = out[start : start + ROWS_AT_ONCE]
        written = routine(int(kind), part.ctypes.data, target.ctypes.data, 0, len(part), columns, None)
        if written != target.nbytes:
            raise TrainerError("quantize_failed", f"{tensor.name}: {written} bytes were written, {target.nbytes} expected.")

    list(pool.map(piece, range(0, len(rows), ROWS_AT_ONCE)))
    return out


def _bytes_of(shape: list[int], kind: GGMLQuantizationType) -> int:
    block, size = GGML_QUANT_SIZES[kind]
    return int(np.prod(shape, dtype=np.int64)) // block * size


def _routine() -> Any:  # noqa: ANN401
    """``ggml_quantize_chunk(type, src, dst, first value, rows, columns, importance)``, which returns the bytes written."""
    import xllamacpp

    try:
        library = ctypes.CDLL(str(Path(xllamacpp.xllamacpp.__file__)))
        library.ggml_quantize_init.argtypes = [ctypes.c_int]
        routine = library.ggml_quantize_chunk
    except (OSError, AttributeError) as error:
        raise TrainerError("quantize_failed", f"This xllamacpp does not export ggml's quantizer: {error}") from error
    routine.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * 3, ctypes.c_void_p]
    routine.restype = ctypes.c_size_t
    return routine


def _value(reader: GGUFReader, key: str) -> Any:  # noqa: ANN401
    field = reader.fields.get(key)
    return None if field is None else field.contents()


def _copy_fields(reader: GGUFReader, writer: GGUFWriter) -> None:
    """Copies all metadata except the fields that the writer sets."""
    rewritten = {Keys.General.ARCHITECTURE, Keys.General.FILE_TYPE, Keys.General.QUANTIZATION_VERSION}
    for field in reader.fields.values():
        if field.name in rewritten or field.name.startswith("GGUF."):
            continue
        kind = field.types[0]
        inner = field.types[-1] if kind == GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, inner)
