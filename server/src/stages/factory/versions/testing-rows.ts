import type { DatasetKind } from '#contracts/entities/dataset.ts'
import { DatasetRecipe } from '#contracts/entities/dataset.ts'
import { PrivacyPolicy } from '#contracts/entities/privacy.ts'
import type { Core } from '#server/core.ts'
import { NO_DECISIONS } from '#server/stages/privacy/index.ts'
import type { Candidate, DataRow, RowReader, RowSource } from '../curate/candidate.ts'
import { mix32 } from '#server/likeness/word-hashes.ts'
import { createDatasets, type DatasetsDeps } from './service.ts'

/** Ids of made-up sessions, for tests and benchmarks. */
export const traceIdOf = (n: number) =>
  `t${String(n).padStart(25, 'a')}`.replaceAll(/[01589]/g, (digit) => 'bcdef'['01589'.indexOf(digit)]!)

const WORDS =
  'error test build route handler index parse cache token stream worker commit branch merge deploy schema query filter render state'.split(
    ' ',
  )

/** Random words: texts of different seeds hardly ever share two consecutive words. */
export const textOf = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, index) => {
    const random = mix32(Math.imul(seed + 1, 0x9e3779b1) + index)
    return `${WORDS[random % WORDS.length]}${(random >>> 8) % 97}`
  }).join(' ')

export function testRow(kind: DatasetKind, session: number, index: number, words = 40): DataRow {
  const seed = session * 100 + index
  const prompt = [{ role: 'user' as const, content: `Fix task ${seed}: ${textOf(seed, 12)}` }]
  const call = {
    id: `call_${seed}`,
    type: 'function' as const,
    function: { name: 'Bash', arguments: { command: `npm test -- ${textOf(seed + 3, 6)}` } },
  }
  const answer = (more: string) => [
    { role: 'assistant' as const, content: '', tool_calls: [call] },
    { role: 'tool' as const, content: textOf(seed + 1, words), tool_call_id: call.id, name: 'Bash' },
    { role: 'assistant' as const, content: `Done ${more} ${textOf(seed + 2, words)}` },
  ]
  const tools = [
    {
      type: 'function' as const,
      function: {
        name: 'Bash',
        description: 'Runs a command',
        parameters: { type: 'object', properties: { command: { type: 'string' } } },
      },
    },
  ]
  if (kind === 'dpo') return { prompt, chosen: answer('well'), rejected: answer('badly'), tools }
  if (kind === 'kto') return { prompt, completion: answer('well'), label: index % 2 === 0, tools }
  if (kind === 'sft') return { messages: [{ role: 'system', content: 'You are a coding agent.' }, ...prompt, ...answer('')], tools }
  return { prompt, tools }
}

interface Piece {
  kind: DatasetKind
  sessions: string[]
  perSession: number
  words: number
  more: Candidate[]
}

export const reader: RowReader = {
  *rows(piece) {
    const { kind, sessions, perSession, words, more } = piece as Piece
    yield { kind: 'counted', segments: sessions.length * perSession, candidateCount: sessions.length * perSession + more.length }
    for (const traceId of sessions) {
      const session = sessionOf(traceId)
      for (let index = 0; index < perSession; index += 1) {
        const row = testRow(kind, session, index, words)
        yield {
          kind: 'row',
          candidate: testCandidate({
            id: `x-${session}-${index}`,
            traceIds: [traceId],
            row,
            at: session * 1000,
            quality: 0.75 + (session % 5) / 20,
          }),
        }
      }
    }
    for (const candidate of more) yield { kind: 'row', candidate }
  },
}

export const testCandidate = (more: Partial<Candidate> & Pick<Candidate, 'id' | 'row'>): Candidate => ({
  traceIds: [],
  group: null,
  stepIds: [],
  segmentId: null,
  repo: 'api',
  tier: 'gold',
  quality: 0.9,
  scoreVersion: 1,
  at: 0,
  ...more,
})

const sessionOf = (traceId: string) => sessionNumbers.get(traceId) ?? fill(traceId)
const sessionNumbers = new Map<string, number>()
function fill(traceId: string): number {
  for (let n = sessionNumbers.size; !sessionNumbers.has(traceId); n += 1) sessionNumbers.set(traceIdOf(n), n)
  return sessionNumbers.get(traceId)!
}

export interface TestRows {
  sessions: number
  perSession: number
  words?: number
  more?: Candidate[]
  kinds?: DatasetKind[]
}

/** The data set service with made-up sessions. Tests may change `policy` between calls. */
export function testDatasets(core: Core, rows: TestRows, overrides: Partial<DatasetsDeps> = {}) {
  const policy = { policy: PrivacyPolicy.parse({}), policyHash: 'policy-1', decisions: NO_DECISIONS, valueKey: Buffer.alloc(32, 7) }
  const ids = Array.from({ length: rows.sessions }, (_, n) => traceIdOf(n))
  const source: RowSource = {
    kinds: rows.kinds ?? ['sft', 'dpo', 'kto', 'prompts'],
    module: import.meta.url,
    plan: (chosen, { kind }) =>
      Array.from({ length: Math.ceil(chosen.length / 500) }, (_, at): Piece => ({
        kind,
        sessions: chosen.slice(at * 500, (at + 1) * 500),
        perSession: rows.perSession,
        words: rows.words ?? 40,
        more: at === 0 ? (rows.more ?? []) : [],
      })),
  }
  const deps: DatasetsDeps = {
    traces: {
      ids: async () => ids,
      trace: () => ({ quality: 0.8, tags: [], tier: 'gold', tierSource: 'policy', unverified: false, taskId: null, models: [] }),
      families: async () => [],
      detail: (id) => ({ raw: { sha256: `sha-${id}` } }),
    },
    sources: [source],
    policy: () => ({ ...policy }),
    tokenizer: () => null,
    scoreVersion: 1,
    codeVersion: '0.1.0',
    ...overrides,
  }
  const datasets = createDatasets(core, deps)
  const build = async (recipe: Record<string, unknown> = {}) => {
    const job = await core.jobs.wait(datasets.build(DatasetRecipe.parse({ kind: 'sft', name: 'fixes', ...recipe })).id)
    return job
  }
  return { datasets, build, policy, ids, deps }
}
