import { createHash } from 'node:crypto'
import type { Database } from '#server/db/open.ts'
import { exampleId } from '../examples/id.ts'
import { readOwn, withOwn } from '../examples/own.ts'
import type { BuiltExample, ExamplesOutput } from '../examples/types.ts'
import { promptIndex } from './subject.ts'

interface Row {
  id: string
  parent_id: string
  parent_hash: string
  prompt: string
  model: string
}

/** The same for the same request, so that a run that is gone on with makes no second one. */
export const variantId = (traceId: string, requestKey: string): string => exampleId(traceId, `variant\0${requestKey}`, 1)

/** Adds, after each example, what was made of it: the same solution under another prompt. Worker side. */
export function withVariants(db: Database, output: ExamplesOutput): ExamplesOutput {
  const rows = db
    .prepare<[string], Row>(
      'SELECT id, parent_id, parent_hash, prompt, model FROM example_variants WHERE trace_id = ? ORDER BY created_at, id',
    )
    .all(output.trace.id)
  if (rows.length === 0) return output
  const own = readOwn(db, output.trace.id)
  const of = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const examples = output.examples.flatMap((parent) => [
    parent,
    ...(of.get(parent.id) ?? []).flatMap((row) => {
      const at = promptIndex(parent.messages)
      return at < 0 ? [] : [withOwn(variantOf(parent, row, at), own)]
    }),
  ])
  return { ...output, examples }
}

function variantOf(parent: BuiltExample, row: Row, at: number): Omit<BuiltExample, 'state' | 'edited' | 'original'> {
  const { state: _state, edited: _edited, original: _original, ...rest } = parent
  const messages = parent.messages.map((message, index) => (index === at ? { ...message, content: row.prompt } : message))
  return {
    ...rest,
    id: row.id,
    parentId: parent.id,
    generatedBy: row.model,
    prompt: row.prompt,
    messages,
    flags: [
      ...parent.flags.filter((flag) => flag !== 'edited' && flag !== 'edit_outdated'),
      'generated',
      ...(row.parent_hash === parent.sourceHash ? [] : ['parent_changed']),
    ].toSorted(),
    sourceHash: createHash('sha256').update(JSON.stringify(messages)).digest('hex'),
  }
}
