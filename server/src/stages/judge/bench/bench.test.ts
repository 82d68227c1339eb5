import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import type { z } from 'zod'
import type { BenchmarkRunRequest } from '#contracts/entities/benchmark.ts'
import { type Received, type Reply, startStub, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { overHttp } from '#server/cli/connect.ts'
import { type CliDeps, runCli } from '#server/cli/run.ts'
import { newFolder, useFolder } from '#server/testing/folders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { canonical, ended, lines, PROBLEMS, promptOf, SUMS, TASKS, writeSets } from './testing-bench.ts'

type Request = z.input<typeof BenchmarkRunRequest>

let server: TestServer
let stub: Stub
const sets = useFolder()
let reply: (request: Received) => string | Exclude<Reply, string> = canonical

beforeAll(async () => {
  writeSets(sets)
  stub = await startStub((request) => {
    const answer = reply(request)
    return typeof answer === 'string' ? { text: answer } : answer
  })
  server = await startTestServer()
}, 60_000)
afterAll(async () => {
  await server.close()
  await stub.close()
})

const request = (benchmark: Request['benchmark'], more: Partial<Request> = {}): Request => ({
  benchmark,
  model: { kind: 'url', baseUrl: stub.url, model: 'm' },
  files: sets,
  own: true,
  ...more,
})
async function run(benchmark: Request['benchmark'], answer: typeof reply, more: Partial<Request> = {}) {
  reply = answer
  return ended(server.client, await server.client.runBenchmark({ body: request(benchmark, more) }))
}
const rowsOf = async (id: string) => (await server.client.listBenchmarkRows({ params: { id }, query: { limit: '100' } })).items

test.each(['humaneval', 'mbpp', 'gsm8k'] as const)(
  '%s: its own solutions are all right, and empty answers all wrong',
  async (benchmark) => {
    const right = await run(benchmark, canonical)
    expect(right).toMatchObject({
      state: 'done',
      value: 1,
      owed: 0,
      result: { passAtK: { '1': 1 }, errors: 0, notScored: 0, headline: true },
    })
    expect(right.result.notes.join(' ')).toContain('own items')
    const empty = await run(benchmark, () => '')
    expect(empty).toMatchObject({ state: 'done', value: 0, owed: 0 })
  },
)

it.each([
  ['pass', 'AssertionError'],
  ['import sys\nsys.exit(0)', 'SystemExit'],
  ['import os\nos._exit(0)', 'ended before its tests'],
  ['print(open("test.py").read())', 'FileNotFoundError'],
  [
    'import os, sys\nfor n in os.listdir("."): print(open(n).read(), flush=True)\nsys.stdout.flush(); os._exit(0)',
    'ended before its tests',
  ],
  ['open("/etc/shadow").read()', 'Error'],
  ['import socket\nsocket.create_connection(("1.1.1.1", 53), 2)', 'Error'],
  ['x = "a" * (3 * 1024 ** 3)', 'emory'],
])('the code "%s" is wrong, and the reason is shown', async (code, reason) => {
  const found = await run('mbpp', (asked) => `\`\`\`\n${code}\ndef ${/function (\w+)\./.exec(promptOf(asked))![1]}(a, b): pass\n\`\`\``, {
    numSamples: 1,
  })
  const [row] = await rowsOf(found.id)
  expect(row).toMatchObject({ verdict: 'fail' })
  expect(row!.reason).toContain(reason)
})

test('an answer that never ends is tried again alone, and times out; one that is equal to everything is wrong', async () => {
  const slow = await run('humaneval', () => '```\nwhile True: pass\n```', { numSamples: 1, timeout: 1 })
  expect((await rowsOf(slow.id))[0]).toMatchObject({ verdict: 'timeout', reason: expect.stringContaining('1 s') as string })
  const equal = 'class E:\n  def __eq__(self, other): return True\ndef add(a, b): return E()\nlarger = power = add'
  const cheating = await run('mbpp', () => `\`\`\`\n${equal}\n\`\`\``)
  expect(cheating).toMatchObject({ counts: { pass: 0, fail: 3 }, result: { suspicious: 0 } })
  expect((await rowsOf(cheating.id))[0]!.reason).toBe('It gave a E, which is no plain data.')
})

/** Ways into the process that checks; each answers what it found, or nothing. */
const WAYS = `
import gc, glob, os, sys
def seen():
    frame = sys._getframe()
    while frame:
        yield repr(frame.f_locals) + repr(frame.f_globals)
        frame = frame.f_back
    yield repr([one for one in gc.get_objects() if isinstance(one, (str, dict, list))])
    for name in glob.glob("/proc/[0-9]*/*") + glob.glob("/proc/[0-9]*/fd/*"):
        if name.split("/")[2] == str(os.getpid()) or name.endswith(("/exe", "/root", "/cwd")): continue
        try:
            file = os.open(name, os.O_RDONLY | os.O_NONBLOCK)
            if not name.endswith("/mem"): yield repr(os.read(file, 100000))
            else:
                for line in open(name[:-3] + "maps"):
                    start, end = (int(one, 16) for one in line.split()[0].split("-"))
                    try: yield repr(os.pread(file, end - start, start))
                    except OSError: pass
        except (OSError, OverflowError): pass
    for name in os.listdir("."): yield open(name).read()
def add(a, b):
    found = [one for one in seen() if "assert add" + "(3, 5)" in one]
    raise RuntimeError("reached" if found else "kept out")
`

test('an answer finds neither the test nor a way to pass in frames, objects, files and other processes', async () => {
  const frames = `import sys, os
def add(a, b):
    frame = sys._getframe()
    while frame:
        word, out = frame.f_locals.get("word"), frame.f_locals.get("out")
        if word and out:
            os.write(out, word.encode()); os._exit(0)
        frame = frame.f_back`
  const output = `import os
def add(a, b):
    for number in range(1, 9):
        for fd in range(9):
            try: os.write(os.open("/proc/%d/fd/%d" % (number, fd), os.O_WRONLY | os.O_NONBLOCK), b"0" * 32)
            except OSError: pass
    os._exit(0)`
  for (const [code, reason] of [
    [WAYS, 'RuntimeError: kept out'],
    [frames, 'AssertionError'],
    [output, 'gave no answer that can be read'],
  ] as const) {
    const found = await run('mbpp', () => `\`\`\`\n${code}\n\`\`\``, { numSamples: 3 })
    const row = (await rowsOf(found.id)).find(({ id }) => id === '11')!
    expect(row).toMatchObject({ verdict: 'fail', suspicious: null, reason: expect.stringContaining(reason) as string })
  }
})

test('an item whose test needs objects of the answer is checked in one process, and its passes are marked', async () => {
  const folder = newFolder()
  const code = 'class Node:\n    def __init__(self, value): self.value = value\ndef value_of(node): return node.value'
  const row = {
    task_id: 1,
    text: 'Write Node.',
    code,
    test_list: ['assert value_of(Node(3)) == 3'],
    test_setup_code: '',
    challenge_test_list: [],
  }
  fs.writeFileSync(path.join(folder, 'mbpp.jsonl'), lines([row]))
  const found = await run('mbpp', () => `\`\`\`\n${code}\n\`\`\``, { files: folder })
  expect(found).toMatchObject({ counts: { pass: 1 }, result: { suspicious: 1 } })
  expect((await rowsOf(found.id))[0]).toMatchObject({ suspicious: 'in one process with its test' })
})

test('an item without a check, or whose own solution fails here, is not scored', async () => {
  const folder = newFolder()
  const [first, second, third] = PROBLEMS
  fs.writeFileSync(
    path.join(folder, 'HumanEval.jsonl'),
    lines([{ ...first, test: '' }, { ...second, canonical_solution: '    return None\n' }, third!]),
  )
  const found = await run('humaneval', canonical, { files: folder })
  expect(found).toMatchObject({ counts: { pass: 1, not_scored: 2 }, value: 1, result: { notScored: 2, figures: [{ n: 1 }] } })
})

/** As many items as the published set of GSM8K has. */
const writePublished = (place: string) =>
  fs.writeFileSync(
    path.join(place, 'gsm8k.jsonl'),
    lines(Array.from({ length: 1319 }, (_, no) => ({ question: `Ann has ${no} eggs and gets 3. How many?`, answer: `#### ${no + 3}` }))),
  )

test('a folder that an earlier run named is read for a browser only after a confirmation', async () => {
  const hidden = path.join(server.config.userHome, '.config', 'sets')
  fs.mkdirSync(hidden, { recursive: true })
  writePublished(hidden)
  await run('gsm8k', canonical, { files: hidden, numSamples: 1, own: false })
  const { files: _, ...body } = request('gsm8k', { numSamples: 1, own: false })
  expect(await server.client.planBenchmark({ body })).toMatchObject({ items: 1, refusals: [] })
  const secret = new URL((await server.client.createSignInLink()).url).hash.replace('#secret=', '')
  const { client } = overHttp(server.url, (await server.client.openSession({ body: { secret } })).key)
  await expect(client.planBenchmark({ body })).rejects.toMatchObject({ code: 'confirmation_required' })
  await expect(client.runBenchmark({ body })).rejects.toMatchObject({ code: 'confirmation_required' })
})

test('the published set stays one, and a run keeps its source, if others asked the same items as their own or from elsewhere', async () => {
  const [folder, copy] = [newFolder(), newFolder()]
  for (const place of [folder, copy]) writePublished(place)
  const own = await run('gsm8k', canonical, { files: folder, numSamples: 2 })
  const published = await run('gsm8k', canonical, { files: copy, numSamples: 2, own: false })
  expect(published).toMatchObject({ set: { own: false, source: copy, sha256: own.set.sha256 } })
  expect(published.title).not.toContain('own items')
  expect(published.result.notes.join(' ')).not.toContain('own items')
  expect((await server.client.getBenchmarkRun({ params: { id: own.id } })).set).toMatchObject({ own: true, source: folder })
})

test('thoughts are left out, and an answer that is cut off in them is counted as truncated', async () => {
  const found = await run('gsm8k', (asked) => {
    const text = canonical(asked)
    return promptOf(asked).includes('has 0 ') ? { text: '<think>Let me see, 3', stop: 'length' } : `<think>It may be 1.</think>${text}`
  })
  expect(found).toMatchObject({ counts: { pass: 19, truncated: 1 }, value: 0.95 })
})

test('pass@k is unbiased, has an interval, and is refused for more answers than are asked', async () => {
  const asked = new Map<string, number>()
  const found = await run(
    'gsm8k',
    (one) => {
      const prompt = promptOf(one)
      const times = (asked.get(prompt) ?? 0) + 1
      asked.set(prompt, times)
      return times <= 1 ? canonical(one) : '0'
    },
    { numSamples: 10, samplesPerItem: 5, passK: [1, 5] },
  )
  expect(found.result.passAtK['1']).toBeCloseTo(0.2)
  expect(found.result.passAtK['5']).toBe(1)
  expect(found.result.interval).toContain('bootstrap')
  const sent = stub.received.slice(-50).map(({ raw }) => JSON.parse(raw) as { seed: number; temperature: number; top_p: number })
  expect(new Set(sent.map(({ seed }) => seed)).size).toBe(5)
  expect(sent[0]).toMatchObject({ temperature: 0.8, top_p: 0.95 })
  await expect(server.client.runBenchmark({ body: request('gsm8k', { samplesPerItem: 2, passK: [5] }) })).rejects.toMatchObject({
    code: 'benchmark_refused',
    hint: expect.stringContaining('--samples 5') as string,
  })
})

test('an endpoint that fails leaves answers owed and no headline; repeating asks only those', async () => {
  const broken = new Set(['has 1 ', 'has 2 '])
  const failing = await run('gsm8k', (one) =>
    [...broken].some((part) => promptOf(one).includes(part)) ? { status: 400, json: { error: { message: 'No.' } } } : canonical(one),
  )
  expect(failing).toMatchObject({
    state: 'done',
    owed: 2,
    value: null,
    counts: { error: 2, pass: 18 },
    result: { headline: false, figures: [] },
  })
  reply = canonical
  const before = stub.received.length
  await server.client.resumeBenchmarkRun({ params: { id: failing.id }, body: {} })
  expect(await ended(server.client, failing)).toMatchObject({ owed: 0, value: 1 })
  expect(stub.received.length - before).toBe(2)
})

test('an endpoint that answers pages of HTML, or nothing at all, ends the run with the reason', async () => {
  const found = await run('gsm8k', () => ({ status: 403, json: '<html>Sign in</html>' }))
  expect(found.state).toBe('stopped')
  expect(found.detail).not.toBe('')
  expect(found.owed).toBe(20)
})

it.each([
  ['cut off', (text: string) => text.slice(0, -30), 'not valid JSON', 'whole'],
  ['an id twice', (text: string) => text + text.split('\n')[0], 'both have the id', 'Remove'],
  [
    'another version',
    (text: string) => text.replaceAll('"text"', '"prompt"').replaceAll('"test_setup_code":""', '"test_imports":[]'),
    'sanitized',
    'another version',
  ],
  ['too few', (text: string) => text, '3 items', '--own'],
])('a file with %s is refused with what to do', async (_name, change, message, hint) => {
  const folder = newFolder()
  fs.writeFileSync(path.join(folder, 'mbpp.jsonl'), change(lines(TASKS)))
  const { refusals } = await server.client.planBenchmark({ body: request('mbpp', { files: folder, own: false }) })
  expect(refusals).toHaveLength(1)
  expect(refusals[0]!.message).toContain(message)
  expect(refusals[0]!.hint).toContain(hint)
})

test('what cannot be run here says why, and the list says what can', async () => {
  const { items } = await server.client.listBenchmarks({})
  expect(items).toHaveLength(10)
  const missing = items.filter(({ state }) => state === 'not_available')
  for (const { reason, way } of missing) expect([reason, way]).not.toContain(null)
  expect(items.find(({ name }) => name === 'gsm8k')).toMatchObject({ state: 'can_be_fetched', set: { licence: 'MIT' } })
  expect(items.find(({ name }) => name === 'bfcl')).toMatchObject({
    state: 'needs_files',
    way: expect.stringContaining('pip download') as string,
  })
  const { refusals } = await server.client.planBenchmark({ body: { benchmark: 'swebench', model: { kind: 'url', baseUrl: stub.url } } })
  expect(refusals[0]!.message).toContain('120 GB')
  await expect(server.client.getBenchmarkRun({ params: { id: 'a'.repeat(26) } })).rejects.toMatchObject({ code: 'benchmark_run_not_found' })
})

test('every figure opens its rows: prompt, answer, extracted part, program and reason', async () => {
  const found = await run('humaneval', (one) => (promptOf(one).includes('def add') ? '```\nreturn a - b\n```' : canonical(one)))
  const { items, total } = await server.client.listBenchmarkRows({ params: { id: found.id }, query: { only: 'fail' } })
  expect(total).toBe(1)
  const row = await server.client.getBenchmarkRow({ params: { id: found.id, no: String(items[0]!.no) } })
  expect(row).toMatchObject({ id: 'HumanEval/0', extracted: 'return a - b', answer: '```\nreturn a - b\n```', verdict: 'fail' })
  expect(row.reason).toContain('AssertionError (test.py, line 7)')
  expect(row.program).toContain('    return a - b')
  expect(row.prompt).toContain('def add')
  expect(row.expected).toContain('return a + b')
  expect(found.result.versions['python']).toMatch(/^Python 3/)
})

test('up to six models are compared on the same items, with the differences of each pair', async () => {
  const all = await run('gsm8k', canonical)
  const half = await run('gsm8k', (one) => (Number(/has (\d+)/.exec(promptOf(one))![1]) % 2 === 0 ? canonical(one) : 'no'))
  const { items, runs } = await server.client.compareBenchmarkRuns({ query: { runs: `${all.id},${half.id}` } })
  expect(items).toBe(20)
  expect(runs[1]).toMatchObject({ value: 0.5, delta: -0.5, wins: 0, losses: 10, ties: 10 })
  expect(runs[1]!.p).toBeCloseTo(2 * 0.5 ** 10)
  const other = await run('mbpp', canonical)
  await expect(server.client.compareBenchmarkRuns({ query: { runs: `${all.id},${other.id}` } })).rejects.toMatchObject({
    code: 'benchmark_refused',
  })
})

test('a cost limit without a price is refused; a run of a price that is unknown costs "not measured"', async () => {
  const plan = await server.client.planBenchmark({
    body: request('gsm8k', { model: { kind: 'url', baseUrl: 'https://models.example', model: 'm' }, maxCostUsd: 1 }),
  })
  expect(plan.refusals[0]!.message).toContain('price')
  expect(plan).toMatchObject({ items: SUMS.length, requests: SUMS.length, mostUsd: null })
})

test('the command line lists, runs and shows', async () => {
  reply = canonical
  const cli = async (...args: string[]) => {
    let out = ''
    const deps = { connect: async () => overHttp(server.url, server.token), serve: {}, restore: {} } as unknown as CliDeps
    const code = await runCli(
      [...args, '--json'],
      deps,
      { out: (text) => void (out += text), note: () => undefined },
      new AbortController().signal,
    )
    return { code, document: JSON.parse(out) as { id: string; items: unknown[]; value: number; left: { benchmark: string }[] } }
  }
  expect((await cli('bench', 'list')).document.items).toHaveLength(10)
  const ran = await cli('bench', 'run', 'gsm8k', '--model', `${stub.url}#m`, '--files', sets, '--own', '--limit', '5')
  expect(ran).toMatchObject({ code: 0, document: { value: 1, items: 5 } })
  expect((await cli('bench', 'show', ran.document.id)).document).toMatchObject({ value: 1 })
  const refused = await cli(
    'bench',
    'run',
    'gsm8k',
    '--model',
    `${stub.url}#m`,
    '--files',
    sets,
    '--own',
    '--samples',
    '2',
    '--pass-k',
    '5',
  )
  expect(refused.code).not.toBe(0)
  expect(server.contractViolations).toEqual([])
})
