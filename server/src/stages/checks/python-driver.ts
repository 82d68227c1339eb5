/**
 * Runs Python tests in a child process. The child reports each outcome at once and cannot withdraw it: the worst outcome of a test
 * counts. The parent prints the report after a mark that only it knows, and other processes cannot read its memory. The project
 * is added to the path after the runner was loaded, so that no project file can replace a part of the runner.
 */
export const PYTHON_PROGRAM = `import json, os, subprocess, sys, threading, time, traceback

LIMIT = 60 * 1024 * 1024

def parent(kind, args):
    mark = sys.stdin.readline().strip()
    try:
        import ctypes
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) # other processes must not read the memory of this one
    except Exception:
        pass
    end, begin = os.pipe()
    command = [sys.executable, "-I", os.path.abspath(__file__), "--in", str(begin), kind] + args
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:
        terminal = subprocess.DEVNULL
    child = subprocess.Popen(command, pass_fds=[begin], stdin=terminal)
    os.close(begin)
    parts = []
    def read():
        size = 0
        while size < LIMIT:
            part = os.read(end, 65536)
            if not part:
                break
            parts.append(part)
            size += len(part)
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    code = child.wait()
    reader.join(2) # programs that the tests left running may keep the pipe open
    lines = b"".join(parts).decode("utf-8", "replace")
    sys.stdout.write("\\n" + mark + json.dumps(lines) + "\\n")
    sys.stdout.flush()
    os._exit(code if code >= 0 else 128 - code)

def create_reporter(out):
    def report_test(name, outcome, text, seconds, file=None):
        line = json.dumps({"name": name, "outcome": outcome, "text": text and str(text)[-4000:], "seconds": seconds, "file": file})
        os.write(out, (line + "\\n").encode())
    return report_test

def run_pytest(report_test, args):
    import pytest
    class Reporter:
        def pytest_runtest_logreport(self, report):
            if report.failed:
                outcome = "failed" if report.when == "call" else "error"
            elif report.skipped:
                outcome = "skipped"
            elif report.when == "call":
                outcome = "passed"
            else:
                return
            report_test(report.nodeid, outcome, report.longreprtext if report.failed else None, report.duration, report.nodeid.split("::")[0])
        def pytest_collectreport(self, report):
            if report.failed:
                report_test(report.nodeid, "error", report.longreprtext, None, report.nodeid.split("::")[0])
    sys.path.insert(0, os.getcwd())
    code = pytest.main(args, plugins=[Reporter()])
    report_test("", "end", None, None)
    return int(code)

def run_unittest(report_test):
    import unittest
    class Result(unittest.TextTestResult):
        def startTest(self, test):
            self.began = time.monotonic()
            super().startTest(test)
        def record(self, test, outcome, text=None):
            module = sys.modules.get(type(test).__module__)
            file = None if module is unittest.loader else getattr(module, "__file__", None)
            report_test(test.id(), outcome, text, time.monotonic() - getattr(self, "began", time.monotonic()), file)
        def addSuccess(self, test):
            super().addSuccess(test)
            self.record(test, "passed")
        def addFailure(self, test, err):
            super().addFailure(test, err)
            self.record(test, "failed", self.failures[-1][1])
        def addError(self, test, err):
            super().addError(test, err)
            # a test that raised has failed; one that was not reached, by its set-up or its file, could not be run
            method = getattr(test, "_testMethodName", None)
            reached = type(test).__module__ != unittest.loader.__name__ and any(frame.f_code.co_name == method for frame, _ in traceback.walk_tb(err[2]))
            self.record(test, "failed" if reached else "error", self.errors[-1][1])
        def addSkip(self, test, reason):
            super().addSkip(test, reason)
            if not hasattr(test, "test_case"): # a part of a test is no test
                self.record(test, "skipped")
        def addExpectedFailure(self, test, err):
            super().addExpectedFailure(test, err)
            self.record(test, "passed")
        def addUnexpectedSuccess(self, test):
            super().addUnexpectedSuccess(test)
            self.record(test, "failed", "It was expected to fail.")
        def addSubTest(self, test, subtest, err):
            super().addSubTest(test, subtest, err)
            if err is not None:
                self.record(subtest, "failed", "".join(self._exc_info_to_string(err, test)))
    sys.path.insert(0, os.getcwd())
    suite = unittest.defaultTestLoader.discover(".", top_level_dir=".")
    if suite.countTestCases() == 0:
        for folder in ("tests", "test"):
            if os.path.isdir(folder):
                top = "." if os.path.exists(os.path.join(folder, "__init__.py")) else folder
                suite = unittest.defaultTestLoader.discover(folder, top_level_dir=top)
                if suite.countTestCases():
                    break
    result = unittest.TextTestRunner(resultclass=Result, verbosity=2).run(suite)
    report_test("", "end", None, None)
    if result.testsRun == 0 and not result.skipped and result.wasSuccessful():
        return 5 # as unittest does since Python 3.12
    return 0 if result.wasSuccessful() else 1

# a process that the tests spawn imports this file again
if __name__ == "__main__":
    if sys.argv[1] == "--in":
        report_test = create_reporter(int(sys.argv[2]))
        sys.exit(run_pytest(report_test, sys.argv[4:]) if sys.argv[3] == "pytest" else run_unittest(report_test))
    parent(sys.argv[1], sys.argv[2:])
`
