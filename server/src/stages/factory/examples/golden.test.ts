import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChatMessage, ExampleOptions, Segment, ToolSchema } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { wireSamples } from '#server/stages/traces/testing-samples.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { makeExamples } from './make.ts'
import type { ExamplesOutput } from './types.ts'

let core: TestCore
let app: ReturnType<typeof wireSamples>
const outputs: ExamplesOutput[] = []
beforeAll(async () => {
  core = openCore()
  app = wireSamples(core)
  await app.importFolder()
  for (const { id } of core.db.prepare<[], { id: string }>('SELECT id FROM traces ORDER BY id').all()) outputs.push(examplesOf(id))
})
afterAll(async () => {
  await app.close()
  await core.close()
})

const examplesOf = (traceId: string, options: Partial<ExampleOptions> = {}) =>
  makeExamples(readOnlyOfThread(core.paths.database), {
    archive: core.paths.archive,
    traceId,
    options: ExampleOptions.parse(options),
  })!
const fixTests = () => outputs.filter(({ trace }) => trace.counts.toolCalls === 10)
const newest = () => fixTests().find(({ trace }) => trace.clientVersion === '2.1.329')!

it('makes one example of each sample of any client version', () => {
  expect(outputs.length).toBe(8)
  expect(outputs.map(({ segments, examples, excluded }) => [segments.length, examples.length, excluded.length])).toEqual(
    outputs.map(() => [1, 1, 0]),
  )
  expect(new Set(outputs.map(({ examples }) => examples[0]!.id)).size).toBe(8)
  for (const { segments, examples } of outputs) {
    for (const segment of segments) Segment.parse(segment)
    for (const { messages, tools } of examples) {
      for (const message of messages) ChatMessage.parse(message)
      for (const tool of tools) ToolSchema.parse(tool)
    }
  }
})

it('keeps a real conversation: prompt, thinking, parallel calls in one message, results in order', () => {
  const [example] = newest().examples
  expect(example!.messages.map(({ role }) => role).slice(0, 7)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
    'tool',
  ])
  const [, prompt, first, , second] = example!.messages
  expect(prompt!.content).toBe('Please fix the failing test.')
  expect(first!.content).toMatch(/^<think>\n.+\n<\/think>\n\nI will look at the project first\.$/s)
  expect(second!.role === 'assistant' && second!.tool_calls!.map(({ function: { name } }) => name)).toEqual(['Read', 'Read'])
  expect(example).toMatchObject({ turns: 9, steps: 10, flags: ['context_only', 'has_errors'], state: 'proposed', edited: false, part: 1 })
})

it('learns nothing from a failed call that was successfully retried, and ends with an answer', () => {
  const { messages } = newest().examples[0]!
  const context = messages.flatMap((message) => (message.role === 'assistant' && message.weight === 0 ? (message.tool_calls ?? []) : []))
  expect(context.map(({ function: { name } }) => name)).toEqual(['Edit'])
  expect(messages.at(-1)!.role).toBe('assistant')
  const contextOf = (options: object) =>
    examplesOf(newest().trace.id, options).examples[0]!.messages.filter((message) => message.role === 'assistant' && message.weight === 0)
  expect(contextOf({ skipRetried: false })).toHaveLength(0)
  expect(contextOf({ skipRefused: false })).toHaveLength(context.length)
  expect(examplesOf(newest().trace.id, { maxTurns: 3 }).examples.map((part) => part.messages.at(-1)!.role)).not.toContain('tool')
})

it("removes the client's frame around the report of a sub-agent", () => {
  const tools = outputs.flatMap(({ examples }) => examples[0]!.messages.filter((message) => message.role === 'tool'))
  for (const { content } of tools) expect(content).not.toMatch(/Subagent hand-back|tools-used-before-summary|agentId:|subagent_tokens/)
  expect(tools.map(({ content }) => content)).toContain('add() is defined in calc.mjs line 1.')
})

it('names the working directory in the system prompt', () => {
  const { trace, examples } = newest()
  expect(examples[0]!.messages[0]!.content).toContain(`Working directory: ${trace.cwd}`)
})

it('has the same structure for every client version', () => {
  const shapes = fixTests().map(({ examples: [example] }) =>
    example!.messages.map((message) => [
      message.role,
      message.role === 'assistant' ? message.tool_calls?.map((call) => call.function.name) : 0,
    ]),
  )
  expect(shapes.length).toBe(4)
  for (const shape of shapes) expect(shape).toEqual(shapes[0])
})

