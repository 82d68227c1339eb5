import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ollamaWayOf, PROBES, pythonJson } from '#server/stages/models/export/ollama-family.ts'
import { python } from './python.ts'

const hasGo = spawnSync('go', ['version']).status === 0
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-ollama-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const TRL = python(['-c', 'import trl, pathlib; print(pathlib.Path(trl.__file__).parent / "chat_templates")']).trim()
const OURS = path.resolve(import.meta.dirname, '../../server/trainers/bashgym_trainers/chatml.jinja')
const families = [OURS, ...fs.readdirSync(TRL).filter((name) => name.endsWith('.jinja') && !name.endsWith('_training.jinja')).map((name) => path.join(TRL, name))] // prettier-ignore
const nameOf = (file: string) => path.basename(file, '.jinja')
const endOf = (jinja: string) => (jinja.includes('<|start_header_id|>') ? '<|eot_id|>' : '<|im_end|>')
const wayOf = (file: string, thinks: boolean) => {
  const jinja = fs.readFileSync(file, 'utf8')
  return { jinja, eos: endOf(jinja), thinks, way: ollamaWayOf({ jinja, end: endOf(jinja), thinks }) }
}

/** Python's JSON of tools and arguments, as Ollama writes it. */
function withoutSpaces(text: string): string {
  const values = Object.values(PROBES).flatMap(({ messages, tools }) => [
    ...tools,
    ...messages.flatMap((message) => ('tool_calls' in message ? (message.tool_calls ?? []).map((call) => call.function.arguments) : [])),
  ])
  return values.reduce<string>(
    (done, value) =>
      done.replaceAll(pythonJson(value), JSON.stringify(value)).replaceAll(JSON.stringify(value, null, 4), JSON.stringify(value)),
    text,
  )
}

test('the families that Ollama can be told to write are known, and the others are named', () => {
  const ways = Object.fromEntries(families.map((file) => [nameOf(file), wayOf(file, true).way.kind]))
  const of = (kind: string) => Object.keys(ways).filter((name) => ways[name] === kind).toSorted() // prettier-ignore
  expect(of('template')).toEqual(['chatml', 'llama3_1', 'llama3_2', 'qwen2_5', 'qwen2_5_vl', 'qwen3', 'qwen3_instruct_2507', 'qwen3_vl'])
  expect(of('renderer')).toEqual(['nemotron_3_5_lightning', 'nemotron_3_nano', 'nemotron_3_super', 'nemotron_3_ultra'])
})

test.skipIf(!hasGo)("Ollama's template of each family writes what the chat template writes", () => {
  const renderer = path.join(folder, 'render')
  const built = spawnSync('go', ['build', '-o', renderer, '.'], { cwd: path.join(import.meta.dirname, 'ollama'), encoding: 'utf8', env: { ...process.env, GOFLAGS: '-mod=mod', GOCACHE: path.join(folder, 'cache') } }) // prettier-ignore
  expect(built.stderr).toBe('')
  const cases = families.flatMap((file) =>
    [true, false].flatMap((thinks) => {
      const { jinja, eos, way } = wayOf(file, thinks)
      if (way.kind !== 'template') return []
      // a model whose template has no tools is offered none
      const asked = Object.entries(PROBES).filter(([, { tools }]) => tools.length === 0 || way.template.includes('.Tools'))
      return asked.map(([probe, { messages, tools }]) => ({
        name: `${nameOf(file)} ${probe} ${thinks ? 'thinking' : 'not thinking'}`,
        ollama: { template: way.template, messages, tools },
        jinja: { source: jinja, messages, tools, eos, thinking: thinks },
      }))
    }),
  )
  const lines = (values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
  const parsed = (text: string) => text.trimEnd().split('\n').map((line) => JSON.parse(line) as string | null) // prettier-ignore
  const rendered = spawnSync(renderer, { input: lines(cases.map(({ ollama }) => ollama)), encoding: 'utf8' })
  expect(rendered.stderr).toBe('')
  const [theirs, trained] = [parsed(rendered.stdout), parsed(python(['tests/render_prompts.py'], lines(cases.map(({ jinja }) => jinja))))]
  const byName = (texts: readonly (string | null)[]) =>
    Object.fromEntries(cases.flatMap(({ name }, at) => (trained[at] === null ? [] : [[name, withoutSpaces(texts[at]!).replace(/^Today Date: .*$/m, 'Today Date:')]]))) // prettier-ignore
  expect(Object.keys(byName(trained)).length).toBeGreaterThan(40)
  expect(byName(theirs)).toEqual(byName(trained))
})
