/**
 * Runs an answer and its test. `apart`, the answer has a process of its own, which was forked before the test and the secret words were
 * read from the input, and cannot read the memory of the checking process. Its functions are called over pipes, and only plain data comes back, so that
 * a comparison is never decided by the answer. The word is written when the test has run to its end; another one and a reason, because an answer may read
 * what was written, if
 * the item cannot be checked so. `together`, both are one module, as in the harnesses of these sets: an answer that walks the frames of the
 * interpreter can find the word there. An exit code proves nothing, because an answer can exit.
 */
export const DRIVER = `import builtins, collections, collections.abc, json, os, sys, types

class NotPlain(Exception):
    pass

class Unfit(BaseException):
    pass

# plain data as JSON

def pack(value):
    kind = type(value)
    if value is None or kind in (bool, str, int):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return ["float", float.hex(value)]
    if isinstance(value, complex):
        return ["complex", value.real.hex(), value.imag.hex()]
    if isinstance(value, (bytes, bytearray)):
        return ["bytes" if isinstance(value, bytes) else "bytearray", bytes(value).hex()]
    if isinstance(value, range):
        return ["range", value.start, value.stop, value.step]
    if isinstance(value, collections.Counter):
        return ["Counter", [[pack(key), pack(one)] for key, one in value.items()]]
    if isinstance(value, collections.OrderedDict):
        return ["OrderedDict", [[pack(key), pack(one)] for key, one in value.items()]]
    if isinstance(value, dict):
        return ["dict", [[pack(key), pack(one)] for key, one in value.items()]]
    for name, form in LISTS:
        if isinstance(value, form):
            return [name, [pack(one) for one in value]]
    if isinstance(value, type({}.keys())):
        return ["keys", [pack(one) for one in value]]
    if isinstance(value, type({}.items())):
        return ["items", [[pack(key), pack(one)] for key, one in value]]
    if isinstance(value, collections.abc.Iterator):
        found = []
        for one in value:
            found.append(pack(one))
            if len(found) > 1000000:
                break
        return ["iterator", found]
    raise NotPlain(kind.__name__[:80])

LISTS = (("list", list), ("tuple", tuple), ("set", set), ("frozenset", frozenset), ("deque", collections.deque))

def unpack(value):
    if not isinstance(value, list):
        return value
    name, rest = value[0], value[1:]
    if name == "float":
        return float.fromhex(rest[0])
    if name == "complex":
        return complex(float.fromhex(rest[0]), float.fromhex(rest[1]))
    if name == "bytes":
        return bytes.fromhex(rest[0])
    if name == "bytearray":
        return bytearray.fromhex(rest[0])
    if name == "range":
        return range(*rest)
    if name in ("dict", "Counter", "OrderedDict", "items"):
        found = {unpack(key): unpack(one) for key, one in rest[0]}
        return found if name == "dict" else found.items() if name == "items" else getattr(collections, name)(found)
    items = [unpack(one) for one in rest[0]]
    if name == "keys":
        return dict.fromkeys(items).keys()
    return iter(items) if name == "iterator" else dict(LISTS)[name](items)

def send(pipe, message):
    pipe.write(json.dumps(message) + "\\n")
    pipe.flush()

def describe(error):
    where = ""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in ("solution.py", "test.py"):
            where = " (%s, line %d)" % (trace.tb_frame.f_code.co_filename, trace.tb_lineno)
        trace = trace.tb_next
    try:
        message = str(error)[:500]
    except BaseException:
        message = ""
    return type(error).__name__, message, "%s%s%s" % (type(error).__name__, message and ": " + message, where)

# the process of the answer

def answer(asked, said, parent):
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.closerange(3, min(asked, said))
    os.closerange(min(asked, said) + 1, max(asked, said))
    os.closerange(max(asked, said) + 1, 256)
    questions, replies = os.fdopen(asked, "r"), os.fdopen(said, "w")
    questions.readline()
    if any(reaches("/proc/%d/%s" % (parent, name)) for name in ("mem", "fd/1", "environ")):
        return send(replies, ["unfit", "the processes cannot be kept apart here"])
    module = types.ModuleType("answer")
    sys.modules["answer"] = module
    try:
        with open("solution.py") as file:
            exec(compile(file.read(), "solution.py", "exec"), module.__dict__)
    except BaseException as error:
        return send(replies, ["error", *describe(error)])
    send(replies, ["ready"])
    for line in questions:
        question = json.loads(line)
        try:
            if question[0] == "names":
                reply = ["names", {name: kind(module.__dict__[name]) for name in question[1] if name in module.__dict__}]
            else:
                given = unpack(question[2])
                before = question[2]
                value = module.__dict__[question[1]](*given, **unpack(question[3]))
                after = pack(given)
                reply = ["value", pack(value), None if after == before else after]
        except NotPlain as error:
            reply = ["other", "It gave a %s, which is no plain data." % error]
        except BaseException as error:
            reply = ["error", *describe(error)]
        send(replies, reply)

def reaches(path):
    try:
        os.close(os.open(path, os.O_RDONLY))
        return True
    except OSError:
        return False

def kind(value):
    if isinstance(value, types.ModuleType):
        return ["module", value.__name__]
    if isinstance(value, type):
        return ["other"]
    if callable(value):
        return ["call"]
    try:
        return ["value", pack(value)]
    except NotPlain:
        return ["other"]

# the process that checks

def take():
    parts = []
    while True:
        part = os.read(0, 1 << 20)
        if not part:
            return json.loads(b"".join(parts))
        parts.append(part)

def names_in(node):
    if type(node).__name__ == "Name":
        yield node.id
    for field in getattr(node, "_fields", ()):
        value = getattr(node, field, None)
        for one in value if isinstance(value, list) else [value]:
            if hasattr(one, "_fields"):
                yield from names_in(one)

def apart():
    asked, asking = os.pipe()
    hearing, said = os.pipe()
    parent, child = os.getpid(), os.fork()
    if child == 0:
        try:
            os.close(asking)
            os.close(hearing)
            answer(asked, said, parent)
        finally:
            os._exit(0)
    os.close(asked)
    os.close(said)
    word, unfit, test, given, entry = take()
    try:
        import ctypes
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) # PR_SET_DUMPABLE: from now on no other process can read this one
    except (ImportError, AttributeError, OSError):
        leave(1, unfit + " there is no ctypes in the Python of this machine")
    questions, replies = os.fdopen(asking, "w"), os.fdopen(hearing, "r")

    def ask(*question):
        try:
            send(questions, question)
            line = replies.readline()
        except OSError:
            line = ""
        if line == "":
            gone(child)
        try:
            reply = json.loads(line)
            if reply[0] == "error":
                raise_again(*reply[1:])
            if reply[0] in ("other", "unfit"):
                raise Unfit(str(reply[1])[:200])
            return reply
        except (ValueError, TypeError, IndexError, KeyError) as error:
            if hasattr(error, "told"):
                raise
            leave(2, "The process of the answer gave no answer that can be read.")

    def call(name):
        def function(*args, **kwargs):
            try:
                packed, named = pack(list(args)), pack(kwargs)
            except NotPlain as error:
                raise Unfit("Its test hands over a %s, which is no plain data." % error)
            reply = ask("call", name, packed, named)
            try:
                value, after = unpack(reply[1]), [] if reply[2] is None else unpack(reply[2])
            except Exception:
                leave(2, "The process of the answer gave no answer that can be read.")
            for before, now in zip(args, after):
                if type(before) is type(now) and isinstance(before, (list, dict, set)) and before != now:
                    before.clear()
                    (before.extend if isinstance(before, list) else before.update)(now)
            return value
        function.__name__ = name
        return function

    try:
        ask("go")
        tree = compile(test, "test.py", "exec", 1024) # an AST only
        module = types.ModuleType("answer")
        sys.modules["answer"] = module
        exec(compile(given, "given.py", "exec"), module.__dict__)
        used = sorted({name for name in names_in(tree) if name == entry or name not in module.__dict__})
        for name, known in ask("names", used)[1].items():
            if name not in used:
                continue
            if known[0] == "other" or hasattr(builtins, name):
                raise Unfit("It defines %s, which its test uses." % name)
            if known[0] == "module":
                if str(known[1]).split(".")[0] in getattr(sys, "stdlib_module_names", ()):
                    module.__dict__[name] = __import__(known[1], fromlist=["*"])
            else:
                module.__dict__[name] = call(name) if known[0] == "call" else unpack(known[1])
        exec(compile(tree, "test.py", "exec"), module.__dict__)
    except Unfit as error:
        leave(1, unfit + " " + str(error))
    except BaseException as error:
        leave(2, getattr(error, "told", None) or describe(error)[2])
    leave(1, word)

def raise_again(name, message, told):
    form = getattr(builtins, str(name), Exception)
    if not (isinstance(form, type) and issubclass(form, Exception)):
        form = Exception
    try:
        error = form(str(message))
    except TypeError:
        error = Exception(str(message))
    error.told = str(told)[:700]
    raise error

def gone(child):
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        import signal
        leave(2, "It was ended by %s." % signal.Signals(os.WTERMSIG(status)).name)
    leave(2, "It ended before its tests did.")

def leave(number, text, write=os.write, exit=os._exit):
    write(number, text.encode("utf-8", "replace"))
    exit(0 if number == 1 else 1)

def together():
    word, test = take()[0::2][:2]
    out = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    module = types.ModuleType("answer")
    sys.modules["answer"] = module
    try:
        with open("solution.py") as file:
            exec(compile(file.read(), "solution.py", "exec"), module.__dict__)
        exec(compile(test, "test.py", "exec"), module.__dict__)
    except BaseException as error:
        leave(2, describe(error)[2])
    os.write(out, word.encode())
    os._exit(0)

if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
together() if sys.argv[1:] == ["together"] else apart()
`
