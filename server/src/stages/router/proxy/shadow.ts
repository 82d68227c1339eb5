import { isDeepStrictEqual } from 'node:util'
import type { ShadowAnswer, ShadowFigures } from '#contracts/entities/routing.ts'
import type { RouterSettings } from '#contracts/settings/router.ts'
import type { Passed } from '#server/adapters/llm-proxy/index.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import type { Core } from '#server/core.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import { isoOf } from '#server/instant.ts'
import { traceId } from '../../capture/index.ts'
import { contextAtWork } from '../../factory/index.ts'
import { requestOf } from '../../judge/index.ts'
import { askStudent, LIMITS, type StepDeps } from '../step.ts'
import type { ChosenStudent } from '../student.ts'
import type { Form } from './form.ts'

export interface ShadowDeps extends Pick<StepDeps, 'endpoints' | 'readCalls' | 'patienceMs'> {
  settings: () => Pick<RouterSettings, 'shadow' | 'shadowPerDay'>
  chosen: () => ChosenStudent | null
}

interface Row {
  no: number
  at: number
  trace_id: string | null
  model_id: string
  model: string
  prompt: string
  teacher: string
  student: string | null
  same: number | null
  error: string | null
}
interface Output {
  text: string
  calls: { name: string; input: unknown }[]
}
interface Message {
  role: string
  content?: unknown
}

const DAY_MS = 86_400_000
const MAX_PROMPT_CHARS = 24_000
const MAX_ANSWER_CHARS = 16_000
const KEPT = 5000

/**
 * Asks the student what it would have answered, after Claude has. It delays no request and runs no tool; agreement with one step
 * flatters a model, because the steps before are Claude's, so nothing is promoted by it.
 */
export function createShadow(core: Pick<Core, 'db' | 'now' | 'log'>, deps: ShadowDeps) {
  const { db, now, log } = core
  const insert = db.prepare(
    `INSERT INTO shadow_answers (at, trace_id, model_id, model, prompt, teacher, student, same, error)
     VALUES (@at, @trace, @modelId, @model, @prompt, @teacher, @student, @same, @error)`,
  )
  const drop = db.prepare('DELETE FROM shadow_answers WHERE no <= (SELECT max(no) FROM shadow_answers) - ?')
  const forget = db.prepare('DELETE FROM shadow_answers WHERE trace_id = ?')
  const since = db.prepare<[number], { n: number }>('SELECT count(*) AS n FROM shadow_answers WHERE at > ?')
  const page = db.prepare<[number, number], Row>('SELECT * FROM shadow_answers WHERE no < ? ORDER BY no DESC LIMIT ?')
  const counts = db.prepare<[string], Record<'answers' | 'failed' | 'compared' | 'same', number>>(
    `SELECT count(*) AS answers, count(*) FILTER (WHERE error IS NOT NULL) AS failed, count(same) AS compared, coalesce(sum(same), 0) AS same
     FROM shadow_answers WHERE model_id = ?`,
  )
  const closing = new AbortController()
  /** The one answer that is being asked for; the student has better things to do than two. */
  let asking: Promise<void> | null = null

  async function ask(student: ChosenStudent, form: Form, messages: Message[], teacher: Output): Promise<void> {
    const context = contextAtWork({ clientVersion: form.client ?? '', task: null, messages }, LIMITS.contextTokens)
    if (context === null) return
    const prompt = context.messages
      .map(({ role, content }) => `${role.toUpperCase()}: ${content}`)
      .join('\n\n')
      .slice(-MAX_PROMPT_CHARS)
    let output: Output | null = null
    let error: string | null = null
    try {
      output = await askStudent(deps, student, { request: requestOf(context, LIMITS), tools: context.tools }, closing.signal)
    } catch (reason) {
      if (closing.signal.aborted) return
      error = (reason as Error).message
    }
    const same = output && output.calls.length > 0 && teacher.calls.length > 0 ? isDeepStrictEqual(output.calls[0], teacher.calls[0]) : null
    insert.run({
      at: now(),
      trace: form.session && traceId('claude-code', form.session),
      modelId: student.modelId,
      model: student.label,
      prompt,
      teacher: textOf(teacher),
      student: output && textOf(output),
      same: same === null ? null : Number(same),
      error,
    })
    drop.run(KEPT)
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
      if (since.get(now() - DAY_MS)!.n >= shadowPerDay) return
      const calls = answer.toolCalls.map(({ name, arguments: json }) => ({ name, input: jsonOf(json || '{}') }))
      const teacher = { text: answer.text, calls }
      asking = ask(student, form, folded((body as { messages: Message[] }).messages), teacher)
        .catch((error: unknown) => log.warn({ err: error }, 'an answer in the shadow was not stored'))
        .finally(() => (asking = null))
    },
    list(cursor: string | undefined, limit: number) {
      const { items, nextCursor } = pageOf(page.all(numberBefore(cursor), limit + 1), limit, ({ no }) => no)
      return { items: items.map(shown), nextCursor, total: since.get(0)!.n }
    },
    figures: (modelId: string): ShadowFigures => counts.get(modelId)!,
    forget: (trace: string): void => void forget.run(trace),
    /** Pairs that a model can judge, the newest first. */
    pairs: (limit: number) =>
      page
        .all(Number.MAX_SAFE_INTEGER, KEPT)
        .flatMap(({ trace_id: trace, model, prompt, teacher, student }) =>
          student === null ? [] : { traceId: trace, model, prompt, teacher, student },
        )
        .slice(0, limit),
    async close(): Promise<void> {
      closing.abort()
      await asking
    },
  }
}

const shown = ({ no, at, trace_id: trace, model, teacher, student, same, error }: Row): ShadowAnswer => ({
  id: String(no),
  at: isoOf(at),
  traceId: trace,
  model,
  teacher,
  student,
  same: same === null ? null : same === 1,
  error,
})

const textOf = ({ text, calls }: Output): string =>
  [text.trim(), ...calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)].filter(Boolean).join('\n').slice(0, MAX_ANSWER_CHARS)

/** What the client tells its model in the middle becomes a part of the first message, as mods get it. */
function folded(messages: readonly Message[]): Message[] {
  const partsOf = ({ content }: Message): unknown[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : []
  const added = messages.filter(({ role }) => role === 'system').flatMap(partsOf) as { text?: unknown }[]
  const reminders = added.map(({ text }) => ({ type: 'text', text: `<system-reminder>\n${String(text)}\n</system-reminder>` }))
  const [first, ...rest] = messages.filter(({ role }) => role !== 'system')
  return first ? [{ role: first.role, content: [...reminders, ...partsOf(first)] }, ...rest] : []
}
