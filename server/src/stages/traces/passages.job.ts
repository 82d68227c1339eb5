import type { TranscriptItem } from '#contracts/entities/step.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { Passage, PassageReader } from './types.ts'
import { readWhole } from './whole.ts'

export interface PassagesInput {
  database: string
  archive: string
  traceId: string
  /** Only entries that are new or different since this revision; -1: all. */
  afterRev: number
  /** Address of a module that exports `reader: PassageReader`. */
  module: string
  options: unknown
  /** Entries known to the caller; deleted ones are listed in `deleted`. */
  known?: readonly string[]
}

export interface PassagesOutput {
  rev: number
  chars: number
  entries: string[]
  deleted: string[]
  found: unknown[]
}

/** Passes every text of a session to a reader of another stage in this thread. Null if the trace does not exist. */
export default async function passages(input: PassagesInput, { signal }: Pick<JobContext, 'signal'>): Promise<PassagesOutput | null> {
  const { reader } = (await import(input.module)) as { reader: PassageReader }
  const whole = readWhole(readOnlyOfThread(input.database), input.archive, input.traceId, { afterRev: input.afterRev })
  if (!whole) return null
  const deleted = (input.known ?? []).filter((entryId) => !whole.has(entryId))
  const output: PassagesOutput = { rev: whole.rev, chars: 0, entries: [], deleted, found: [] }
  for (const items of whole.items) {
    signal.throwIfAborted()
    for (const item of items) {
      output.entries.push(item.id)
      for (const passage of passagesOf(item)) {
        output.chars += passage.text.length
        output.found.push(...reader.read(passage, input.options))
      }
    }
  }
  return output
}

/** The texts of an item: its text, each string of a call's input with its JSON pointer, and the result. */
export function passagesOf(item: TranscriptItem): Passage[] {
  if (item.kind !== 'step') {
    return item.text === ''
      ? []
      : [{ entryId: item.id, kind: item.kind, tool: null, file: null, at: item.at, part: 'body', path: '', text: item.text }]
  }
  const { step } = item
  const common = { entryId: item.id, kind: 'step' as const, tool: step.tool, file: step.file, at: step.at }
  const body = [...stringsOf(step.input, '')].map(([path, text]) => ({ ...common, part: 'body' as const, path, text }))
  return step.output ? [...body, { ...common, part: 'result', path: '', text: step.output }] : body
}

function* stringsOf(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value === 'string') {
    if (value !== '') yield [path, value]
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* stringsOf(inner, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
}
