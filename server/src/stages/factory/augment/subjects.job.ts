import { readOnlyOfThread } from '#server/db/thread.ts'
import { openGate } from '#server/stages/privacy/index.ts'
import { textOfMessage } from '../curate/text.ts'
import { makeExamples } from '../examples/make.ts'
import type { BuiltExample } from '../examples/types.ts'
import { namesToKeep } from './check.ts'
import { requestFor, requestKey, type Question } from './request.ts'
import { swapsBetween } from './restore.ts'
import { promptIndex, reasonToSkip, type Subject, type Subjects, type SubjectsInput } from './subject.ts'
import { patternOf, taskRequestFor } from './task-request.ts'

/** Builds the cleared requests for the chosen examples of a session. */
export default function subjects(input: SubjectsInput): Subjects {
  const { archive, traceId, options, make, requestCounts, provider, model, maxOutputTokens } = input
  const output = makeExamples(readOnlyOfThread(input.database), { archive, traceId, options })
  const gate = openGate(input.gateInput)
  const result: Subjects = { subjects: [], passedOver: [] }
  for (const { exampleId, requests } of requestCounts) {
    const example = output?.examples.find(({ id }) => id === exampleId)
    const reason = example ? reasonToSkip(example) : 'session changed'
    if (!output || !example || reason !== null) {
      result.passedOver.push({ exampleId, requests, reason: reason! })
      continue
    }
    const at = promptIndex(example.messages)
    const prompt = example.messages[at]!.content
    const context = { traceId, project: output.trace.repo, stepId: example.stepIds[at] ?? null }
    const maker = make === 'tasks' ? taskRequests(example, prompt) : variantRequests(example, prompt, at)
    const asks = Array.from({ length: requests }, (_, index): Subject['asks'][number] => {
      const request = gate.clearRequest(maker.request(index + 1, model, maxOutputTokens), context)
      return { variant: index + 1, key: requestKey(provider, request, exampleId, index + 1), request }
    })
    const swaps = swapsBetween(maker.sessionText, gate.clear(maker.sessionText, context))
    result.subjects.push({ exampleId, traceId, sourceHash: example.sourceHash, prompt, keep: maker.keep, swaps, asks })
  }
  return result
}

interface RequestMaker {
  keep: string[]
  /** The session's text in the request, uncleared; compared with the cleared text to undo replacements in the answer. */
  sessionText: string
  request: (nth: number, model: string, maxTokens: number) => Question
}

function taskRequests(example: BuiltExample, prompt: string): RequestMaker {
  const pattern = patternOf(example, prompt)
  return {
    keep: [],
    sessionText: [...pattern.files, prompt].join('\n'),
    request: (nth, model, maxTokens) => taskRequestFor(prompt, pattern, nth, model, maxTokens),
  }
}

function variantRequests(example: BuiltExample, prompt: string, at: number): RequestMaker {
  const solution = example.messages.slice(at + 1).map(textOfMessage)
  const keep = namesToKeep(prompt, solution.join('\n'))
  return { keep, sessionText: prompt, request: (nth, model, maxTokens) => requestFor(prompt, keep, nth, model, maxTokens) }
}
