import { once } from 'node:events'
import fs from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overrideWords } from '#contracts/router-words.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { python, PYTHON, TRAINERS } from './python.ts'
import { bashgym, closeServer, runWhen, temporaryFolder, writeRows } from './training-server.ts'

// A real model through llama.cpp: in use in Claude Code, behind the proxy and as the agent gym.
const SAYS = 'Found nothing in calc.py.'
const work = temporaryFolder('served')
let server: TestServer
let id: string

beforeAll(async () => {
  const baseModel = path.join(work, 'model')
  fs.mkdirSync(baseModel)
  python([path.join(import.meta.dirname, 'make_saying_model.py'), baseModel, SAYS], undefined, {
    PYTHONPATH: `${TRAINERS}:${TRAINERS}/tests`,
  })
  server = await startTestServer({ config: testConfig({ python: PYTHON }) })
  // one step so small that the weights stay what they are: the registry has models of runs only
  const rows = [
    {
      messages: [
        { role: 'user', content: 'Say it' },
        { role: 'assistant', content: SAYS },
      ],
    },
  ]
  const settings = {
    method: { kind: 'full' },
    learningRate: 1e-9,
    maxSteps: 1,
    batchSize: 1,
    maxLength: 64,
    evalSteps: null,
    saveSteps: null,
    samples: 0,
    threads: 1,
    device: 'cpu',
  } as const
  const run = await server.client.startRun({
    body: { strategy: 'sft', baseModel, file: writeRows(path.join(work, 'rows.jsonl'), rows, 4), settings },
  })
  await runWhen(server, run.id, ({ state }) => state === 'completed')
  id = run.id
}, 120_000)
afterAll(() => closeServer(server, work))

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

test('it is loaded when it is chosen, and answers as an agent of Claude Code, whole and streamed, and as the agent gym', async () => {
  const { client } = server
  const { name: label } = await client.getModel({ params: { id } })
  const chosen = { studentModel: id, override: overrideWords(label), work: 'in-place' as const }
  const ready = new Promise<void>((resolve) => {
    const stop = server.app.core.events.subscribe(({ type, payload }) => {
      if (type !== 'model:servings' || !payload.items.some(({ state }) => state === 'ready')) return
      stop()
      resolve()
    })
  })
  const proxy = { proxy: true, proxyPort: await freePort() }
  await client.patchSettings({ body: { router: { ...chosen, ...proxy, servedContext: 7000, servedThreads: 1, idleMinutes: 5 } } })
  await ready
  const { name } = (await client.getRouter({})).student!
  const { address } = (await client.getRouting({})).proxy

  // as a sub-agent under its name
  const ask = async (stream: boolean) => {
    const response = await fetch(`${address}/v1/messages`, {
      method: 'POST',
      headers: {
        connection: 'close',
        'x-claude-code-agent-id': `a${stream}`,
        'x-claude-code-session-id': 's',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: name,
        max_tokens: 200,
        stream,
        system: 'Be brief.',
        messages: [{ role: 'user', content: 'Find add().' }],
      }),
    })
    return { status: response.status, text: await response.text() }
  }
  const whole = await ask(false)
  expect(JSON.parse(whole.text)).toMatchObject({
    role: 'assistant',
    model: name,
    content: [{ type: 'text', text: SAYS }],
    stop_reason: 'end_turn',
  })
  const { usage } = JSON.parse(whole.text) as { usage: { input_tokens: number; output_tokens: number } }
  expect(usage.input_tokens).toBeGreaterThan(10)
  const events = (await ask(true)).text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as { type: string; delta?: { text?: string } }] : []))
  expect([events[0]!.type, events.at(-1)!.type]).toEqual(['message_start', 'message_stop'])
  expect(events.map(({ delta }) => delta?.text ?? '').join('')).toBe(SAYS)

  // as the agent gym, with the prompt and tools of its exam
  const step = {
    model: name,
    agentId: 'a1',
    version: '2.1.329',
    task: 'Find add().',
    directory: null,
    messages: [{ role: 'user', content: 'Find add().' }],
  }
  const answer = await client.answerStep({ body: step })
  expect(answer).toMatchObject({ text: SAYS, calls: [], failed: false })
  expect(answer.usage.input).toBeGreaterThan(1000)
  const long = { ...step, messages: [{ role: 'user', content: 'word '.repeat(60_000) }] }
  expect(await client.answerStep({ body: long })).toMatchObject({ failed: true, text: expect.stringContaining('is longer than') as string })

  // what the command says of it, and unloading it by hand
  const { code, lines } = await bashgym(server, ['models', 'serve', id])
  expect(code).toBe(0)
  expect(lines.join('\n')).toMatch(
    /ready, loaded in .*\nMemory [\d.]+ MB \(estimated before: [\d.]+ MB\), context 7,000 tokens, threads 1\.\nHealth check answered in .*\nIt is in use in Claude Code: unloaded after 5 minutes/,
  )
  expect((await bashgym(server, ['models', 'serve', id, '--stop'])).lines.join('')).toContain('unloaded')
  expect((await client.listServings({})).items).toEqual([])
})