it('has exactly one result for each call, with the id of its step', () => {
  for (const { examples, trace } of outputs) {
    for (const { messages, stepIds } of examples) {
      const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
      const results = messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []))
      expect(results).toEqual(calls.map(({ id }) => id))
      expect(new Set(results).size).toBe(results.length)
      expect(stepIds.length).toBe(messages.length)
      const ofResults = stepIds.filter((_, index) => messages[index]!.role === 'tool')
      expect(ofResults.every((stepId) => stepId?.startsWith(trace.id))).toBe(true)
    }
  }
})

it('has schemas that match the arguments of all tools of the session', () => {
  const [example] = newest().examples
  const names = ({ tools }: typeof example & object) => tools.map(({ function: { name } }) => name)
  // its client recorded the schemas of five; the others are known by name
  expect(names(example!)).toEqual(
    'Agent Bash Edit Glob Grep ListAgents Read ReportFindings ScheduleWakeup Skill ToolSearch Workflow Write'.split(' '),
  )
  const older = fixTests().find(({ trace }) => trace.clientVersion === '1.0.128')!
  expect(names(older.examples[0]!)).toEqual(expect.arrayContaining(['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Task', 'TodoWrite', 'Write']))
  for (const { examples } of outputs) {
    for (const { messages, tools } of examples) {
      const schemas = new Map(tools.map(({ function: { name, parameters } }) => [name, parameters]))
      for (const message of messages) {
        if (message.role !== 'assistant') continue
        for (const { function: call } of message.tool_calls ?? []) {
          const { properties, required = [] } = schemas.get(call.name) as { properties: object; required?: string[] }
          expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(call.arguments)))
          expect(Object.keys(call.arguments)).toEqual(expect.arrayContaining(required))
        }
      }
    }
  }
})

it('estimates tokens and marks them as estimated', () => {
  for (const { examples } of outputs) {
    expect(examples[0]!.tokens).toMatchObject({ exact: false, tokenizer: 'estimate (o200k)' })
    expect(examples[0]!.tokens.count).toBeGreaterThan(100)
  }
})

describe('options', () => {
  it('can drop thinking, and replace or drop the system prompt', () => {
    const { id } = newest().trace
    const plain = examplesOf(id, { thinking: false, systemPrompt: { kind: 'none' } }).examples[0]!
    expect(JSON.stringify(plain.messages)).not.toContain('<think>')
    expect(plain.messages[0]!.role).toBe('user')
    const withOwnPrompt = examplesOf(id, { systemPrompt: { kind: 'own', text: 'Be brief.' } }).examples[0]!
    expect(withOwnPrompt.messages[0]).toEqual({
      role: 'system',
      content: expect.stringMatching(/^Be brief\.\n\nWorking directory: \/.+\nGit branch: /) as string,
    })
  })

  it('uses the recorded system prompt, and flags examples without one', () => {
    const recorded = examplesOf(newest().trace.id, { systemPrompt: { kind: 'recorded' } }).examples[0]!
    expect(recorded.messages[0]!.content).toContain('You are a Claude agent')
    const older = fixTests().find(({ trace }) => trace.clientVersion === '1.0.128')!
    const without = examplesOf(older.trace.id, { systemPrompt: { kind: 'recorded' } }).examples[0]!
    expect(without.messages[0]!.role).toBe('user')
    expect(without.flags).toContain('system_not_recorded')
  })

  it('splits too many turns into parts that contain every step once', () => {
    const parts = examplesOf(newest().trace.id, { maxTurns: 3 }).examples
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.map(({ turns }) => turns).every((turns) => turns <= 3)).toBe(true)
    expect(parts.reduce((sum, { steps }) => sum + steps, 0)).toBe(10)
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_, index) => index + 1))
    const later = parts.at(-1)!
    expect(later.flags).toEqual(expect.arrayContaining(['carried_prompt', 'split']))
    expect(later.messages[1]!.content).toMatch(
      /^Please fix the failing test\.\n\n\[Continued\. Summary of the work on this before: \d+ steps?\./,
    )
  })

  it('excludes and counts parts without a prompt of their own, if prompts may not be carried over', () => {
    const { examples, excluded } = examplesOf(newest().trace.id, { maxTurns: 3, carryPrompt: false })
    expect(examples.length).toBe(1)
    expect(excluded.every(({ reason }) => reason === 'no_own_prompt')).toBe(true)
    expect(excluded.length).toBeGreaterThan(1)
  })
})
