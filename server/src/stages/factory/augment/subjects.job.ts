import { readOnlyOfThread } from '#server/db/thread.ts'
import { openGate } from '#server/stages/privacy/index.ts'
import { textOfMessage } from '../curate/text.ts'
import { makeExamples } from '../examples/make.ts'
import { namesToKeep } from './check.ts'
import { requestFor, requestKey } from './request.ts'
import { swapsBetween } from './restore.ts'
import { promptIndex, reasonToPass, type Subject, type Subjects, type SubjectsInput } from './subject.ts'

/** The chosen examples of a session with their requests, cleared by the gate. */
export default function subjects(input: SubjectsInput): Subjects {
  const { archive, traceId, options, exampleIds, provider, model, variants, maxOutputTokens } = input
  const output = makeExamples(readOnlyOfThread(input.database), { archive, traceId, options })
  const gate = openGate(input.gate)
  const found: Subjects = { subjects: [], passedOver: [] }
  for (const exampleId of exampleIds) {
    const example = output?.examples.find(({ id }) => id === exampleId)
    const reason = example ? reasonToPass(example) : 'the session changed'
    if (!output || !example || reason !== null) {
      found.passedOver.push({ exampleId, reason: reason! })
      continue
    }
    const at = promptIndex(example.messages)
    const prompt = example.messages[at]!.content
    const context = { traceId, project: output.trace.repo, stepId: example.stepIds[at] ?? null }
    const keep = namesToKeep(
      prompt,
      example.messages
        .slice(at + 1)
        .map(textOfMessage)
        .join('\n'),
    )
    const asks = Array.from({ length: variants }, (_, index): Subject['asks'][number] => {
      const request = gate.clear(requestFor(prompt, keep, index + 1, model, maxOutputTokens), context)
      return { variant: index + 1, key: requestKey(provider, request, exampleId, index + 1), request }
    })
    const swaps = swapsBetween(prompt, gate.clear(prompt, context))
    found.subjects.push({ exampleId, traceId, sourceHash: example.sourceHash, prompt, keep, swaps, asks })
  }
  return found
}
