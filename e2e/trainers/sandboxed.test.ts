import { expect, test } from 'vitest'
import { sandboxWorkerArgv } from '#server/adapters/sandbox/index.ts'
import { python } from './python.ts'

const argv = sandboxWorkerArgv()

test.skipIf(argv === null)('only a correct program passes; endless loops, network access, file access and fork bombs fail', () => {
  const answers = JSON.parse(
    python(
      [
        '-c',
        `import json, sys
from bashgym_trainers.sandbox import Program, Sandbox
sandbox = Sandbox(json.loads(sys.argv[1]))
sandbox.check()
programs = json.loads(sys.stdin.read())
answers = sandbox.run([Program({"solution.py": code, "tests.py": "from solution import add\\nassert add(1, 2) == 3"}, ["python3", "tests.py"], 5 if "while True" in code else 60) for code in programs])
print(json.dumps([{key: answer[key] for key in ("exitCode", "timedOut", "error")} for answer in answers]))
sandbox.close()`,
        JSON.stringify(argv),
      ],
      JSON.stringify([
        'def add(a, b): return a + b',
        'def add(a, b): return a - b',
        'while True: pass',
        'import socket\nsocket.create_connection(("127.0.0.1", 22), 2)',
        'open("/etc/shadow")',
        'import os\nwhile True: os.fork()',
      ]),
    )
      .trim()
      .split('\n')
      .at(-1)!,
  ) as { exitCode: number | null; timedOut: boolean; error: unknown }[]
  expect(answers.every(({ error }) => error === null)).toBe(true)
  expect(answers.map(({ exitCode }) => exitCode === 0)).toEqual([true, false, false, false, false, false])
  expect(answers[2]).toEqual({ exitCode: null, timedOut: true, error: null })
})
