import { readOnlyOfThread } from '#server/db/thread.ts'
import { openGate } from '#server/stages/privacy/index.ts'
import { textOfMessage } from '../curate/text.ts'
import { makeExamples } from '../examples/make.ts'
import type { BuiltExample } from '../examples/types.ts'
import { namesToKeep } from './check.ts'
import { requestFor, requestKey, type Question } from './request.ts'
import { swapsBetween } from './restore.ts'
import { promptIndex, reasonToPass, type Subject, type Subjects, type SubjectsInput } from './subject.ts'
import { patternOf, taskRequestFor } from './task-request.ts'

/** The chosen examples of a session with their requests, cleared by the gate. */
export default function subjects(input: SubjectsInput): Subjects {
  const { archive, traceId, options, make, wanted, provider, model, maxOutputTokens } = input
  const output = makeExamples(readOnlyOfThread(input.database), { archive, traceId, options })
  const gate = openGate(input.gate)
  const found: Subjects = { subjects: [], passedOver: [] }
  for (const { exampleId, requests } of wanted) {
    const example = output?.examples.find(({ id }) => id === exampleId)
    const reason = example ? reasonToPass(example) : 'session changed'
    if (!output || !example || reason !== null) {
      found.passedOver.push({ exampleId, requests, reason: reason! })
      continue
    }
    const at = promptIndex(example.messages)
    const prompt = example.messages[at]!.content
    const context = { traceId, project: output.trace.repo, stepId: example.stepIds[at] ?? null }
    const asking = make === 'tasks' ? askingForTasks(example, prompt) : askingForVariants(example, prompt, at)
    const asks = Array.from({ length: requests }, (_, index): Subject['asks'][number] => {
      const request = gate.clearRequest(asking.request(index + 1, model, maxOutputTokens), context)
      return { variant: index + 1, key: requestKey(provider, request, exampleId, index + 1), request }
    })
    const swaps = swapsBetween(asking.sessionText, gate.clear(asking.sessionText, context))
    found.subjects.push({ exampleId, traceId, sourceHash: example.sourceHash, prompt, keep: asking.keep, swaps, asks })
  }
  return found
}

interface Asking {
  keep: string[]
  /** The text about the session for a model, uncleared: stand-ins in its answer replace parts of this. */
  sessionText: string
  request: (nth: number, model: string, maxTokens: number) => Question
}

function askingForTasks(example: BuiltExample, prompt: string): Asking {
  const pattern = patternOf(example, prompt)
  return {
    keep: [],
    sessionText: [...pattern.files, prompt].join('\n'),
    request: (nth, model, maxTokens) => taskRequestFor(prompt, pattern, nth, model, maxTokens),
  }
}

function askingForVariants(example: BuiltExample, prompt: string, at: number): Asking {
  const solution = example.messages.slice(at + 1).map(textOfMessage)
  const keep = namesToKeep(prompt, solution.join('\n'))
  return { keep, sessionText: prompt, request: (nth, model, maxTokens) => requestFor(prompt, keep, nth, model, maxTokens) }
}
