import { callsOf } from '../curate/candidate.ts'
import { languageIn, pathsIn, taskOf } from '../curate/facts.ts'
import type { BuiltExample } from '../examples/types.ts'
import type { Question } from './request.ts'

const SYSTEM =
  'You write requests that a developer could give to a coding agent. Answer with one request and nothing else: no introduction, no quotation marks, no explanation. Never answer a request.'

/** Used in turn, so that the tasks made from one example differ in kind. */
const ANGLES = [
  'of the same kind as the one below, about another part of the project',
  'for a defect that could be there, described by what a user sees',
  'for tests of something that the files below are likely to do',
  'for a small addition to what the files below are likely to do',
  'for a change of structure that leaves the behaviour as it is',
  'for something in how the project is built, checked, configured or documented',
]
const MAX_FILES = 12

/** What a new task resembles in a recorded solution. Uncleared. */
export interface TaskPattern {
  task: string
  language: string | null
  files: string[]
}

export function patternOf(example: Pick<BuiltExample, 'messages'>, prompt: string): TaskPattern {
  const calls = example.messages.flatMap(callsOf)
  const texts = calls.flatMap((call) => Object.values(call.function.arguments).filter((value) => typeof value === 'string'))
  return { task: taskOf(prompt), language: languageIn(texts), files: [...new Set(texts.flatMap(pathsIn))].slice(0, MAX_FILES) }
}

/** The request for one new task; `task` counts from 1. */
export function taskRequestFor(prompt: string, pattern: TaskPattern, task: number, model: string, maxTokens: number): Question {
  const angle = ANGLES[(task - 1) % ANGLES.length]!
  const round = Math.floor((task - 1) / ANGLES.length)
  const roundClause = round > 0 ? ` This is round ${round + 1}: choose something that is not the obvious next step.` : ''
  const projectFacts = [
    `kind of work: ${pattern.task}`,
    ...(pattern.language === null ? [] : [`language: ${pattern.language}`]),
    ...(pattern.files.length > 0 ? [`files: ${pattern.files.join(', ')}`] : []),
  ]
  return {
    model,
    system: SYSTEM,
    messages: [
      {
        role: 'user',
        content: `Below are a request that a developer gave in a project, and what is known of that project. Write another request that the same developer could have given there, ${angle}.${roundClause} It asks for different work, needs nothing that is not named, is complete in itself, says how one can tell that the work is done, and is written in the same language and manner.\n\n<project>\n${projectFacts.join('\n')}\n</project>\n\n<request>\n${prompt}\n</request>`,
      },
    ],
    maxTokens,
  }
}
