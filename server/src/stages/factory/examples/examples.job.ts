import type { ExampleDetail } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import { withVariants } from '../augment/variants.ts'
import { clearExamples } from './clear.ts'
import { makeExamples } from './make.ts'
import type { ExamplesInput, ExamplesOutput } from './types.ts'

export interface ExamplesJobInput extends ExamplesInput {
  gate: GateInput
  /** `rows`: without bodies, for the review table. An id: only that example. */
  only?: 'rows' | { id: string }
}

export interface ExamplesJobOutput extends Pick<ExamplesOutput, 'segments' | 'excluded'> {
  examples: (Omit<ExampleDetail, 'createdAt'> & { sourceHash: string })[]
}

/** Characters of a prompt in the review table. */
const PROMPT_CHARS = 300

/** A session's segments and cleared examples. Null if there is no such trace. */
export default function examples(input: ExamplesJobInput): ExamplesJobOutput | null {
  const db = readOnlyOfThread(input.database)
  const withoutVariants = makeExamples(db, input)
  if (!withoutVariants) return null
  const output = withVariants(db, withoutVariants)
  const cleared = clearExamples(output, input.gate, typeof input.only === 'object' ? input.only.id : undefined)
  const hashes = new Map(output.examples.map(({ id, sourceHash }) => [id, sourceHash]))
  return {
    segments: output.segments,
    excluded: output.excluded,
    examples: cleared.map((example) => ({
      ...example,
      sourceHash: hashes.get(example.id)!,
      ...(input.only === 'rows' && {
        prompt: example.prompt.slice(0, PROMPT_CHARS),
        messages: [],
        tools: [],
        stepIds: [],
        trims: [],
        original: null,
        replacements: [],
      }),
    })),
  }
}
