import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAll, sampleSources } from './testing.ts'

interface Figures {
  prompts: number
  responses: number
  toolCalls: number
  toolCallsByName: Record<string, number>
  failedToolCalls: number
  unansweredToolCalls: number
  tokens: { input_tokens: number; output_tokens: number; cache_creation_input_tokens: number; cache_read_input_tokens: number }
  outputTokensReliable: boolean
}

interface Expected {
  sessionId: string
  clientVersion: string
  model: string
  cwd: string
  gitBranch: string
  firstTimestamp: string
  lastTimestamp: string
  records: { main: number; subagentFiles: number[] }
  subagents: number
  main: Figures
  subagent?: Figures
  total: Figures
  gitCommits: unknown[]
}

const expectedFile = path.join(import.meta.dirname, '../../../../../../samples/expected.json')
const expected = JSON.parse(fs.readFileSync(expectedFile, 'utf8')) as Record<string, Expected>
const samples = Object.entries(expected).filter(([name]) => name.startsWith('claude-code/'))

describe.each(samples)('%s', (name, want) => {
  const output = readAll(sampleSources(name.replace('claude-code/', '')))
  const { trace, entries, responses } = output
  const calls = entries.filter(({ kind }) => kind === 'call')

  it('has the counts of expected.json', () => {
    expect(trace.counts).toEqual({
      prompts: want.main.prompts,
      abandonedTurns: 0,
      toolCalls: want.total.toolCalls,
      failedToolCalls: want.total.failedToolCalls,
      rejectedToolCalls: 0,
      subagents: want.subagents,
      commits: want.gitCommits.length,
    })
    expect(trace.tools).toEqual(want.total.toolCallsByName)
    expect(calls.filter(({ answered }) => !answered)).toHaveLength(want.total.unansweredToolCalls)
    expect(output.records).toBe(want.records.main + want.records.subagentFiles.reduce((sum, lines) => sum + lines, 0))
    expect(output.steps).toBe(want.total.toolCalls)
    expect(trace.problems).toEqual([])
    expect(output.errors).toEqual([])
  })

  it.each(['main', 'subagent', 'total'] as const)('sums the tokens of %s once per response', (part) => {
    const figures = want[part]
    if (!figures) return
    const counted = responses.filter(({ agent }) => part === 'total' || (agent === 'main') === (part === 'main'))
    const sum = (kind: 'input' | 'output' | 'cacheRead' | 'cacheWrite') =>
      counted.reduce<number | null>((total, one) => (total === null || one[kind] === null ? null : total + one[kind]), 0)
    expect(counted).toHaveLength(figures.responses)
    expect({ input: sum('input'), output: sum('output'), cacheRead: sum('cacheRead'), cacheWrite: sum('cacheWrite') }).toEqual({
      input: figures.tokens.input_tokens,
      output: figures.outputTokensReliable ? figures.tokens.output_tokens : null,
      cacheRead: figures.tokens.cache_read_input_tokens,
      cacheWrite: figures.tokens.cache_creation_input_tokens,
    })
  })

  it('has the facts of the session', () => {
    expect(trace).toMatchObject({
      cwd: want.cwd,
      repo: 'project',
      gitBranch: want.gitBranch,
      clientVersion: want.clientVersion,
      models: [want.model],
      state: 'ended',
      turns: 1,
    })
    expect(trace.title).toMatch(/^Please (fix the failing test|find out where add\(\) is defined)\.$/)
    expect(new Date(trace.startedAt!).toISOString()).toBe(want.firstTimestamp)
    expect(new Date(trace.endedAt!).toISOString()).toBe(want.lastTimestamp)
  })

  it('orders and names every entry once', () => {
    const ords = entries.map(({ ord }) => ord)
    expect(ords).toEqual(ords.toSorted())
    expect(new Set(ords).size).toBe(ords.length)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
    const seqs = calls.map(({ seq }) => seq!)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  })
})

describe('the sub-agent samples', () => {
  const subagentSamples = samples.filter(([, want]) => want.subagents > 0)

  it.each(subagentSamples)('%s links the sub-agent to its call and puts its steps right after it', (name) => {
    const { trace, entries } = readAll(sampleSources(name.replace('claude-code/', '')))
    const [first, bash, read] = entries.filter(({ kind }) => kind === 'call')
    expect([first!.seq, bash!.seq, read!.seq]).toEqual([1, 1.00001, 1.00002])
    expect([bash!.parentStepId, read!.parentStepId]).toEqual([first!.id, first!.id])
    expect(bash!.ord.startsWith(first!.ord)).toBe(true)
    expect(trace.subagents).toEqual([
      expect.objectContaining({
        parentStepId: first!.id,
        type: 'general-purpose',
        description: 'Find add()',
        toolCalls: 2,
        failedToolCalls: 0,
      }),
    ])
    expect(bash).toMatchObject({ tool: 'Bash', exitCode: 0, success: true, label: 'grep -n "function add" *.mjs' })
    expect(read).toMatchObject({ tool: 'Read', file: '/home/dev/project/calc.mjs', label: '/home/dev/project/calc.mjs' })
    expect(trace.files).toEqual([{ path: '/home/dev/project/calc.mjs', reads: 1, edits: 0, writes: 0, firstStepId: read!.id }])
  })
})

describe('the fix-test samples', () => {
  it.each(samples.filter(([name]) => name.endsWith('fix-test')))('%s has the outcome of every call', (name, want) => {
    const { entries, trace } = readAll(sampleSources(name.replace('claude-code/', '')))
    const calls = entries.filter(({ kind }) => kind === 'call')
    const failedRun = want.clientVersion === '1.0.128' ? null : 1
    expect(calls.map(({ tool, success, exitCode, edits }) => [tool, success, exitCode, edits])).toEqual([
      ['Bash', true, 0, false],
      ['Read', true, null, false],
      ['Read', true, null, false],
      ['Bash', false, failedRun, false],
      ['Edit', false, null, false],
      ['Edit', true, null, true],
      ['Bash', true, 0, false],
      ['Write', true, null, true],
      ['Grep', true, null, false],
      ['Bash', true, 0, false],
    ])
    expect(trace.turnList).toEqual([expect.objectContaining({ index: 0, toolCalls: 10, failedToolCalls: 2, firstSeq: 1, lastSeq: 10 })])
  })
})
