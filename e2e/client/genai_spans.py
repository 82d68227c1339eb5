"""Checks spans in OTLP's JSON by pytest-genai-semconv, and prints how many there are of each operation."""

import collections
import json
import sys
from types import SimpleNamespace

from opentelemetry.trace import SpanKind
from pytest_genai_semconv import assert_genai_span_compliant

READ = {"stringValue": str, "intValue": int, "doubleValue": float, "boolValue": bool}
checked = collections.Counter()
with open(sys.argv[1]) as file:
    document = json.load(file)
for span in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
    attributes = {}
    for attribute in span["attributes"]:
        [(kind, value)] = attribute["value"].items()
        attributes[attribute["key"]] = READ[kind](value)
    operation = attributes.get("gen_ai.operation.name")
    if operation is None:
        continue
    kind = SpanKind.CLIENT if span["kind"] == 3 else SpanKind.INTERNAL
    assert_genai_span_compliant(SimpleNamespace(name=span["name"], kind=kind, attributes=attributes))
    checked[operation] += 1
print(json.dumps(checked))
