import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { overHttp } from '#server/cli/connect.ts'
import { type Parts, runCli } from '#server/cli/run.ts'
import { loadConfig } from '#server/config.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { tinyModel } from '../support/trainer.ts'
import { PYTHON, python } from './python.ts'

// Real runs over the command line: a tiny model with the chat template of one family after the other.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-families-'))
const config = loadConfig(
  { dataDir: path.join(folder, 'home'), port: 0 },
  { HOME: folder, PATH: process.env['PATH'], BASHGYM_PYTHON: PYTHON, BASHGYM_LOG: 'error' },
)
const data = path.join(folder, 'train.jsonl')
const call = (id: string, command: string) => ({ id, type: 'function', function: { name: 'Bash', arguments: { command } } })
const SESSION = [
  { role: 'system', content: 'Be short.' },
  { role: 'user', content: 'Look around' },
  { role: 'assistant', content: '', tool_calls: [call('call00001', 'ls'), call('call00002', 'pwd')] },
  { role: 'tool', tool_call_id: 'call00001', name: 'Bash', content: 'calc.py' },
  { role: 'tool', tool_call_id: 'call00002', name: 'Bash', content: '/work' },
  { role: 'assistant', content: 'One file.' },
  { role: 'user', content: 'Thanks' },
  { role: 'assistant', content: 'Done.' },
]
const TOOLS = [{ type: 'function', function: { name: 'Bash', description: 'Runs it.', parameters: { type: 'object', properties: { command: { type: 'string' } } } } }] // prettier-ignore

let server: TestServer
let carried: string
beforeAll(async () => {
  carried = path.join(python(['-c', 'import trl; print(trl.__path__[0])']).trim(), 'chat_templates')
  const row = `${JSON.stringify({ messages: SESSION, tools: TOOLS })}\n`
  // the last is left out: no family has such a role
  fs.writeFileSync(
    data,
    row.repeat(15) +
      `${JSON.stringify({ messages: [{ role: 'critic', content: 'No.' }, ...SESSION.slice(1, 2), ...SESSION.slice(5, 6)], tools: TOOLS })}\n`,
  )
  server = await startTestServer({ config })
})
afterAll(async () => {
  await server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function trained(name: string, template: string | null, ...more: string[]) {
  const model = path.join(folder, name)
  tinyModel(model, PYTHON)
  const shape = path.join(model, 'config.json') // long enough for what templates write around a session
  fs.writeFileSync(shape, fs.readFileSync(shape, 'utf8').replace('"max_position_embeddings": 1024', '"max_position_embeddings": 4096'))
  const own = path.join(model, 'chat_template.jinja')
  if (template === null) fs.rmSync(own)
  else fs.writeFileSync(own, template)
  const lines: Record<string, unknown>[] = []
  const notes: string[] = []
  const settings = ['maxLength=3000', 'threads=1', 'device=cpu', 'samples=0', 'evalSteps=null', 'saveSteps=null', 'use_lora=false']
  const code = await runCli(
    ['train', '--dataset', data, '--strategy', 'sft', '--base-model', model, '--max-steps', '2', '--logging-steps', '1', ...settings.flatMap((one) => ['--set', one]), ...more, '--watch'], // prettier-ignore
    { connect: () => Promise.resolve(overHttp(server.url, server.token)), serve: {}, restore: {} } as unknown as Parts,
    { out: (text) => void lines.push(JSON.parse(text) as Record<string, unknown>), note: (text) => void notes.push(text) },
    new AbortController().signal,
  )
  const events = (type: string) => lines.filter((line) => line['type'] === type)
  expect({ code, failed: events('failed'), notes }).toMatchObject({ code: 0, failed: [] })
  const saved = path.join(config.dataDir, 'models', String(lines[0]!['runId']), 'final')
  const savedTemplate = fs.readFileSync(path.join(saved, 'chat_template.jinja'), 'utf8')
  const tokenizerConfig = JSON.parse(fs.readFileSync(path.join(saved, 'tokenizer_config.json'), 'utf8')) as { enable_thinking?: boolean }
  return {
    enableThinking: tokenizerConfig.enable_thinking,
    warnings: events('warning').map((one) => one['code']),
    plan: events('plan')[0]!,
    savedTemplate,
  }
}

test.each([
  ['qwen3', ['unwritten']],
  ['llama3_1', ['unwritten', 'calls_parted']],
  ['gptoss', ['unwritten', 'calls_parted']],
  ['gemma4_v2', ['unwritten']],
  ['glm4moe', ['unwritten']],
])('a session is learned with the template of %s, which is saved as it was', async (family, warnings) => {
  const template = fs.readFileSync(path.join(carried, `${family}.jinja`), 'utf8')
  const run = await trained(family, template)
  expect(run.warnings).toEqual(expect.arrayContaining(warnings))
  expect(run.plan).toMatchObject({ rows: 15 })
  expect(run.plan['trainedTokens']).toBeGreaterThan(0)
  expect(run.savedTemplate.trim()).toBe(template.trim())
  // the session has no thoughts: for a thinking family this is passed wherever the model is asked
  expect(run.enableThinking).toBe(template.includes('enable_thinking') ? false : undefined)
})

test('a base model gets a template that is saved with it', async () => {
  const run = await trained('base', null)
  expect(run.savedTemplate).toContain('<tool_call>')
  expect(run.plan).toMatchObject({ rows: 15 })
})

test('a template from a file takes the place of the model’s own, and is saved', async () => {
  const file = path.join(folder, 'own.jinja')
  const ours = `${fs.readFileSync(path.join(carried, 'qwen3_instruct_2507.jinja'), 'utf8')}{# ours #}`
  fs.writeFileSync(file, ours)
  const run = await trained('chosen', '{{ raise_exception("never") }}', '--template', file)
  expect(run.savedTemplate.trim()).toBe(ours.trim())
})
