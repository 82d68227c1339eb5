/**
 * Runs an answer and its test in one module, and writes the secret word only when the test has run to its end: an exit code proves
 * nothing, because the answer can exit. The word's file is removed, and output goes nowhere, before the answer begins. An answer that
 * walks the frames of the interpreter can still find the word: `suspicionOf` marks the ways that are known.
 */
export const DRIVER = `import os, sys, types

def main():
    with open("word") as file:
        word = file.read()
    os.unlink("word")
    out = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    code = []
    for name in ("solution.py", "test.py"):
        with open(name) as file:
            source = file.read()
        try:
            code.append(compile(source, name, "exec"))
        except BaseException as error:
            fail(error)
    module = types.ModuleType("answer")
    sys.modules["answer"] = module
    for one in code:
        try:
            exec(one, module.__dict__)
        except BaseException as error:
            fail(error)
    os.write(out, word.encode())
    os._exit(0)

def fail(error, write=os.write, leave=os._exit):
    where = ""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in ("solution.py", "test.py"):
            where = " (%s, line %d)" % (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    try:
        said = str(error)
        said = said and ": " + said[:500]
    except BaseException:
        said = ""
    write(2, ("%s%s%s\\n" % (type(error).__name__, said, where)).encode("utf-8", "replace"))
    leave(1)

main()
`
