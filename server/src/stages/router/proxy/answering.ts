import type { RouteCause } from '#contracts/entities/routing.ts'
import { STUDENT_NAME } from '#contracts/router-words.ts'
import type { ModAnswer } from '#contracts/entities/router.ts'
import { Untranslatable } from '#server/adapters/llm/index.ts'
import { type Asked, CLIENT_ENDED, type Passed, type ProxyResponse } from '#server/adapters/llm-proxy/index.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import type { ChosenStudent } from '../student.ts'
import { type ChoiceDeps, createChoice } from './choice.ts'
import type { RouteChoice } from './conversations.ts'
import { createChatFront } from './chat-front.ts'
import { type Form, formOf } from './form.ts'
import { NoAnswer } from '../../agents/index.ts'
import {
  askFor,
  failureOf,
  holdOpen,
  requestFor,
  sendAnswer,
  sendFailure,
  sendThreadRefusal,
  type StudentAnswerDeps,
  waitOf,
} from './student-answer.ts'

export interface AnsweringDeps extends ChoiceDeps, StudentAnswerDeps {
  /** Why the student takes no conversation now although it may be used; null if it does. */
  barrier: () => string | null
}

/** Only these are steps of a conversation. */
const STEP = '/v1/messages'
/** How long a reason is last again to a client that asks again. */
const REMEMBERED_MS = 60_000
const MOST_REMEMBERED = 200

/** Answers requests of the student instead of passing them on. */
export function createAnswering(deps: AnsweringDeps) {
  const choose = createChoice(deps)
  const choices = new WeakMap<Passed, RouteChoice>()
  const forms = new WeakMap<Passed, { form: Form; body: unknown }>()
  /** Of turns that had begun to be answered: the client asks these again at once. */
  const failed = new Map<string, { reason: string; at: number }>()

  /** Null: passed on, as everything is without a student. */
  function turnOf({ path, method, headers, body, passed }: Asked): { form: Form; choice: RouteChoice; body: unknown } | null {
    if (method !== 'POST' || path.split('?', 1)[0] !== STEP || deps.chosen() === null) return null
    const given = jsonOf(body.toString('utf8'))
    const form = formOf(headers, given)
    if (form === null) return null
    const choice = { ...choose(form) }
    choices.set(passed, choice)
    forms.set(passed, { form, body: given })
    return { form, choice, body: given }
  }

  /** The student for a turn; throws why it does not take it. */
  function studentFor(cause: RouteCause, asked: string | undefined): ChosenStudent {
    const student = deps.chosen()
    if (student === null) throw new NoAnswer('no model is chosen in Settings → Model in Claude Code of Bash Gym.')
    if (!student.isUsable) throw new NoAnswer(`${student.label} may not be used. ${student.reason}`)
    if (asked !== undefined && asked !== student.modelId)
      throw new NoAnswer(`this conversation began with another model; now ${student.label} is chosen. Start a new one.`)
    const barred = cause === 'named' ? null : deps.barrier()
    if (barred !== null) throw new NoAnswer(barred)
    return student
  }

  const chat = createChatFront({
    ...deps,
    studentNamed(name) {
      if (!name.startsWith(STUDENT_NAME)) return null
      const student = studentFor('named', undefined)
      if (student.name === name || deps.modelOf(name) === student.modelId) return student
      throw new NoAnswer(`there is no model ${name} here; ${student.name} is chosen.`)
    },
    goes(passed, to) {
      const choice = choose.named(to)
      choices.set(passed, choice)
      return choice
    },
  })

  async function answer(asked: Asked, response: ProxyResponse): Promise<boolean> {
    if (await chat(asked, response)) return true
    const turn = turnOf(asked)
    if (turn?.choice.to !== 'student') return false
    const { form, choice, body } = turn
    const { passed, signal } = asked
    const isStream = (body as { stream?: unknown }).stream === true
    const again = `${form.key} ${form.answers}`
    // Claude can answer under its own name only. Until an answer is whole nothing is sent then, so that Claude's can be passed on as it is.
    const isAlone = choice.cause === 'named'
    const patienceMs = isAlone ? deps.patienceMs.alone : deps.patienceMs.withTeacher
    const startedAt = performance.now()
    let opened: { stop: () => void } | null = null
    let given: ModAnswer
    let student: ChosenStudent
    try {
      const last = failed.get(again)
      if (last && Date.now() - last.at < REMEMBERED_MS) throw new NoAnswer(last.reason)
      student = studentFor(choice.cause, (isAlone ? deps.modelOf(form.model) : choice.student?.id) ?? undefined)
      const request = requestFor({ body, student }, deps.contextOf(student))
      passed.model = student.name
      choice.isAsked = true
      opened = isAlone && isStream ? holdOpen(response, deps.holdMs) : null
      given = await askFor(deps, { student, signal }, request, patienceMs)
    } catch (error) {
      opened?.stop()
      if (signal.aborted) {
        passed.error = CLIENT_ENDED
        return true
      }
      if (isAlone && error instanceof Untranslatable && error.kind === 'thread') {
        sendThreadRefusal(response, passed)
        return true
      }
      const reason = failureOf(error, patienceMs)
      if (!isAlone) {
        const left: RouteChoice = { ...choice, to: 'teacher', fallback: true, reason: `The student did not answer: ${reason}` }
        choices.set(passed, left)
        const stays = `Claude took this conversation over. ${left.reason}`
        deps.conversations.keep(form, { ...left, reason: stays, fallback: false, isAsked: false, student: null })
        passed.model = null
        return false
      }
      if (response.headersSent) remember(again, reason)
      sendFailure(response, { reason: `${passed.model ?? form.model} did not answer: ${reason}`, waitSec: waitOf(error), passed })
      return true
    }
    opened?.stop()
    passed.status = 200
    passed.firstByteMs = performance.now() - startedAt
    passed.usage = given.usage
    sendAnswer(response, { form, student, body, isStream }, given)
    return true
  }

  function remember(again: string, reason: string): void {
    failed.delete(again)
    failed.set(again, { reason, at: Date.now() })
    if (failed.size > MOST_REMEMBERED) failed.delete(failed.keys().next().value!)
  }

  return {
    answer,
    /** Where a request went; null if it was passed on unread. */
    choiceOf: (passed: Passed): RouteChoice | null => choices.get(passed) ?? null,
    readOf: (passed: Passed) => forms.get(passed) ?? null,
  }
}
