import { isDeepStrictEqual } from 'node:util'
import type { RouterSettings } from '#contracts/settings/router.ts'
import type { Passed } from '#server/adapters/llm-proxy/index.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import type { Core } from '#server/core.ts'
import { traceId } from '../../capture/index.ts'
import { contextAtWork } from '../../factory/index.ts'
import { requestOf } from '../../judge/index.ts'
import type { Output, ShadowAnswers } from '../shadow/answers.ts'
import { askStudent, LIMITS, type StepDeps } from '../step.ts'
import type { ChosenStudent } from '../student.ts'
import type { Form } from './form.ts'

export interface ShadowDeps extends Pick<StepDeps, 'endpoints' | 'readCalls' | 'patienceMs'> {
  settings: () => Pick<RouterSettings, 'shadow' | 'shadowPerDay'>
  chosen: () => ChosenStudent | null
  answers: Pick<ShadowAnswers, 'add' | 'countSince'>
}

interface Message {
  role: string
  content?: unknown
}

const DAY_MS = 86_400_000

/**
 * Asks the student what it would have answered, after Claude has. It delays no request and runs no tool; agreement with one step
 * flatters a model, because the steps before are Claude's, so nothing is promoted by it.
 */
export function createShadow({ now, log }: Pick<Core, 'now' | 'log'>, deps: ShadowDeps) {
  const { answers } = deps
  const closing = new AbortController()
  /** The one answer that is being asked for; the student has better things to do than two. */
  let asking: Promise<void> | null = null

  async function ask(student: ChosenStudent, form: Form, messages: Message[], teacher: Output): Promise<void> {
    const context = contextAtWork({ clientVersion: form.client ?? '', task: null, messages }, LIMITS.contextTokens)
    if (context === null) return
    let output: Output | null = null
    let error: string | null = null
    try {
      output = await askStudent(deps, student, { request: requestOf(context, LIMITS), tools: context.tools }, closing.signal)
    } catch (reason) {
      if (closing.signal.aborted) return
      error = (reason as Error).message
    }
    const same = output && output.calls.length > 0 && teacher.calls.length > 0 ? isDeepStrictEqual(output.calls[0], teacher.calls[0]) : null
    answers.add({
      traceId: form.session && traceId('claude-code', form.session),
      modelId: student.modelId,
      model: student.label,
      context: { prompt: context.messages, tools: context.tools },
      teacher,
      student: output,
      same,
      error,
    })
  }

  return {
    /** After a request passed. `answer`: what Claude output. */
    passed(
      passed: Passed,
      read: { form: Form; body: unknown } | null,
      answer: { text: string; toolCalls: readonly { name: string; arguments: string }[] } | null,
    ): void {
      const { shadow, shadowPerDay } = deps.settings()
      if (!shadow || asking !== null || read === null || answer === null || passed.status !== 200) return
      const student = deps.chosen()
      const { form, body } = read
      if (student === null || form.kind === 'safety' || form.kind === 'fork' || closing.signal.aborted) return
      if (answers.countSince(now() - DAY_MS) >= shadowPerDay) return
      const calls = answer.toolCalls.map(({ name, arguments: json }) => ({ name, input: jsonOf(json || '{}') }))
      const teacher = { text: answer.text, calls }
      asking = ask(student, form, folded((body as { messages: Message[] }).messages), teacher)
        .catch((error: unknown) => log.warn({ err: error }, 'an answer in the shadow was not stored'))
        .finally(() => (asking = null))
    },
    async close(): Promise<void> {
      closing.abort()
      await asking
    },
  }
}

/** What the client tells its model in the middle becomes a part of the first message, as mods get it. */
function folded(messages: readonly Message[]): Message[] {
  const partsOf = ({ content }: Message): unknown[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : []
  const added = messages.filter(({ role }) => role === 'system').flatMap(partsOf) as { text?: unknown }[]
  const reminders = added.map(({ text }) => ({ type: 'text', text: `<system-reminder>\n${String(text)}\n</system-reminder>` }))
  const [first, ...rest] = messages.filter(({ role }) => role !== 'system')
  return first ? [{ role: first.role, content: [...reminders, ...partsOf(first)] }, ...rest] : []
}
