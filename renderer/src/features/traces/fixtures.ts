import type { Step, TimelineRow } from '#contracts/entities/step.ts'
import type { Trace } from '#contracts/entities/trace.ts'

/** Builders for tests, with defaults of an ordinary session. */
let builtCount = 0
const next = () => String((builtCount += 1)).padStart(8, '0')

export function aRow(part: Partial<TimelineRow> = {}): TimelineRow {
  const position = next()
  return {
    id: `row-${position}`,
    position,
    kind: 'call',
    agent: 'main',
    tool: null,
    at: null,
    durationMs: null,
    success: null,
    label: null,
    abandoned: false,
    ...part,
  }
}

export function aStep(part: Partial<Step> = {}): Step {
  return {
    id: `step-${next()}`,
    seq: 1,
    at: '2026-11-21T04:43:57.000Z',
    endedAt: '2026-11-21T04:43:58.000Z',
    agent: 'main',
    parentStepId: null,
    tool: 'Bash',
    command: 'npm test',
    input: { command: 'npm test' },
    output: 'ok',
    outputBytes: 2,
    outputTruncated: false,
    success: true,
    exitCode: 0,
    isError: false,
    rejected: false,
    rejectedBy: null,
    answered: true,
    cwd: '/home/dev/project',
    repo: 'project',
    durationMs: 1000,
    messageId: null,
    promptId: null,
    file: null,
    patch: null,
    thinking: null,
    text: null,
    abandoned: false,
    byMod: false,
    ...part,
  }
}

export function aTrace(part: Partial<Trace> = {}): Trace {
  return {
    id: 'abcdefghijklmnopqrstuvwxyz',
    agent: 'claude-code',
    title: 'Fix the failing test',
    sessionId: '490ff9e4-f7a2-4c8e-8e8c-a6b6b6397fbe',
    repo: 'project',
    cwd: '/home/dev/project',
    gitBranch: 'main',
    startedAt: '2026-11-21T04:43:57.000Z',
    endedAt: '2026-11-21T04:53:57.000Z',
    models: ['claude-opus-5-5'],
    counts: { prompts: 1, abandonedTurns: 0, toolCalls: 10, failedToolCalls: 2, rejectedToolCalls: 0, subagents: 0, commits: 1 },
    tokens: { input: 10_800, output: 665, cacheRead: 7200, cacheWrite: 0 },
    costUsd: null,
    tier: 'silver',
    tierSource: 'policy',
    quality: 0.71,
    successRate: 0.8,
    verification: 'passed',
    unverified: false,
    tags: [],
    note: null,
    sample: false,
    taskId: null,
    answerScore: null,
    hooksOnly: false,
    state: 'ended',
    clientVersion: '2.1.329',
    turnCount: 1,
    durationMs: 600_000,
    activeMs: 300_000,
    waitingMs: 120_000,
    tierReason: 'tests passed',
    scoreVersion: 1,
    problems: 0,
    ...part,
  }
}
