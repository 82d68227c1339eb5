import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { tinyModel } from '../support/trainer.ts'
import { PYTHON, python } from './python.ts'
import { bashgym, closeServer, temporaryFolder, trainingConfig, writeRows } from './training-server.ts'

// Real runs through the command line: a tiny model with the chat template of each model family.
const folder = temporaryFolder('families')
const config = trainingConfig(folder)
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
  const critic = { messages: [{ role: 'critic', content: 'No.' }, SESSION[1], SESSION[5]], tools: TOOLS } // this row is excluded, because no template has this role
  writeRows(data, [...Array.from({ length: 15 }, () => ({ messages: SESSION, tools: TOOLS })), critic])
  server = await startTestServer({ config })
})
afterAll(() => closeServer(server, folder))

async function trained(name: string, template: string | null, ...more: string[]) {
  const model = path.join(folder, name)
  tinyModel(model, PYTHON)
  const shape = path.join(model, 'config.json') // long enough for the text that templates add to a session
  fs.writeFileSync(shape, fs.readFileSync(shape, 'utf8').replace('"max_position_embeddings": 1024', '"max_position_embeddings": 4096'))
  const own = path.join(model, 'chat_template.jinja')
  if (template === null) fs.rmSync(own)
  else fs.writeFileSync(own, template)
  const settings = ['maxLength=3000', 'threads=1', 'device=cpu', 'samples=0', 'evalSteps=null', 'saveSteps=null', 'use_lora=false']
  const how = ['--max-steps', '2', '--logging-steps', '1', ...settings.flatMap((one) => ['--set', one]), ...more, '--watch']
  const { code, lines: texts, notes } = await bashgym(server, ['train', '--dataset', data, '--strategy', 'sft', '--base-model', model, ...how]) // prettier-ignore
  const lines = texts.map((text) => JSON.parse(text) as Record<string, unknown>)
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
])('a session is learned with the template of %s, which is saved unchanged', async (family, warnings) => {
  const template = fs.readFileSync(path.join(carried, `${family}.jinja`), 'utf8')
  const run = await trained(family, template)
  expect(run.warnings).toEqual(expect.arrayContaining(warnings))
  expect(run.plan).toMatchObject({ rows: 15 })
  expect(run.plan['trainedTokens']).toBeGreaterThan(0)
  expect(run.savedTemplate.trim()).toBe(template.trim())
  // the session has no thinking, so a model with thinking must be prompted with thinking disabled
  expect(run.enableThinking).toBe(template.includes('enable_thinking') ? false : undefined)
})

test('a base model gets a template that is saved with it', async () => {
  const run = await trained('base', null)
  expect(run.savedTemplate).toContain('<tool_call>')
  expect(run.plan).toMatchObject({ rows: 15 })
})

test('a template from a file replaces the model’s own template and is saved', async () => {
  const file = path.join(folder, 'own.jinja')
  const ours = `${fs.readFileSync(path.join(carried, 'qwen3_instruct_2507.jinja'), 'utf8')}{# ours #}`
  fs.writeFileSync(file, ours)
  const run = await trained('chosen', '{{ raise_exception("never") }}', '--template', file)
  expect(run.savedTemplate.trim()).toBe(ours.trim())
})
