import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunRequest } from '#contracts/entities/run.ts'
import { TrainMethod, type TrainStrategy } from '#contracts/trainer.ts'
import { writeTokenizer } from '#server/stages/factory/preview/testing-tokenizer.ts'
import { lines, openGym, type TestGym } from '../testing-gym.ts'

let gym: TestGym
beforeAll(async () => {
  gym = await openGym()
})
afterAll(() => gym.close())

const request = (more: Partial<RunRequest> = {}) => gym.request({ steps: 1 }, more)
const planOf = (body: RunRequest) => gym.client.planRun({ body })
const chat = (content: string) => ({ messages: [{ role: 'user', content }, { role: 'assistant', content: 'it' }] }) // prettier-ignore
const question = (content: string) => ({ prompt: [{ role: 'user', content }], answer: 'it' })
const LONG = chat('word '.repeat(500))
function writeTemplate(model: string, template: string): void {
  writeTokenizer(model, { chat_template: template })
  fs.writeFileSync(path.join(model, 'chat_template.jinja'), template)
}
function changeConfig(model: string, change: object): void {
  const file = path.join(model, 'config.json')
  fs.writeFileSync(file, JSON.stringify({ ...(JSON.parse(fs.readFileSync(file, 'utf8')) as object), ...change }))
}

it('refuses a start with the message of the plan', async () => {
  const write = (text: string) => gym.write(`rows-${text.length}.jsonl`, text)
  const fine = lines([chat('a')])
  const noTargets = TrainMethod.parse({ kind: 'lora', targets: ['q_prj', 'wq'] })
  const cases = [
    [{ file: write('') }, /no rows to train on/],
    [{ file: write(`${fine}{"text":"x"}\n`) }, /Row 2: it has no messages, which sft needs; it has text/],
    [{ file: write(`${fine}not json\n`) }, /Row 2: it is not valid JSON/],
    [{ strategy: 'dpo' as const }, /Row 1: it has no prompt, which dpo needs/],
    [{ settings: { batchSize: 4, microBatch: 3 } }, /not a multiple of micro-batch size/],
    [{ settings: { device: 'cuda' as const } }, /No GPU was found/],
    [{ settings: { method: noTargets } }, /no module named q_prj or wq/],
  ] as const
  for (const [more, sentence] of cases) {
    const body = request(more)
    expect((await planOf(body)).notes.find(({ level }) => level === 'refusal')?.message).toMatch(sentence)
    await expect(gym.client.startRun({ body })).rejects.toMatchObject({
      code: 'run_refused',
      message: expect.stringMatching(sentence) as string,
    })
  }
  await expect(planOf({ ...request(), baseModel: 'no/such' })).rejects.toMatchObject({
    code: 'base_model_not_found',
  })
  await expect(planOf(request({ file: '/nowhere.jsonl' }))).rejects.toMatchObject({
    code: 'path_refused',
  })
})

it('leaves out rows that the chat template cannot render, and refuses if there are many', async () => {
  const body = request()
  const template =
    "{% for m in messages %}{% if 'never' in m.content %}{{ raise_exception('said never') }}{% endif %}{% if m.role != 'system' %}{{ m.content }}{% endif %}{% endfor %}"
  writeTemplate(body.baseModel, template)
  const ask = (content: string) => ({ messages: [{ role: 'system', content: 'Be brief' }, ...chat(content).messages] })
  const notesOf = async (rows: ReturnType<typeof ask>[]) => (await planOf({ ...body, file: gym.write('system.jsonl', lines(rows)) })).notes
  const fine = Array.from({ length: 20 }, () => ask('Say it'))
  const few = await notesOf([...fine, ask('never')])
  expect(few).toContainEqual(expect.objectContaining({ level: 'warning', code: 'template_refused', row: 21, message: '1 of 21 rows cannot be written with this chat template. They are left out. 1 times: The chat template rejected the row: said never' })) // prettier-ignore
  expect(few).toContainEqual(expect.objectContaining({ level: 'info', code: 'system_moved', message: expect.stringMatching(/^20 of 21 rows have their system prompt/) as string })) // prettier-ignore
  const many = await notesOf([...fine, ask('never'), ask('never'), ask('never')])
  expect(many).toContainEqual(expect.objectContaining({ level: 'refusal', code: 'template_refused', message: expect.stringMatching(/^3 of 23 rows.* 3 times: .*Row 21: .*said never/) as string })) // prettier-ignore
})

