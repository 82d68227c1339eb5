import { traceId as traceIdOf } from '#server/stages/capture/index.ts'
import type { ArchiveChange } from '#server/stages/capture/types.ts'
import type { DeriveOutput, DerivedTrace, EntryRow } from './derived.ts'
import { RowPacker } from './slices.ts'

/** For tests and benchmarks: rows as a reader would make them. */
export const testId = (session: string) => traceIdOf('claude-code', session)

export function testChange(session: string, over: Partial<ArchiveChange> = {}): ArchiveChange {
  const traceId = testId(session)
  return {
    traceId,
    agent: 'claude-code',
    sessionId: session,
    sample: false,
    traceDir: `/nowhere/claude-code/${traceId}`,
    isNew: true,
    bytes: 1000,
    reason: 'live',
    jobId: null,
    ...over,
  }
}

export function testEntry(traceId: string, index: number, over: Partial<EntryRow> = {}): EntryRow {
  const location = { source: 'main-00000000', generation: 1, offset: index * 100, length: 100, block: 0 }
  return {
    id: `${traceId}:toolu_${index}`,
    ord: index.toString(16).padStart(8, '0'),
    kind: 'call',
    asks: null,
    abandoned: false,
    byMod: false,
    seq: index,
    agent: 'main',
    parentStepId: null,
    at: 1_760_000_000_000 + index * 1000,
    endedAt: 1_760_000_000_500 + index * 1000,
    label: `npm run step-${index}`,
    tool: 'Bash',
    toolUseId: `toolu_${index}`,
    success: true,
    exitCode: null,
    isError: false,
    rejectedBy: null,
    answered: true,
    file: null,
    edits: false,
    outputBytes: 20,
    cwd: '/home/ada/api',
    messageId: `msg_${index}`,
    promptId: null,
    model: 'claude-sonnet-4-5-20250929',
    location,
    result: { ...location, offset: index * 100 + 50, length: 50 },
    spill: null,
    sharedKey: `toolu_${traceId}_${index}`,
    ...over,
  }
}

export interface TestSession {
  session: string
  entries?: EntryRow[]
  trace?: Partial<DerivedTrace>
  responses?: DeriveOutput['responses']
  analyses?: Record<string, unknown>
  version?: string
}

export function testOutput({ session, entries, trace, responses, analyses, version }: TestSession): DeriveOutput {
  const traceId = testId(session)
  const rows = entries ?? [1, 2, 3].map((index) => testEntry(traceId, index))
  const calls = rows.filter((row) => row.kind === 'call')
  const tools: Record<string, number> = {}
  for (const { tool } of calls) tools[tool!] = (tools[tool!] ?? 0) + 1
  return {
    version: version ?? 'v1',
    complete: true,
    trace: {
      traceId,
      agent: 'claude-code',
      sessionId: session,
      title: `Session ${session}`,
      firstPrompt: 'fix the test',
      cwd: '/home/ada/api',
      repo: 'api',
      gitBranch: 'main',
      clientVersion: '2.0.1',
      startedAt: 1_760_000_000_000,
      endedAt: 1_760_000_600_000,
      activeMs: 300_000,
      waitingMs: 120_000,
      state: 'ended',
      models: ['claude-sonnet-4-5-20250929'],
      counts: {
        prompts: 1,
        abandonedTurns: 0,
        toolCalls: calls.length,
        failedToolCalls: calls.filter((row) => row.success === false).length,
        rejectedToolCalls: 0,
        subagents: 0,
        commits: 0,
      },
      turns: 1,
      tools,
      tokensByModel: { 'claude-sonnet-4-5-20250929': { input: 1000, output: 200, cacheRead: 0, cacheWrite: 0 } },
      hooksOnly: false,
      turnList: [],
      subagents: [],
      files: [],
      problems: [],
      problemCount: 0,
      ...trace,
    },
    entries: rows,
    removed: [],
    responses: responses ?? [
      {
        key: `msg_${traceId}\0req`,
        model: 'claude-sonnet-4-5-20250929',
        agent: 'main',
        input: 1000,
        output: 200,
        cacheRead: 0,
        cacheWrite: 0,
      },
    ],
    analyses: analyses ?? {},
    records: rows.length,
    steps: calls.length,
    errors: [],
  }
}

/** The output as it arrives from another thread. */
export function packed({ entries, responses, ...output }: DeriveOutput): { output: DeriveOutput; buffers: ArrayBuffer[] } {
  const rows = new RowPacker(output.trace.traceId)
  for (const row of entries) rows.entry(row)
  for (const row of responses) rows.response(row)
  const buffers: ArrayBuffer[] = []
  return { output: { ...output, entries: [], responses: [], packed: rows.finish(buffers) }, buffers }
}
