import { STUDENT_NAME } from '#contracts/router-words.ts'
import type { RouteDecision, RouteRequest, RouteStudent } from '#contracts/entities/routing.ts'
import { compareVersions } from '../../factory/index.ts'
import type { ChosenStudent } from '../student.ts'
import type { createConversations, RouteChoice } from './conversations.ts'
import type { Form } from './form.ts'

export interface ChoiceDeps {
  chosen: () => ChosenStudent | null
  modelOf: (name: string) => string | null
  decide: (request: RouteRequest) => RouteDecision
  conversations: ReturnType<typeof createConversations>
}

/** From here on a missing verdict costs one action only, not the whole session. */
const PER_ACTION_CLIENT = '2.1.329'

const REASONS = {
  safety: "The client's own safety check stays with Claude.",
  fork: 'A fork goes on with the conversation of its parent, and stays there.',
  main: 'Conversations with the user stay with Claude.',
  agent: 'This agent works under a name of Claude.',
  auto_mode: `Before ${PER_ACTION_CLIENT}, one answer without a safety verdict changes the whole session in auto mode.`,
  named: 'The client asked for this model by its name.',
} as const

/** Decides for one request. A conversation that was decided once stays where it is. */
export function createChoice({ chosen, modelOf, decide, conversations }: ChoiceDeps) {
  const fixed = (to: RouteChoice['to'], cause: keyof typeof REASONS, student: RouteStudent | null = null): RouteChoice => ({
    to,
    cause,
    reason: REASONS[cause],
    strategy: 'teacher_only', // what was done, whatever the setting
    student,
    confidence: null,
    complexity: null,
    isAsked: false,
    fallback: false,
  })
  /** Whether a name is one of a student, of this one or of an earlier one. */
  const isStudents = (name: string): boolean => name.startsWith(STUDENT_NAME) && (chosen()?.name === name || modelOf(name) !== null)

  /** By the name that was asked for. */
  const named = (student: ChosenStudent | null): RouteChoice =>
    student
      ? { ...fixed('student', 'named', whoIs(student)), strategy: 'student_only' }
      : { ...fixed('teacher', 'named'), reason: 'Another program asked for Claude by its name; the request was translated.' }

  const choose = (form: Form): RouteChoice => {
    const student = chosen()
    const isNamed = isStudents(form.model)
    if (form.kind === 'safety' || form.kind === 'fork' || form.kind === 'main') return fixed('teacher', form.kind)
    if (form.kind === 'agent' && !isNamed) return fixed('teacher', 'agent')
    // A client whose version is not known is taken for an old one.
    if (form.isAuto && (form.client === null || compareVersions(form.client, PER_ACTION_CLIENT) < 0)) return fixed('teacher', 'auto_mode')
    if (isNamed) {
      return { ...fixed('student', 'named', student && whoIs(student)), strategy: 'student_only' }
    }
    const before = conversations.find(form)
    if (before) return before
    const { selectedModel, reason, strategy, student: decided, confidence, taskComplexity } = decide({ prompt: form.prompt })
    const choice: RouteChoice = {
      to: selectedModel,
      cause: 'strategy',
      reason,
      strategy,
      student: selectedModel === 'student' ? decided : null,
      confidence,
      complexity: taskComplexity,
      isAsked: false,
      fallback: false,
    }
    conversations.keep(form, choice)
    return choice
  }
  return Object.assign(choose, { named })
}

const whoIs = ({ modelId: id, label: name, certificate }: ChosenStudent): RouteStudent => ({ id, name, isProven: certificate !== null })
