"""Hooks of schemathesis: ids that exist, and which answers each operation gave.

Made-up ids reach little but 404. Three of four calls get values that are there; the fourth keeps what was made up.
BASHGYM_FUZZ_IDS names a JSON file: `once` has values by operation that a call uses up (it removes what they name), `kept`
has values by operation, else by the address up to its first parameter. Values are `{path?, query?, body?}`: path and query
are laid over what was made up, a body takes its place, but only a few times, because it is the same each time; `around` is a body of
which one value gives way to a made-up one. The file that BASHGYM_FUZZ_ANSWERS names gets a line `<operation> <status> <seconds>` for
each answer.
"""

import collections
import itertools
import json
import os

import schemathesis

with open(os.environ["BASHGYM_FUZZ_IDS"], encoding="utf-8") as file:
    IDS = json.load(file)
calls = itertools.count()
# How often an operation is called with a whole body that was given.
SAME_CALLS = 12
same_calls = collections.Counter()


# No call waits longer than this for something to happen, in ms: the server's share of a long wait is nothing.
LONGEST_WAIT = 100


def name_of(case):
    return case.operation.definition.raw["operationId"]


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method.upper() != case.operation.method.upper():
        return  # a method that is refused would use up what the operation is called with
    shorten_wait(case)
    number = next(calls)
    operation = name_of(case)
    once, kept = IDS["once"].get(operation), IDS["kept"]
    if once is not None:
        # ids that were made up may come from answers, and would use up what other operations are called with
        values = once.pop() if once and not is_made_to_be_refused(case) else {"path": dict.fromkeys(case.path_parameters or {}, "unknown")}
    elif number % 4 == 3:
        return
    else:
        some = kept.get(operation) or kept.get(before_parameters(case.operation.path)) or [{}]
        values = some[number % len(some)]
    if "path" in values:
        case.path_parameters.update(values["path"])
    if "query" in values:
        case.query = {**(case.query or {}), **values["query"]}
    if "body" in values and same_calls[operation] < SAME_CALLS * (len(some) if once is None else 1):
        same_calls[operation] += 1
        case.body = values["body"]
    if "around" in values:
        case.body = varied(values["around"], case.body, number)


def shorten_wait(case):
    wait = (case.query or {}).get("waitMs")
    if str(wait).isdecimal() and LONGEST_WAIT < int(wait) <= 30_000:
        case.query["waitMs"] = LONGEST_WAIT


def is_made_to_be_refused(case):
    return case.meta is not None and case.meta.generation.mode.is_negative


def varied(real, made_up, number):
    """A real body with one value of a made-up one, of the settings in it where it has some."""
    if not isinstance(made_up, dict) or not made_up:
        return real
    key = sorted(made_up)[number % len(made_up)]
    inner = real.get(key) if isinstance(real.get(key), dict) else None
    return {**real, key: varied(inner, made_up[key], number) if inner else made_up[key]}


def before_parameters(address):
    """`/api/traces/{id}/steps` gives `traces`; an address without parameters gives nothing."""
    front, brace, _ = address.partition("/{")
    return front.removeprefix("/api/") if brace else ""


@schemathesis.hook
def after_call(context, case, response):
    with open(os.environ["BASHGYM_FUZZ_ANSWERS"], "a", encoding="utf-8") as file:
        file.write(f"{name_of(case)} {response.status_code} {response.elapsed:.4f}\n")