it.each([
  [{ architectures: ['BertForMaskedLM'] }, /It is a BertForMaskedLM, which does not generate text/],
  [{ architectures: ['Qwen3Model'] }, /It is a Qwen3Model, which does not generate text/],
  [{ architectures: ['T5ForConditionalGeneration'], is_encoder_decoder: true }, /an encoder-decoder model/],
  [{ architectures: ['Qwen2ForCausalLM'] }, /^$/],
  [{ architectures: ['GPT2LMHeadModel'] }, /^$/],
  [{ architectures: ['Gemma3ForConditionalGeneration'] }, /^$/],
])('refuses models that do not generate text: %o', async (config, sentence) => {
  const body = request()
  changeConfig(body.baseModel, config)
  const { notes } = await planOf(body)
  expect(notes.find(({ code }) => code === 'base_model')?.message ?? '').toMatch(sentence)
})

const golden = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, '../../../../trainers/tests/refusals.json'), 'utf8')) as {
  rows: Record<string, object>
  cases: {
    name: string
    strategy: TrainStrategy
    message: string
    hint: string
    /** How often each row is repeated. */
    rows: Record<string, number>
    settings: RunRequest['settings']
  }[]
}
it.each(golden.cases)('refuses with the message of the trainers: $strategy, $name', async ({ strategy, message, hint, rows, settings }) => {
  const data = Object.entries(rows).map(([name, times]) => lines([golden.rows[name]!]).repeat(times))
  const asked = request({ file: gym.write('refused.jsonl', data.join('')), strategy, settings })
  const body = { ...asked, ...(strategy === 'distillation' && { teacher: asked.baseModel }) }
  const { notes } = await planOf(body)
  expect(notes.filter(({ level }) => level === 'refusal')).toMatchObject([{ message, hint, field: expect.any(String) as string }])
  await expect(gym.client.startRun({ body })).rejects.toMatchObject({ code: 'run_refused', message, hint })
})

it('counts only full steps if the model generates the answers', async () => {
  const file = gym.write('prompts.jsonl', lines(Array(5).fill(question('Say it'))))
  const stepsOfPlan = async (more: Partial<RunRequest>) => {
    const body = request({ file, ...more })
    return (await planOf({ ...body, teacher: body.baseModel })).stepsPerEpoch
  }
  const rewarded = { batchSize: 8, generations: 4, maxCompletion: 8, rewards: [{ kind: 'exact' as const, weight: 1 }] }
  expect(await stepsOfPlan({ strategy: 'grpo', settings: rewarded })).toBe(2)
  expect(await stepsOfPlan({ strategy: 'distillation', settings: { batchSize: 4, maxCompletion: 8 } })).toBe(1)
  expect(await stepsOfPlan({ strategy: 'distillation', settings: { batchSize: 4, distill: 'text' } })).toBe(2)
})

it('leaves out prompts that leave no room for an answer', async () => {
  const file = gym.write('long.jsonl', lines([1, 1, 2000].map((words) => question('word '.repeat(words)))))
  const settings = { batchSize: 8, generations: 4, maxLength: 512, maxCompletion: 480, rewards: [{ kind: 'exact' as const, weight: 1 }] }
  const { notes, leftOut, trainedTokens } = await planOf(request({ file, strategy: 'grpo', settings }))
  expect(leftOut).toBe(1)
  expect(trainedTokens).toBeNull() // the model generates them
  expect(notes.find(({ code }) => code === 'prompts_left_out')?.message).toBe('1 of 3 prompts are longer than 32 tokens (max length minus max answer length) and are excluded.') // prettier-ignore
})

it('reports settings without room for any prompt, instead of each prompt', async () => {
  const body = request()
  writeTemplate(body.baseModel, '{{ messages[0].content }}')
  const file = gym.write('short.jsonl', lines(Array(4).fill(question('Say it'))))
  const settings = { batchSize: 8, generations: 4, maxLength: 128, maxCompletion: 512, rewards: [{ kind: 'exact' as const, weight: 1 }] }
  const { notes } = await planOf({ ...body, file, strategy: 'grpo', settings })
  const refusals = notes.filter(({ level }) => level === 'refusal')
  expect(refusals).toMatchObject([{ message: expect.stringContaining('leaves no room for a prompt') as string }])
})

it('refuses a max length within which no row has a trained token', async () => {
  const file = gym.write('late.jsonl', lines(Array(3).fill(LONG)))
  const planned = (maxLength: number) => planOf(request({ file, settings: { maxLength } }))
  const { trainedTokens, notes } = await planned(64)
  expect(trainedTokens).toBe(0)
  expect(notes.find(({ code }) => code === 'no_trained_tokens')).toMatchObject({ level: 'refusal', message: 'Nothing would be trained: 3 rows are too long for 64 tokens.', field: 'maxLength' }) // prettier-ignore
  const whole = await planned(4096)
  expect(whole.trainedTokens).toBeGreaterThan(0)
  expect(whole.notes.map(({ code }) => code)).not.toContain('no_trained_tokens')
})

