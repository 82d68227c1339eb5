import { describe, expect, it } from 'vitest'
import type { Evaluation } from '#contracts/entities/evaluation.ts'
import type { ModStep } from '#contracts/entities/router.ts'
import { AppError } from '#contracts/errors.ts'
import { overrideWords } from '#contracts/router-words.ts'
import { type ChatRequest, type Completion, ProviderError } from '#server/adapters/llm/index.ts'
import { openCore } from '#server/testing/core.ts'
import { createProofs } from './proof.ts'
import { answerStep, type StepDeps } from './step.ts'
import { createStudents, studentName } from './student.ts'

const MODEL = 'a'.repeat(26)
const at = '2026-11-29T00:00:00.000Z'
const evaluation = (
  verdict: NonNullable<Evaluation['exam']>['verdict'],
  standing: NonNullable<Evaluation['exam']>['standing'],
): Evaluation => ({
  name: 'next_call.soft',
  value: 0.1,
  n: 24,
  at,
  exam: { examId: 'e', run: 'r', name: 'Mine', against: 'base', verdict, interval: null, standing },
})

async function withStudents(
  use: (
    students: ReturnType<typeof createStudents>,
    state: {
      router: { studentModel: string; studentAddress: string; override: string }
      evaluations: Evaluation[]
      leaks: boolean
      client: string | null
      files: Record<string, string>
    },
  ) => void | Promise<void>,
) {
  const core = openCore()
  const state = {
    router: { studentModel: MODEL, studentAddress: '', override: '', proxyPort: 8003 },
    evaluations: [] as Evaluation[],
    leaks: false,
    client: null as string | null,
    files: {} as Record<string, string>,
  }
  const students = createStudents(core, {
    settings: () => state.router,
    endpoints: {
      find: () => ({ payer: '', receiver: 'this machine', isOutside: false, model: null, price: null, dialect: 'openai', missing: null }),
      open: () => Promise.reject(new Error('not asked')),
    },
    nameOf: (id) => (id === MODEL ? 'My Claude Opus clone' : null),
    verdictsOf: () => state.evaluations,
    leaks: () => state.leaks,
    client: () => state.client,
    proofs: createProofs(core, { filesOf: () => state.files, client: () => state.client }),
  })
  try {
    await use(students, state)
  } finally {
    await core.close()
  }
}

describe('a student', () => {
  it('may be used when an exam proved it and its probe found no leak, or when the user said so in the words for this very model', () =>
    withStudents((students, state) => {
      const usable = () => [students.chosen()!.isUsable, students.chosen()!.certificate?.run ?? null]
      expect(usable()).toEqual([false, null])
      state.evaluations = [evaluation('ship', 'proof'), evaluation('not_proven', 'beside')]
      expect(usable()).toEqual([true, 'r'])
      state.leaks = true
      expect([...usable(), students.chosen()!.reason]).toEqual([false, null, expect.stringContaining('its newest probe')])
      state.leaks = false
      state.evaluations = [evaluation('ship', 'counts')] // better than another model than its base
      expect(usable()).toEqual([false, null])
      state.router.override = overrideWords('another model')
      expect(usable()).toEqual([false, null])
      state.router.override = students.chosen()!.override
      expect(usable()).toEqual([true, null])
      expect(students.chosen()!.reason).toContain('You chose to use it without proof.')
      state.router = { ...state.router, studentModel: '' }
      expect(students.chosen()).toBe(null)
    }))

  it('begins anew when its files, the prompt, the tools or the client are not those of its exam', () =>
    withStudents((students, state) => {
      const now = () => {
        const { isUsable, reason, unprovenClient } = students.chosen()!
        return [isUsable, unprovenClient, isUsable ? '' : reason]
      }
      state.evaluations = [evaluation('ship', 'proof')]
      state.client = '2.1.329'
      state.files = { adapter: 'one', quantization: 'q8_0' }
      students.remember(students.chosen()!)
      expect(students.chosen()!.evidenceSince).toBe(at)
      expect(now()).toEqual([true, null, ''])
      state.files = { adapter: 'one', gguf: 'exported since', quantization: 'q8_0' }
      expect(now()).toEqual([true, null, ''])
      state.files = { adapter: 'one', gguf: 'exported since', quantization: 'q4_k_m' } // which is loaded from now on
      expect(now()).toEqual([false, null, expect.stringContaining('Its files are not those')])
      state.files = { adapter: 'one', quantization: 'q8_0' }
      state.client = '2.1.330' // the same prompt and tools, as far as they are known
      expect(now()).toEqual([true, '2.1.330', ''])
      state.client = '2.1.50'
      expect(now()).toEqual([false, '2.1.50', expect.stringContaining('not proven for this client version')])
      state.client = '2.1.329'
      state.files = { adapter: 'another' }
      expect(now()).toEqual([false, null, expect.stringContaining('Its files are not those')])
      state.router.override = students.chosen()!.override
      expect(now()[0]).toBe(true)
    }))

  it('has a name that no provider has, different for each model, by which transcripts are told', () =>
    withStudents((students) => {
      const student = students.chosen()!
      expect(student.name).toMatch(/^gym-my-model-model-clone-[0-9a-f]{6}$/)
      expect(studentName('My Claude Opus clone', 'b')).not.toBe(student.name)
      expect(studentName('模型', 'b')).toMatch(/^gym-[0-9a-f]{6}$/)
      expect(students.answeredBy(student.name)).toBe(null)
      students.remember(student)
      expect(students.answeredBy(student.name)).toEqual({ modelId: MODEL, certificate: null })
      expect(students.answeredBy('gym-of-somebody-else')).toBe(null)
    }))
})

