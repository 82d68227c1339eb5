/** Runs a project's `unittest` tests and writes a JUnit report: unittest has none of its own. */
export const UNITTEST_PROGRAM = `import sys, time, unittest
from xml.sax.saxutils import quoteattr
sys.path.insert(0, "")

class Result(unittest.TextTestResult):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.rows = []
    def startTest(self, test):
        self.began = time.monotonic()
        super().startTest(test)
    def add(self, test, kind, text=None):
        self.rows.append((test.id(), kind, text, time.monotonic() - getattr(self, "began", time.monotonic())))
    def addSuccess(self, test):
        super().addSuccess(test)
        self.add(test, None)
    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.add(test, "failure", self.failures[-1][1])
    def addError(self, test, err):
        super().addError(test, err)
        self.add(test, "error", self.errors[-1][1])
    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.add(test, "skipped", reason)
    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.add(test, None)
    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.add(test, "failure", "It was expected to fail.")
    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.add(subtest, "failure", "".join(self._exc_info_to_string(err, test)))

suite = unittest.defaultTestLoader.discover(".", top_level_dir=".")
if suite.countTestCases() == 0:
    import os
    for folder in ("tests", "test"):
        if os.path.isdir(folder):
            suite = unittest.defaultTestLoader.discover(folder, top_level_dir=folder if not os.path.exists(os.path.join(folder, "__init__.py")) else ".")
            if suite.countTestCases():
                break
result = unittest.TextTestRunner(resultclass=Result, verbosity=2).run(suite)
def clean(text):
    return "".join(c for c in text if c in "\\n\\t" or ord(c) >= 32)
with open(sys.argv[1], "w", encoding="utf-8") as out:
    out.write("<testsuites><testsuite>")
    for name, kind, text, seconds in result.rows:
        out.write("<testcase name=%s time=\\"%.6f\\">" % (quoteattr(clean(name)), seconds))
        if kind == "skipped":
            out.write("<skipped/>")
        elif kind:
            out.write("<%s message=%s/>" % (kind, quoteattr(clean(text))))
        out.write("</testcase>")
    out.write("</testsuite></testsuites>")
sys.exit(not result.wasSuccessful())
`
