import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Artifact, Parity } from '#contracts/entities/model.ts'
import type { Job } from '#contracts/entities/job.ts'
import { RunRequest } from '#contracts/entities/run.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { canMount } from '#server/testing/mounts.ts'
import { newFolder } from '#server/testing/folders.ts'
import { EXPORT_JOB } from './registry/users.ts'
import { parityOf } from './export/parity.ts'
import { promptOf, readPrompts } from './export/prompts.ts'
import { openModels, runId } from './testing-models.ts'

let core: TestCore
let opened: ReturnType<typeof openModels>
let client: (typeof opened)['client']
const id = runId('a')

beforeEach(() => {
  core = openCore()
  opened = openModels(core)
  client = opened.client
  opened.complete('a')
})
afterEach(() => opened.close())

const folder = (...parts: string[]) => path.join(core.paths.models, id, ...parts)
const model = () => client.getModel({ params: { id } })
const begin = (body: object): Promise<Job> => client.exportModel({ params: { id }, body: body as { format: 'gguf' } })
async function made(body: object): Promise<Artifact> {
  const job = await core.jobs.wait((await begin(body)).id)
  expect(job.error).toBeNull()
  return job.result as Artifact
}
const leftovers = () => fs.readdirSync(folder()).filter((name) => name.startsWith('.'))
const answer = (text: string, ...calls: object[]) =>
  JSON.stringify({ text, calls, raw: [text, ...calls.map(() => 'a call')].join(' '), tokens: 3, ended: true, alike: null })

test('a GGUF is merged, converted, compared and stored, and the card lists it', async () => {
  opened.tools.answersOf = (file) => answer('yes', { name: 'Bash', arguments: file.endsWith('.gguf') ? { b: 2, a: 1 } : { a: 1, b: 2 } })
  const artifact = await made({ format: 'gguf' })
  expect(artifact).toMatchObject({ id: 'gguf-q4_k_m', format: 'gguf', quantization: 'q4_k_m', state: 'present', made: 'a test' })
  expect(artifact.path).toBe(folder('gguf-q4_k_m', 'model-a-q4_k_m.gguf'))
  expect(artifact.parity).toMatchObject({ prompts: 1, sameText: 1, withCalls: 1, sameCalls: 1 })
  expect(opened.tools.received.map(({ command }) => command)).toEqual(['merge', 'gguf', 'answer', 'answer'])
  expect(opened.tools.received[0]).toMatchObject({ model: path.join(core.config.dataDir, 'base'), adapter: folder('final') })
  expect(fs.readFileSync(folder('README.md'), 'utf8')).toMatch(
    /\| gguf q4_k_m \| \d+ \| `[0-9a-f]{64}` \| 1 of 1 answers identical, 1 of 1 tool calls \|/,
  )
  expect(leftovers()).toEqual([])
  expect((await model()).artifacts.map((one) => one.id)).toEqual(['adapter', 'gguf-q4_k_m'])
})

const EXPORTED = RunRequest.parse({ strategy: 'sft', baseModel: 'base', autoExportGguf: 'q8_0' })

test('a run that asks for it is exported when it completes, after one in progress', async () => {
  const begun = new Promise<string>((resolve) => {
    const stop = core.events.subscribe(() => {
      const job = core.jobs.list({ kinds: [EXPORT_JOB], limit: 5 }).items.find(({ subject }) => subject === runId('b'))
      if (!job) return
      stop()
      resolve(job.id)
    })
  })
  opened.tools.answersOf = () => answer('yes')
  const first = made({ format: 'gguf', parity: false })
  opened.complete('b', { request: EXPORTED })
  await first
  const { error } = await core.jobs.wait(await Promise.race([begun, opened.failedExport.then(({ message }) => message)]))
  expect(error).toBeNull()
  expect((await client.getModel({ params: { id: runId('b') } })).artifacts.map((one) => one.id)).toContain('gguf-q8_0')
})

test('the run is told why its export failed', async () => {
  opened.tools.hasPython = false
  opened.complete('b', { request: EXPORTED })
  expect(await opened.failedExport).toEqual({ id: runId('b'), message: expect.stringMatching(/GGUF q8_0 failed: .*page of the model/) })
})

test('a GGUF reuses an existing merged model, and replaces a GGUF of the same kind', async () => {
  await made({ format: 'merged', parity: false })
  await made({ format: 'gguf', quantization: 'q8_0', parity: false })
  await made({ format: 'gguf', quantization: 'q8_0', parity: false })
  expect(opened.tools.received.map(({ command }) => command)).toEqual(['merge', 'gguf', 'gguf'])
  expect((await model()).artifacts.map((one) => one.id)).toEqual(['adapter', 'merged', 'gguf-q8_0'])
})

test('without held-out rows there is no comparison', async () => {
  fs.rmSync(folder('val.jsonl'))
  expect((await made({ format: 'gguf', quantization: 'f16' })).parity).toBeNull()
})

