"""Recall and precision of Presidio on the sets of labelled/privacy/blind, by the same rules as ours.

    python3 -m venv ~/.cache/bashgym-e2e/presidio
    ~/.cache/bashgym-e2e/presidio/bin/pip install presidio-analyzer [a spaCy model from PyPI]
    ~/.cache/bashgym-e2e/presidio/bin/python bench/presidio.py [name of the model's package]

Without a model only its pattern recognisers run. Types that Presidio does not claim to find are left out of its sums.
"""

import json
import re
import sys
from pathlib import Path

from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import NlpEngineProvider

SETS = Path(__file__).parent.parent / "labelled/privacy/blind"
MARK = re.compile("⟪([a-z_]+)\\|([^⟫]*)⟫")
OURS = {
    "PERSON": {"person"},
    "EMAIL_ADDRESS": {"email"},
    "PHONE_NUMBER": {"phone"},
    "US_SSN": {"ssn"},
    "US_ITIN": {"ssn"},
    "US_PASSPORT": {"passport"},
    "US_DRIVER_LICENSE": {"driver_license"},
    "CREDIT_CARD": {"credit_card"},
    "US_BANK_NUMBER": {"bank_account"},
    "IBAN_CODE": {"iban"},
    "LOCATION": {"address", "zip_code", "city", "country"},
    "IP_ADDRESS": {"ip_address"},
    "UK_NHS": {"mrn"},
    "MEDICAL_LICENSE": {"mrn"},
    "DATE_TIME": {"date", "date_of_birth"},
    "URL": {"url"},
}
PLACES = {"address", "zip_code", "city", "country"}
THRESHOLD = 0.5
SLACK = 2


def plain(text):
    return text.replace("¦", "").replace("␛", "\x1b").replace("␉", "\t").replace("␤", "")


def example(marked):
    text, spans, at = "", [], 0
    for match in MARK.finditer(marked):
        text += plain(marked[at : match.start()])
        start = len(text)
        text += plain(match[2])
        spans.append((match[1], start, len(text)))
        at = match.end()
    return text + plain(marked[at:]), spans


def engine(model):
    if model is None:
        registry = RecognizerRegistry()
        registry.load_predefined_recognizers()
        registry.remove_recognizer("SpacyRecognizer")
        nlp = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": "blank"}]})
        return AnalyzerEngine(registry=registry, nlp_engine=nlp.create_engine())
    nlp = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": model}]})
    return AnalyzerEngine(nlp_engine=nlp.create_engine(), supported_languages=["en"])


def outside(start, end, covers, text):
    return sum(1 for at in range(start, end) if text[at] not in " \n\t,;" and not any(a <= at < b for a, b in covers))


def measure(analyzer, examples):
    scores, touched = {}, 0
    claimed = set().union(*OURS.values())
    for text, spans in examples:
        found = [(r.entity_type, r.start, r.end) for r in analyzer.analyze(text, language="en") if r.score >= THRESHOLD]
        found = [(kind, a, b) for kind, a, b in found if kind in OURS]
        if found and not spans:
            touched += 1
        for kind, start, end in spans:
            if kind not in claimed:
                continue
            score = scores.setdefault(kind, [0, 0, 0, 0])
            score[0] += 1
            covers = [(a, b) for name, a, b in found if kind in OURS[name]]
            score[1] += outside(start, end, covers, text) == 0
        for name, a, b in found:
            if name in ("DATE_TIME", "URL"):
                continue  # Presidio reports every date and URL, which our types do not cover
            kind = sorted(OURS[name])[0]
            score = scores.setdefault(kind, [0, 0, 0, 0])
            score[2] += 1
            own = [(s, e) for type_, s, e in spans if type_ in OURS[name] and s < b and e > a]
            score[3] += bool(own) and outside(a, b, own, text) <= SLACK
    return scores, touched


def parted(prefix):
    """Reads a set whose examples and hard negatives are in two files."""
    negatives = [(plain(line), []) for line in (SETS / f"{prefix}negatives.txt").read_text().split("\n") if line]
    return mixed([f"{prefix}positives.txt"]) + negatives


def mixed(files):
    """Reads examples separated by blank lines; examples without a label are hard negatives."""
    return [example(part) for file in files for part in re.split(r"\n\n+", (SETS / file).read_text()) if part.strip()]


def main():
    analyzer = engine(sys.argv[1] if len(sys.argv) > 1 else None)
    sets = {"blind": parted(""), "last": parted("last-"), "G": mixed([f"g-{part}.txt" for part in ("config", "prose", "sessions")])}
    for name, examples in sets.items():
        scores, touched = measure(analyzer, examples)
        for kind, (labelled, hit, findings, right) in sorted(scores.items()):
            print(f"set {name} {kind:18} recall {hit}/{labelled} precision {right}/{findings}")
        total = [sum(score[i] for score in scores.values()) for i in range(4)]
        negatives = sum(not spans for _, spans in examples)
        print(json.dumps({"set": name, "labelled": total[0], "found": total[1], "findings": total[2], "right": total[3], "negativesTouched": touched, "negatives": negatives}))


main()
