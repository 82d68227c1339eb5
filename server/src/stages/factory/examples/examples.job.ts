import { readOnlyOfThread } from '#server/db/thread.ts'
import { makeExamples } from './make.ts'
import type { ExamplesInput, ExamplesOutput } from './types.ts'

/** A session's segments and examples, bodies read from the archive. Null when there is no such trace. */
export default function examples(input: ExamplesInput): ExamplesOutput | null {
  return makeExamples(readOnlyOfThread(input.database), input)
}