it('gives advice once per field, and its settings remove the warnings', async () => {
  const file = gym.write('advice.jsonl', lines([...Array(60).fill(chat('Say it')), LONG]))
  const settings = { maxLength: 64, learningRate: 0.5, epochs: 1, batchSize: 16 }
  const planned = (more: RunRequest['settings']) => planOf(request({ file, settings: { ...settings, maxSteps: null, ...more } }))
  const { notes } = await planned({})
  const advice = notes.flatMap(({ code, apply }) => (apply === null ? [] : [[code, apply] as const]))
  expect(Object.fromEntries(advice)).toEqual({
    answers_left_out: { maxLength: 2048 },
    high_rate: { learningRate: 0.0002 },
    few_steps: { batchSize: 2 },
  })
  const better = await planned(Object.assign({}, ...advice.map(([, apply]) => apply)) as RunRequest['settings'])
  expect(better.notes.filter(({ level }) => level !== 'info')).toEqual([])
  expect(better.leftOut).toBe(0)
})

it('drops the validation file with a warning if none of its rows fits', async () => {
  const file = gym.write('fits.jsonl', lines(Array(4).fill(chat('word word word'))))
  const valFile = gym.write('fits-not.jsonl', lines([LONG]))
  const plan = await planOf(request({ file, valFile, settings: { maxLength: 64 } }))
  expect(plan).toMatchObject({ rows: 4, leftOut: 0, valRows: 0, config: { data: { val: null } } })
  expect(plan.notes.find(({ code }) => code === 'validation_left_out')).toMatchObject({ level: 'warning', apply: { maxLength: 2048 } })
})

it('suggests no length that the model does not support', async () => {
  const body = request({ file: gym.write('too-long.jsonl', lines([LONG])), settings: { maxLength: 64 } })
  changeConfig(body.baseModel, { max_position_embeddings: 64 })
  const { notes } = await planOf(body)
  expect(notes.find(({ code }) => code === 'no_trained_tokens')).toMatchObject({
    apply: null,
    hint: 'Choose a base model that supports more than 64 tokens to keep them.',
  })
})

it('refuses a run that does not fit the memory, unless the user overrides it', async () => {
  const device = { kind: 'cpu' as const, name: 'small', totalBytes: 2e8, freeBytes: 1e8, cores: 1 }
  const small = await openGym({ deps: { devices: async () => ({ items: [device], problem: null }) } })
  const body = small.request({ steps: 1 })
  const { fits, notes } = await small.client.planRun({ body })
  expect([fits, notes[0]]).toMatchObject(['no', { level: 'refusal', code: 'memory' }])
  await expect(small.client.startRun({ body })).rejects.toMatchObject({ code: 'run_refused' })
  const { id } = await small.client.startRun({ body: { ...body, overrideMemory: true } })
  await small.until(id, 'completed')
  expect(small.gym.run(id).estimateBytes).toBeGreaterThan(1e8)
  await small.close()
})

const CALL = { id: 'c', type: 'function', function: { name: 'Bash', arguments: { command: 'ls' } } }
const TOOLS = [{ type: 'function', function: { name: 'Bash', description: 'Runs it', parameters: { type: 'object' } } }]
/** A completion of many turns. */
const session = (turns: number) => [
  ...Array.from({ length: turns }, () => [
    { role: 'assistant', content: '', tool_calls: [CALL] },
    { role: 'tool', content: 'word '.repeat(40), tool_call_id: 'c', name: 'Bash' },
  ]).flat(),
  { role: 'assistant', content: 'Done' },
]
const ask = [{ role: 'user', content: 'List them' }]
const labelled = (turns: number, label: boolean) => ({ prompt: ask, completion: session(turns), label, tools: TOOLS })
const KNOWN_RATE = { learningRate: 5e-6 }

it('splits labelled sessions between turns, and gives advice on their ratio that ends the warning', async () => {
  const rows = [...Array(8).fill(labelled(16, true)), labelled(2, false)] as object[]
  const planned = (settings: RunRequest['settings'], strategy: TrainStrategy = 'kto') =>
    planOf(request({ file: gym.write('labels.jsonl', lines(rows)), strategy, settings: { template: 'chatml', maxLength: 600, ...KNOWN_RATE, ...settings } })) // prettier-ignore
  const { rows: count, fileRows, leftOut, trainedTokens, learnableTokens, notes } = await planned({})
  expect([fileRows, leftOut, trainedTokens]).toEqual([9, 0, learnableTokens])
  expect(count).toBeGreaterThan(20)
  const ratio = notes.find(({ code }) => code === 'label_ratio')
  expect(ratio).toMatchObject({ level: 'warning', message: expect.stringMatching(/rows are wanted and 1 unwanted/) as string })
  const better = await planned(ratio!.apply as RunRequest['settings'])
  expect(better.notes.map(({ code }) => code)).not.toContain('label_ratio')
})

