import { hash } from 'node:crypto'
import type { AugmentPlan } from '#contracts/entities/augment.ts'
import type { Database } from '#server/db/open.ts'
import { exampleId } from '../examples/id.ts'
import { readUserChanges, withUserChanges } from '../examples/user-changes.ts'
import { charsOf, charsPerToken, estimate } from '../examples/tokens.ts'
import type { BuiltExample, ExamplesOutput } from '../examples/types.ts'
import { promptIndex } from './subject.ts'

interface Row {
  id: string
  parent_id: string
  parent_hash: string
  prompt: string
  model: string
  made: AugmentPlan['make']
}

/** Depends only on the request, so a resumed run does not add a second variant. */
export const variantId = (traceId: string, requestKey: string): string => exampleId(traceId, `variant\0${requestKey}`, 1)

/** Inserts the generated examples after their parents: variants with the same solution, or new prompts without one. For workers. */
export function withVariants(db: Database, output: ExamplesOutput): ExamplesOutput {
  const rows = db
    .prepare<[string], Row>(
      'SELECT id, parent_id, parent_hash, prompt, model, made FROM example_variants WHERE trace_id = ? ORDER BY created_at, id',
    )
    .all(output.trace.id)
  if (rows.length === 0) return output
  const userChanges = readUserChanges(db, output.trace.id)
  const rowsByParent = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const examples = output.examples.flatMap((parent) => [
    parent,
    ...(rowsByParent.get(parent.id) ?? []).flatMap((row) => {
      const at = promptIndex(parent.messages)
      return at < 0 ? [] : [withUserChanges(row.made === 'tasks' ? taskOf(parent, row, at) : variantOf(parent, row, at), userChanges)]
    }),
  ])
  return { ...output, examples }
}

type GeneratedExample = Omit<BuiltExample, 'state' | 'edited' | 'original'>

function variantOf(parent: BuiltExample, row: Row, at: number): GeneratedExample {
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
    sourceHash: hashOf(messages),
  }
}

/** A new prompt without a solution, after its parent's system message. */
function taskOf(parent: BuiltExample, row: Row, at: number): GeneratedExample {
  const keptMessages = parent.messages.flatMap((message, index) =>
    index === at || (index < at && message.role === 'system') ? [{ message, stepId: parent.stepIds[index] ?? null }] : [],
  )
  const messages = keptMessages.map(({ message }) => (message.role === 'user' ? { ...message, content: row.prompt } : message))
  const { tools } = parent
  return {
    ...parent,
    id: row.id,
    parentId: parent.id,
    generatedBy: row.model,
    prompt: row.prompt,
    turns: 0,
    steps: 0,
    tokens: estimate(charsOf(messages) + JSON.stringify(tools).length, messages.length, charsPerToken(row.prompt)),
    flags: ['generated', 'no_solution', ...(row.parent_hash === parent.sourceHash ? [] : ['parent_changed'])].toSorted(),
    messages,
    stepIds: keptMessages.map(({ stepId }) => stepId),
    trims: [],
    sourceHash: hashOf(messages),
  }
}

const hashOf = (messages: BuiltExample['messages']) => hash('sha256', JSON.stringify(messages))
