"""Hooks of schemathesis: ids that exist, and which answers each operation gave.

Made-up ids reach little but 404. Three of four calls to an address with parameters get values that are there; the fourth
keeps what was made up. BASHGYM_FUZZ_IDS names a JSON file: `once` has values by operation that a call uses up (it removes
what they name), `kept` has values by operation, else by the first part of the address. The file that
BASHGYM_FUZZ_ANSWERS names gets a line `<operation> <status>` for each answer.
"""

import itertools
import json
import os

import schemathesis

with open(os.environ["BASHGYM_FUZZ_IDS"], encoding="utf-8") as file:
    IDS = json.load(file)
calls = itertools.count()


def name_of(case):
    return case.operation.definition.raw["operationId"]


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(calls)
    if not case.path_parameters or number % 4 == 3:
        return
    operation = name_of(case)
    once, kept = IDS["once"].get(operation), IDS["kept"]
    some = kept.get(operation) or kept.get(case.operation.path.split("/")[2])
    if once is not None:
        case.path_parameters.update(once.pop() if once else {})
    elif some:
        case.path_parameters.update(some[number % len(some)])


@schemathesis.hook
def after_call(context, case, response):
    with open(os.environ["BASHGYM_FUZZ_ANSWERS"], "a", encoding="utf-8") as file:
        file.write(f"{name_of(case)} {response.status_code}\n")