it('ends both sides of a long pair at a turn that fits', async () => {
  const file = gym.write('pairs.jsonl', lines([{ prompt: ask, chosen: session(30), rejected: session(2), tools: TOOLS }]))
  const planned = (maxLength: number) => planOf(request({ file, strategy: 'dpo', settings: { template: 'chatml', maxLength } }))
  const [short, whole] = [await planned(600), await planned(8192)]
  expect([short.rows, whole.rows, whole.leftOut]).toEqual([1, 1, 0])
  expect(short.leftOut).toBeGreaterThan(0)
  expect(short.tokens!).toBeLessThan(1200)
  expect(short.trainedTokens!).toBeLessThan(whole.trainedTokens!)
  expect(whole.trainedTokens).toBe(whole.learnableTokens)
})

it('refuses to train nothing, with the largest reasons and the length that would keep rows', async () => {
  const untrained = { messages: [...ask, { role: 'assistant', content: 'No', weight: 0 }] }
  const file = gym.write('nothing.jsonl', lines([LONG, LONG, untrained]))
  const settings = { maxLength: 64, template: 'chatml' }
  const body = request({ file, settings })
  const refusal = (await planOf(body)).notes.find(({ level }) => level === 'refusal')
  expect(refusal?.message).toBe('Nothing would be trained: 2 rows are too long for 64 tokens, 1 row has no answer that is trained.')
  const maxLength = Number(refusal?.apply?.['maxLength'])
  expect((await planOf({ ...body, settings: { ...settings, maxLength } })).notes.filter(({ level }) => level === 'refusal')).toEqual([])
  await expect(gym.client.startRun({ body })).rejects.toMatchObject({ code: 'run_refused' })
})

it('refuses to validate on the rows to train on, and counts those that are in both', async () => {
  const file = gym.write('both.jsonl', lines([chat('a'), chat('b'), chat('c')]))
  const noteOf = async (valFile: string) =>
    (await planOf(request({ file, valFile }))).notes.find(({ code }) => code === 'validation_trained')
  expect(await noteOf(file)).toMatchObject({ level: 'refusal', field: 'valFile' })
  expect(await noteOf(gym.write('copy.jsonl', lines([chat('c'), chat('a'), chat('b')])))).toMatchObject({ level: 'refusal' })
  expect(await noteOf(gym.write('mixed.jsonl', lines([chat('b'), chat('d')])))).toMatchObject({ level: 'warning', message: expect.stringMatching(/^1 of 2 validation rows are also trained on/) as string }) // prettier-ignore
  expect(await noteOf(gym.write('others.jsonl', lines([chat('d')])))).toBeUndefined()
})

it('warns about a learning rate at which an adapter learns nothing', async () => {
  const codes = async (learningRate: number) => (await planOf(request({ settings: { learningRate } }))).notes.map(({ code }) => code)
  expect(await codes(2e-5)).toContain('low_rate')
  expect(await codes(1e-4)).not.toContain('low_rate')
})

it('says what a longer window would save, and offers fewer tools in short rows', async () => {
  const others = Array.from({ length: 30 }, (_, at) => ({ type: 'function', function: { name: `other_${at}`, description: 'word '.repeat(20), parameters: { type: 'object' } } })) // prettier-ignore
  const messages = [...ask, ...session(40)]
  const planned = (tools: object[], maxLength: number) =>
    planOf(request({ file: gym.write('window.jsonl', lines([{ messages, tools }])), settings: { template: 'chatml', maxLength } }))
  const short = await planned(TOOLS, 800)
  const saving = short.notes.find(({ code }) => code === 'longer_window')
  expect(saving).toMatchObject({ level: 'info', field: 'maxLength' })
  const longer = await planned(TOOLS, Number(saving?.apply?.['maxLength']))
  expect(longer.tokens!).toBeLessThan(0.75 * short.tokens!)
  expect(longer.trainedTokens).toBe(short.trainedTokens)
  const [all, few] = [await planned([...TOOLS, ...others], 800), await planned([...TOOLS, ...others.slice(0, 4)], 800)]
  expect([all.tokens, all.trainedTokens, all.leftOut]).toEqual([few.tokens, short.trainedTokens, 0])
})