test('an Ollama export has a Modelfile with template and stops, and a command if Ollama is not installed', async () => {
  const artifact = await made({ format: 'ollama', quantization: 'q8_0', parity: false })
  expect(artifact.made).toBe(`ollama create bashgym/model-a:q8_0 -f ${folder('ollama-q8_0', 'Modelfile')}`)
  const text = fs.readFileSync(artifact.path, 'utf8')
  expect(text).toContain(`FROM ${folder('gguf-q8_0', 'model-a-q8_0.gguf')}\n`)
  expect(text).toMatch(/TEMPLATE """[\s\S]*<\|im_start\|>assistant[\s\S]*<tool_call>[\s\S]*"""/)
  expect(text).toContain('PARAMETER stop "<|im_end|>"')
  expect(text).toContain('PARAMETER num_ctx 8192\n')
  opened.tools.ollama = '/bin/ollama'
  expect((await made({ format: 'ollama', quantization: 'q8_0', parity: false })).made).toBe('in Ollama as bashgym/model-a:q8_0')
  expect(opened.tools.created).toEqual(['bashgym/model-a:q8_0'])
  opened.tools.answersOf = () => answer('the same') // its GGUF is compared, Ollama is not asked
  await made({ format: 'gguf', quantization: 'q8_0' })
  expect((await made({ format: 'ollama', quantization: 'q8_0' })).parity).toBeNull()
})

test('impossible exports are refused before a job is started', async () => {
  const refused = (body: object, message: string) =>
    expect(begin(body)).rejects.toMatchObject({ code: 'export_unavailable', message: expect.stringContaining(message) as string })
  await refused({ format: 'adapter' }, 'already exists')
  opened.tools.hasPython = false
  await expect(begin({ format: 'gguf' })).rejects.toMatchObject({ code: 'training_unavailable' })
  fs.rmSync(path.join(core.config.dataDir, 'base'), { recursive: true })
  await refused({ format: 'gguf' }, 'The base model is missing')
  fs.rmSync(folder('final'), { recursive: true })
  await refused({ format: 'gguf' }, 'The trained weights of Model a are missing')
})

test('only one export runs at a time, and a cancelled one leaves no files', async () => {
  const begun = opened.holdTools('gguf')
  const job = await begin({ format: 'gguf' })
  await begun
  await expect(begin({ format: 'merged' })).rejects.toMatchObject({
    code: 'job_running',
    message: 'An export of Model a is in progress. Only one export runs at a time.',
  })
  expect(leftovers()).toHaveLength(1)
  core.jobs.cancel(job.id)
  expect((await core.jobs.wait(job.id)).state).toBe('cancelled')
  expect(leftovers()).toEqual([])
  expect((await model()).artifacts).toHaveLength(1)
})

test('a failed tool fails the job with its message, and keeps the earlier export', async () => {
  await made({ format: 'gguf', parity: false })
  opened.tools.before = async () => {
    throw new Error('llama.cpp cannot take this model')
  }
  const job = await core.jobs.wait((await begin({ format: 'gguf', parity: false })).id)
  expect(job).toMatchObject({ state: 'failed', error: { message: 'llama.cpp cannot take this model' } })
  expect((await model()).artifacts[1]).toMatchObject({ state: 'present' })
  expect(leftovers()).toEqual([])
})

test('a start removes leftovers of a kill; a deleted export is removed with its files', async () => {
  const artifact = await made({ format: 'gguf', parity: false })
  fs.mkdirSync(folder('.exporting-1'))
  fs.mkdirSync(folder('.removed-1'))
  void opened.models.stage.start?.({ watch: true })
  expect(leftovers()).toEqual([])
  const after = await client.deleteArtifact({ params: { id, artifact: artifact.id } })
  expect(after.artifacts.map((one) => one.id)).toEqual(['adapter'])
  expect(fs.existsSync(folder('gguf-q4_k_m'))).toBe(false)
})

test.each(['merge', 'gguf', 'answer'])(
  'after a kill during an export (%s), the app shows no half export, and can make it again',
  async (tool) => {
    const dataDir = newFolder()
    const { signal, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'testing-killed.ts'), dataDir, tool], {
      encoding: 'utf8',
    })
    expect([signal, stderr]).toEqual(['SIGKILL', ''])
    const again = openCore({ dataDir })
    const place = path.join(again.paths.models, id)
    expect(fs.readdirSync(place).filter((name) => name.startsWith('.'))).toHaveLength(1) // the unfinished export
    expect(again.jobs.recover()).toBe(1)
    const { models, client: other, close } = openModels(again)
    void models.stage.start?.({ watch: true })
    expect(fs.readdirSync(place).filter((name) => name.startsWith('.') || name.startsWith('gguf'))).toEqual([])
    expect((await other.getModel({ params: { id } })).artifacts.map((one) => one.id)).toEqual(['adapter'])
    expect(again.jobs.list({ limit: 10 }).items).toMatchObject([{ state: 'failed', error: { message: expect.stringContaining('stopped while this job was running') as string } }]) // prettier-ignore
    const job = await again.jobs.wait((await other.exportModel({ params: { id }, body: { format: 'gguf', parity: false } })).id)
    expect(job).toMatchObject({ state: 'completed', result: { id: 'gguf-q4_k_m', state: 'present' } })
    await close()
  },
)

