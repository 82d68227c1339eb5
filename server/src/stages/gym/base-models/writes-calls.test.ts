import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ComputeDevice } from '#contracts/entities/run.ts'
import { lines, openGym, type TestGym } from '../testing-gym.ts'
import { writeTokenizer } from '#server/stages/factory/preview/testing-tokenizer.ts'
import { recommendedModels } from './recommended.ts'

/** The template of SmolLM2-135M-Instruct, which has no form for calls. */
const WITHOUT_CALLS =
  "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
const QWEN25 = fs.readFileSync(path.join(import.meta.dirname, '../../../../trainers/bashgym_trainers/chatml.jinja'), 'utf8')

let gym: TestGym
const shelves: string[] = []
beforeAll(async () => {
  gym = await openGym({ deps: { baseModels: () => ({ named: [], shelves }) } })
})
afterAll(() => gym.close())

const GB = 1e9
const device = (kind: ComputeDevice['kind'], totalBytes: number, freeBytes = totalBytes): ComputeDevice => ({ kind, name: kind, totalBytes, freeBytes, cores: 2 }) // prettier-ignore
const recommended = (on: ComputeDevice, more: Partial<Parameters<typeof recommendedModels>[1]> = {}) =>
  recommendedModels(on, { wanted: 'Qwen/Qwen2.5-Coder-1.5B-Instruct', isChosen: false, ...more }, () => false)

const call = { id: 'a', type: 'function', function: { name: 'Read', arguments: { file_path: 'a.md' } } }
const ROW = {
  messages: [
    { role: 'user', content: 'What does a.md say?' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', content: 'Friday', tool_call_id: 'a', name: 'Read' },
    { role: 'assistant', content: 'Friday.' },
  ],
  tools: [{ type: 'function', function: { name: 'Read', description: 'Reads', parameters: { type: 'object', properties: {} } } }],
}

it('recommends small models with tool calls first on a CPU, and the default first on a GPU or if it was chosen', () => {
  const onCpu = recommended(device('cpu', 16 * GB))
  expect(onCpu[0]?.id).toBe('Qwen/Qwen2.5-Coder-0.5B-Instruct')
  const usable = onCpu.filter(({ fit }) => fit !== 'no')
  expect(usable.at(-1)).toMatchObject({ id: 'HuggingFaceTB/SmolLM2-135M-Instruct', writesCalls: false })
  expect(recommended(device('cuda', 80 * GB))[0]?.id).toBe('Qwen/Qwen2.5-Coder-1.5B-Instruct')
  expect(recommended(device('cpu', 16 * GB), { wanted: 'Qwen/Qwen3-0.6B', isChosen: true })[0]?.id).toBe('Qwen/Qwen3-0.6B')
})

it('says whether models fit by the installed memory, not by what is free at the moment', () => {
  const fits = (on: ComputeDevice) => recommended(on).map(({ id, fit }) => [id, fit])
  expect(fits(device('cpu', 16 * GB, 1 * GB))).toEqual(fits(device('cpu', 16 * GB, 12 * GB)))
})

it('renders a row with calls to see whether a model on this machine can be trained on sessions, and suggests only such a model', async () => {
  const request = gym.request({ steps: 1 })
  const template = (text: string) => fs.writeFileSync(path.join(request.baseModel, 'chat_template.jinja'), text)
  shelves.push(request.baseModel)
  const list = async () => {
    const { items, suggested } = await gym.client.listBaseModels({ query: {} })
    return [items.find(({ id }) => id === request.baseModel)?.writesCalls, suggested?.id]
  }
  template(WITHOUT_CALLS)
  expect(await list()).toEqual([false, undefined])
  template(QWEN25)
  expect(await list()).toEqual([true, request.baseModel])
  template('{% for m in messages %}{{ raise_exception("no") }}{% endfor %}')
  expect(await list()).toEqual([false, undefined])
})

it('offers ChatML with calls for a template that cannot write them, and trains with it', async () => {
  const request = gym.request({ steps: 1 }, { file: gym.write('calls.jsonl', lines([ROW, ROW, ROW])) })
  writeTokenizer(request.baseModel, { chat_template: WITHOUT_CALLS })
  fs.writeFileSync(path.join(request.baseModel, 'chat_template.jinja'), WITHOUT_CALLS)
  const refused = (await gym.client.planRun({ body: request })).notes.find(({ code }) => code === 'template_refused')
  expect(refused).toMatchObject({ level: 'refusal', apply: { template: 'chatml' }, message: expect.stringContaining("This model's template can't express tool calls, and your rows contain them.") as string }) // prettier-ignore
  const plan = await gym.client.planRun({ body: { ...request, settings: { template: 'chatml' } } })
  expect(plan.notes.filter(({ level }) => level === 'refusal')).toEqual([])
  expect(plan.rows).toBe(3)
  expect(plan.config['template']).toContain('<tool_call>')
})
