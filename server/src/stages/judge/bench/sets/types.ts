import type { BenchmarkName } from '#contracts/entities/benchmark.ts'
import type { ChatRequest } from '#server/adapters/llm/index.ts'

/** A row is not one of this set. The message completes "Row 3 …". */
export class WrongRow extends Error {}

export interface ToolText {
  name: string
  /** JSON text. */
  arguments: string
}

/** What a model answered, without its thoughts. */
export interface GivenAnswer {
  text: string
  calls: readonly ToolText[]
}

/** Python that is right if `test` runs to its end after `solution`. */
export interface Program {
  solution: string
  test: string
  /** What the set itself gives before the answer; its names are the set's own in the test, except `entry`. */
  given: string
  entry: string
}

export type Scored =
  | { verdict: 'pass' | 'fail' | 'not_scored'; extracted: string | null; reason: string | null; mark?: string }
  | { program: Program; extracted: string }

export type Ask = Pick<ChatRequest, 'system' | 'messages' | 'tools' | 'stop'>

export interface PartOf {
  name: string
  items: number
  /** Files of the hub's repository or of the package; a folder of the user may have them under these names, or under one of `or`. */
  files: readonly string[]
  or?: readonly (readonly string[])[]
}

/** What is known of a benchmark without its files. */
export interface About {
  name: BenchmarkName
  title: string
  measures: string
  metric: string
  form: string
  harness: string
  source: string
  /** A data set of the hub; null if it is somewhere else. */
  hub: string | null
  revision: string | null
  licence: string
  bytes: number | null
  parts: readonly [PartOf, ...PartOf[]]
  runsCode: boolean
  maxTokens: number
  /** How files come here if not from the hub, or why it cannot be run. */
  reason: string | null
  way: string | null
}

/** How the items of a benchmark are read, asked and scored: pure functions of a row. */
export interface Reading<Row> {
  /** The id and what is kept of a row. `texts`: the same row of each file. Throws `WrongRow`. */
  read: (texts: readonly unknown[], part: string) => { id: string; row: Row }
  ask: (row: Row, id: string) => Ask
  score: (row: Row, answer: GivenAnswer, id: string) => Scored
  /** The program of the set's own solution; null if it has none. */
  reference?: (row: Row) => Program | null
  /** What is compared with training data. */
  text: (row: Row) => string
  expected: (row: Row) => string
  /** Whether a text tries to call a function. */
  callIn?: (row: Row, text: string) => boolean
}

export interface Benchmarked<Row = unknown> {
  about: About
  /** Null if it cannot be run here. */
  reading: Reading<Row> | null
}

export const user = (content: string): Ask => ({ messages: [{ role: 'user', content }] })

/** Reads fields of a row; throws `WrongRow` for what is missing or of another type. */
export function fieldsOf(value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new WrongRow('is not an object')
  const row = value as Record<string, unknown>
  const need = <T>(name: string, what: string, is: (one: unknown) => one is T): T => {
    const found = row[name]
    if (!is(found)) throw new WrongRow(`has no "${name}" (${what})`)
    return found
  }
  const isText = (one: unknown): one is string => typeof one === 'string'
  const isTexts = (one: unknown): one is string[] => Array.isArray(one) && one.every(isText)
  return {
    row,
    text: (name: string): string => need(name, 'a text', isText),
    texts: (name: string): string[] => need(name, 'a list of texts', isTexts),
    /** A number or a text. */
    id: (name: string): string => String(need(name, 'an id', (one) => isText(one) || typeof one === 'number' || typeof one === 'bigint')),
    object: (name: string) => fieldsOf(row[name]),
    need,
  }
}
