import { randomUUID } from 'node:crypto'
import type { DerivedTrace, DeriveOutput, EntryRow, ResponseRow } from '../../derived.ts'
import type { OutputOptions, ReaderAnalyser } from '../reader.ts'
import type { Arranged } from './arrange.ts'
import type { Placed } from './model.ts'
import { isSamePlace } from './rows.ts'

export interface OutputInput {
  since: string | null
  trace: DerivedTrace
  arranged: Arranged
  responses: ResponseRow[]
  analysers: readonly ReaderAnalyser[]
  rowOf: (placed: Placed) => EntryRow
  /** Archive positions changed for rows already returned. */
  isMoved: boolean
  /** Lines read so far. */
  lines: number
  errors: DeriveOutput['errors']
  options: OutputOptions
}

/** Remembers the last output of a reader, so that the next one has only what changed. */
export class Outputs {
  private readonly readerId = randomUUID()
  private count = 0
  private last: { version: string; ids: string[]; responses: Map<string, string>; contradictions: number } | null = null

  make(parts: OutputInput): DeriveOutput {
    const { since, arranged, responses, lines } = parts
    const { rows, isLast = false } = parts.options
    const isGrowth = this.last !== null && since === this.last.version
    const isAllDirty = !isGrowth || parts.isMoved || arranged.contradictions.length !== this.last!.contradictions
    const entries: EntryRow[] = []
    const removedIds = new Set(isGrowth ? this.last!.ids : [])
    const ids: string[] = []
    for (const placed of arranged.placed) {
      const { entry } = placed
      if (isAllDirty || entry.isDirty || !entry.lastOutput || !isSamePlace(entry.lastOutput.placed, placed)) {
        const row = parts.rowOf(placed)
        if (rows) rows.entry(row)
        else entries.push(row)
        removedIds.delete(row.id)
        if (isLast) continue
        entry.lastOutput = { id: row.id, placed }
        entry.isDirty = false
      }
      ids.push(entry.lastOutput.id)
      removedIds.delete(entry.lastOutput.id)
    }
    const figuresByKey = new Map<string, string>()
    if (!isLast || isGrowth) for (const row of responses) figuresByKey.set(row.key, figuresOf(row))
    const changedResponses = isGrowth
      ? responses.filter((row) => this.last!.responses.get(row.key) !== figuresByKey.get(row.key))
      : responses
    if (rows) for (const row of changedResponses) rows.response(row)
    const steps = arranged.placed.reduce((sum, { entry }) => sum + (entry.kind === 'call' ? 1 : 0), 0)
    const previousCounts = countsIn(since)
    const output: DeriveOutput = {
      version: `${this.readerId}.${(this.count += 1)}.${lines}.${steps}`,
      complete: !isGrowth,
      trace: parts.trace,
      entries,
      removed: [...removedIds],
      responses: rows ? [] : changedResponses,
      analyses: analysesOf(parts),
      records: Math.max(0, lines - previousCounts.lines),
      steps: Math.max(0, steps - previousCounts.steps),
      errors: parts.errors,
    }
    this.last = isLast ? null : { version: output.version, ids, responses: figuresByKey, contradictions: arranged.contradictions.length }
    return output
  }
}

const figuresOf = (row: ResponseRow): string =>
  [
    row.model,
    row.agent,
    row.input,
    row.output,
    row.cacheRead,
    row.cacheWrite,
    row.cacheWrite1h,
    row.webSearches,
    row.isFast,
    row.messageId,
    row.at,
  ].join(' ')

function analysesOf({ arranged, analysers }: OutputInput): Record<string, unknown> {
  const calls = arranged.placed.filter(({ entry }) => entry.kind === 'call')
  return Object.fromEntries(
    analysers.map(({ analyser, options }, index) => {
      const facts = calls.flatMap(({ entry, abandoned }) => (entry.call!.facts && !abandoned ? [entry.call!.facts[index]] : []))
      return [analyser.name, analyser.analyseTrace(facts, options, calls.length)]
    }),
  )
}

/** A version includes the counts so far, so that a new reader counts only growth. */
function countsIn(version: string | null): { lines: number; steps: number } {
  const [lines, steps] = (version ?? '').split('.').slice(2).map(Number)
  return { lines: lines ?? 0, steps: steps ?? 0 }
}