const completion = (more: Partial<Completion>): Completion => ({
  text: '',
  thinking: '',
  toolCalls: [],
  stopped: 'end',
  usage: { input: 10, output: 5, cacheRead: null, cacheWrite: null },
  costUsd: 0,
  ...more,
})
const STEP: ModStep = {
  model: 'gym-x',
  agentId: 'a',
  version: '2.1.329',
  task: null,
  directory: null,
  messages: [{ role: 'user', content: 'Count the files.' }],
}

/** The answer to a step when the model answers, or fails, like this. */
async function answered(
  reply: (request: ChatRequest, signal: AbortSignal) => Completion | Promise<Completion>,
  step: Partial<ModStep> = {},
  more: Partial<StepDeps> = {},
) {
  const requests: ChatRequest[] = []
  const student = {
    name: 'gym-x',
    modelId: 'm',
    label: 'Tiny',
    receiver: '',
    certificate: null,
    evidenceSince: null,
    unprovenClient: null,
    isUsable: true,
    reason: 'Fine.',
    override: '',
    endpoint: { kind: 'model' as const, modelId: 'm' },
    model: undefined,
  }
  const deps: StepDeps = {
    chosen: () => student,
    modelOf: (name) => ({ 'gym-x': 'm', 'gym-y': 'other' })[name] ?? null,
    endpoints: {
      open: async () => ({
        async ask(request, signal) {
          requests.push(request)
          return reply(request, signal)
        },
        close: async () => undefined,
      }),
    },
    readCalls: async () => [{ name: 'Read', arguments: { file_path: '/a' } }],
    patienceMs: 60_000,
    inPlace: () => true,
    work: () => Promise.reject(new Error('in place')),
    ...more,
  }
  return { ...(await answerStep(deps, { ...STEP, ...step }, new AbortController().signal)), requests }
}
const call = (name: string, json: string) =>
  completion({ text: 'I look.', toolCalls: [{ id: 'call.1', name, arguments: json }], stopped: 'tools' })

describe('a step', () => {
  it('is the text of the model, or its calls: as the endpoint gives them, or as they are written in the text', async () => {
    expect(await answered(() => completion({ text: '<think>hm</think>\n12 files.' }))).toMatchObject({
      text: '12 files.',
      calls: [],
      failed: false,
    })
    expect(await answered(() => call('Bash', '{"command":"ls"}'))).toMatchObject({
      text: 'I look.',
      calls: [{ name: 'Bash', input: { command: 'ls' } }],
    })
    const written = '<tool_call>\n{"name": "Read", "arguments": {"file_path": "/a"}}\n</tool_call>'
    expect(await answered(() => completion({ text: written }))).toMatchObject({
      text: '',
      calls: [{ name: 'Read', input: { file_path: '/a' } }],
    })
  })

  it('asks what an exam asks: temperature 0, the short system prompt, the tools of the client', async () => {
    const { requests } = await answered(() => completion({ text: 'Done.' }))
    expect(requests).toMatchObject([
      { temperature: 0, maxTokens: 1024, seed: 42, model: null, messages: [{ role: 'user', content: 'Count the files.' }] },
    ])
    expect(requests[0]!.system).toMatch(/^You are a coding agent\. You work in the project of the user/)
  })

  const wait = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
  it.each<[string, Parameters<typeof answered>[0], Partial<ModStep>, Partial<StepDeps>]>([
    ['no model is chosen', () => completion({}), {}, { chosen: () => null }],
    ['this session began with another model', () => completion({}), { model: 'gym-y' }, {}],
    ['answered with nothing', () => completion({ text: ' ' }), {}, {}],
    ['cut off at 1024 tokens', () => completion({ text: 'a', stopped: 'length' }), {}, {}],
    ['cut off at 1024 tokens', () => ({ ...call('Bash', '{"comm'), stopped: 'length' }), {}, {}],
    ['tool call that cannot be read', () => call('Bash', '{"comm'), {}, {}],
    ['tool call that cannot be read', () => call('Bash', '[]'), {}, {}],
    ['tool call that cannot be read', () => call('', '{}'), {}, {}],
    ['tool call that cannot be read', () => completion({ text: '<tool_call>{"name"' }), {}, { readCalls: async () => [] }],
    ['longer than the 6000 tokens', () => completion({}), { task: 'word '.repeat(10_000) }, {}],
    [
      'did not finish within 60 steps',
      () => completion({}),
      { messages: [...STEP.messages, ...Array.from({ length: 60 }, () => ({ role: 'assistant', content: 'a' }))] },
      {},
    ],
    [
      'longer than the context of the model (9000 tokens, at most 8192)',
      () => Promise.reject(new ProviderError('refused', { tooLong: { tokens: 9000, limit: 8192 } })),
      {},
      {},
    ],
    ['could not be reached', () => Promise.reject(new ProviderError('unreachable')), {}, {}],
    [
      'never run outside a sandbox',
      () => Promise.reject(new Error('in place')),
      {},
      {
        inPlace: () => false,
        work: () => Promise.reject(new AppError('task_refused', { message: 'An agent is never run outside a sandbox.', hint: 'Run it.' })),
      },
    ],
    ['out of memory', () => Promise.reject(new Error('out of memory')), {}, {}],
    ['did not answer within 0 minutes', (_, signal) => wait(signal), {}, { patienceMs: 5 }],
    ['did not answer within 0 minutes', () => completion({}), {}, { patienceMs: 5, endpoints: { open: () => new Promise(() => {}) } }],
  ])('ends with the reason: %s', async (reason, reply, step, more) => {
    const { text, calls, failed } = await answered(reply, step, more)
    expect(text).toMatch(/^The gym agent stopped: [^\n]+\.?$/)
    expect(text).toContain(reason)
    expect(text).not.toMatch(/safeguards|dangerous-tool-use/)
    expect([calls, failed]).toEqual([[], true])
  })
})