test.runIf(canMount)(
  'an export that needs more disk space fails before any work, with the size it needs, and works once there is space',
  async () => {
    const dataDir = newFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', dataDir])
    const small = openCore({ dataDir, keep: true })
    const { client: there, complete, tools, close } = openModels(small)
    try {
      // the core writes this file in the background, so the free space is measured afterwards
      await expect.poll(() => fs.existsSync(path.join(dataDir, 'reserve'))).toBe(true)
      complete('a')
      fs.truncateSync(path.join(dataDir, 'base', 'model.safetensors'), 2e6)
      const filler = path.join(dataDir, 'filler')
      const { bavail, bsize } = fs.statfsSync(dataDir)
      fs.writeFileSync(filler, Buffer.alloc(bavail * bsize - 3e6))
      const attempt = async (body: { format: 'gguf' | 'merged' }) =>
        small.jobs.wait((await there.exportModel({ params: { id }, body: { ...body, parity: false } })).id)
      expect((await attempt({ format: 'gguf' })).error).toEqual({
        code: 'disk_full',
        hint: null,
        message: expect.stringMatching(
          new RegExp(`^The disk of ${dataDir}/\\S+ has [23]\\.\\d MB free; this needs about 5\\.1 MB\\. Free up disk space`),
        ) as string,
      })
      expect(tools.received).toEqual([])
      expect(await attempt({ format: 'merged' })).toMatchObject({ state: 'completed' })
      fs.rmSync(filler)
      expect(await attempt({ format: 'gguf' })).toMatchObject({ state: 'completed', result: { state: 'present' } })
      expect(fs.readdirSync(path.join(small.paths.models, id)).filter((name) => name.startsWith('.'))).toEqual([])
    } finally {
      await close()
      execFileSync('umount', ['-l', dataDir])
    }
  },
)

test('parity counts equal texts and equal calls', () => {
  const call = (command: string) => ({ name: 'Bash', arguments: { command } })
  const answerOf = (text: string, ...calls: { name: string; arguments: unknown }[]) => ({
    text,
    calls,
    raw: JSON.stringify([text, calls]),
    tokens: 3,
    ended: text !== 'plain',
    alike: text !== 'x',
  })
  const prompts = ['a', 'b', 'c', 'd'].map((content) => ({ messages: [{ role: 'user', content }] }))
  const trained = [answerOf('x'), answerOf('', call('ls')), answerOf('', call('ls')), answerOf('plain')]
  const exported = [answerOf('x'), answerOf('', call('ls')), answerOf('', call('pwd')), answerOf('plain', call('ls'))]
  const parity: Parity = parityOf(prompts, trained, exported, '2026-01-01T00:00:00.000Z')
  expect(parity).toMatchObject({ prompts: 4, sameText: 2, withCalls: 2, sameCalls: 1, cut: 1, tokenizedOtherwise: 1 })
  expect(parity.items.map(({ same, sameCall }) => [same, sameCall])).toEqual([
    [true, null],
    [true, true],
    [false, false],
    [false, false],
  ])
  expect(parity.items[2]!.trained).toBe('["",[{"name":"Bash","arguments":{"command":"ls"}}]]')
})

test("a prompt is the row's prompt, or the messages before its first answer", async () => {
  const user = { role: 'user', content: 'hi' }
  const tools = [{ type: 'function' }]
  expect(promptOf({ messages: [user, { role: 'assistant', content: 'a' }, user], tools })).toEqual({ messages: [user], tools })
  expect(promptOf({ prompt: [user], chosen: [], rejected: [] })).toEqual({ messages: [user] })
  expect(promptOf({ messages: [{ role: 'assistant', content: 'a' }] })).toBeNull()
  const long = { role: 'user', content: 'x'.repeat(20_000) }
  expect(promptOf({ messages: [long, { role: 'assistant', content: 'a' }] })).toBeNull()
  const file = folder('many.jsonl')
  fs.writeFileSync(
    file,
    Array.from({ length: 100 }, (_, n) => `${JSON.stringify({ prompt: [{ role: 'user', content: `n${n % 50}` }] })}\n`).join(''),
  )
  const prompts = await readPrompts(file)
  expect(prompts).toHaveLength(20)
  expect(new Set(prompts.map((one) => JSON.stringify(one))).size).toBe(20)
})

test('an Ollama export without a template that writes what was trained has none, and says so everywhere', async () => {
  fs.writeFileSync(folder('final', 'chat_template.jinja'), '{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}')
  const artifact = await made({ format: 'ollama', quantization: 'q8_0', parity: false })
  const text = fs.readFileSync(artifact.path, 'utf8')
  expect(text).not.toContain('TEMPLATE "')
  expect(artifact.notice).toMatch(/No template in the language of Ollama.*no TEMPLATE.*llama-server --jinja/)
  expect(text).toContain(artifact.notice!)
  expect(fs.readFileSync(folder('README.md'), 'utf8')).toContain(artifact.notice!)
})
