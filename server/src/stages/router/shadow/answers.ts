import type { ChatMessage } from '#contracts/entities/example.ts'
import type { ShadowAnswer, ShadowVerdict } from '#contracts/entities/routing.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import { isoOf } from '#server/instant.ts'
import { type ShadowPair, type ShadowTexts, unfitReason } from '../../factory/index.ts'

/** What a model output. */
export interface Output {
  text: string
  calls: readonly { name: string; input: unknown }[]
}

export interface NewShadowAnswer {
  traceId: string | null
  modelId: string
  model: string
  context: Pick<ShadowTexts, 'prompt' | 'tools'>
  teacher: Output
  /** Null: it did not answer. */
  student: Output | null
  /** Whether both first calls are the same; null: not both called a tool. */
  same: boolean | null
  error: string | null
}

interface Row {
  no: number
  at: number
  trace_id: string | null
  model: string
  prompt: string
  teacher: string
  student: string | null
  same: number | null
  error: string | null
  is_whole: number
  unfit: string | null
  verdict: ShadowVerdict | null
  verdict_by: string | null
  has_session: number
}

const MAX_PROMPT_CHARS = 24_000
const MAX_ANSWER_CHARS = 16_000
const SHOWN_PROMPT_CHARS = 2000
const KEPT = 5000

const COLUMNS = `no, at, trace_id, model, prompt, teacher, student, same, error, unfit, verdict, verdict_by, pair IS NOT NULL AS is_whole,
  EXISTS (SELECT 1 FROM session_heads h WHERE h.id = trace_id) AS has_session`

/** In the table of the answers. */
function statementsOf(db: Core['db']) {
  return {
    insert: db.prepare(
      `INSERT INTO shadow_answers (at, trace_id, model_id, model, prompt, teacher, student, same, error, pair, unfit)
     VALUES (@at, @traceId, @modelId, @model, @prompt, @teacher, @student, @same, @error, @pair, @unfit)`,
    ),
    drop: db.prepare('DELETE FROM shadow_answers WHERE no <= (SELECT max(no) FROM shadow_answers) - ?'),
    forget: db.prepare('DELETE FROM shadow_answers WHERE trace_id = ?'),
    since: db.prepare<[number], { n: number }>('SELECT count(*) AS n FROM shadow_answers WHERE at > ?'),
    page: db.prepare<[number, number], Row>(`SELECT ${COLUMNS} FROM shadow_answers WHERE no < ? ORDER BY no DESC LIMIT ?`),
    one: db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM shadow_answers WHERE no = ?`),
    undecided: db.prepare<[number], Row>(
      `SELECT ${COLUMNS} FROM shadow_answers WHERE student IS NOT NULL AND verdict IS NULL ORDER BY no DESC LIMIT ?`,
    ),
    judged: db.prepare<[string], { no: number; verdict: ShadowVerdict; verdict_by: string | null; pair: string }>(
      'SELECT no, verdict, verdict_by, pair FROM shadow_answers WHERE trace_id = ? AND pair IS NOT NULL AND verdict IS NOT NULL ORDER BY no',
    ),
    setVerdict: db.prepare('UPDATE shadow_answers SET verdict = ?, verdict_by = ? WHERE no = ? AND student IS NOT NULL'),
    /** What the user said stays. */
    setJudged: db.prepare(
      'UPDATE shadow_answers SET verdict = ?, verdict_by = ? WHERE no = ? AND student IS NOT NULL AND (verdict IS NULL OR verdict_by IS NOT NULL)',
    ),
  }
}

/** The answers of the student beside Claude's, with what the user or a model said of them. No share follows from them. */
export function createShadowAnswers({ db, now }: Pick<Core, 'db' | 'now'>, { examined }: { examined: () => ReadonlyMap<string, string> }) {
  const sql = statementsOf(db)
  const shown = (row: Row): ShadowAnswer => ({
    id: String(row.no),
    at: isoOf(row.at),
    traceId: row.trace_id,
    model: row.model,
    prompt: row.prompt.slice(-SHOWN_PROMPT_CHARS),
    teacher: row.teacher,
    student: row.student,
    verdict: row.verdict,
    verdictBy: row.verdict_by,
    refusal: refusalOf(row, examined()),
    same: row.same === null ? null : row.same === 1,
    error: row.error,
  })
  const require = (id: string): Row => {
    const row = sql.one.get(Number(id))
    if (!row) throw new AppError('not_found', { message: `There is no answer in the shadow with the number ${id}.` })
    return row
  }

  return {
    add({ context, teacher, student, same, ...rest }: NewShadowAnswer): void {
      const calls = context.prompt.reduce((sum, message) => sum + (message.role === 'assistant' ? (message.tool_calls?.length ?? 0) : 0), 0)
      const texts = student && { ...context, teacher: messagesOf(teacher, calls), student: messagesOf(student, calls) }
      sql.insert.run({
        ...rest,
        at: now(),
        prompt: promptOf(context.prompt),
        teacher: textOf(teacher),
        student: student && textOf(student),
        same: same === null ? null : Number(same),
        pair: texts && JSON.stringify(texts),
        unfit: texts && unfitReason(texts),
      })
      sql.drop.run(KEPT)
    },
    countSince: (at: number): number => sql.since.get(at)!.n,
    list(cursor: string | undefined, limit: number) {
      const { items, nextCursor } = pageOf(sql.page.all(numberBefore(cursor), limit + 1), limit, ({ no }) => no)
      return { items: items.map(shown), nextCursor, total: sql.since.get(0)!.n }
    },
    /** The user's verdict; null takes any verdict back. */
    decide(id: string, verdict: ShadowVerdict | null): ShadowAnswer {
      const { student, no } = require(id)
      if (student === null)
        throw new AppError('not_found', {
          message: 'The model did not answer, so there is nothing to compare.',
          hint: 'Judge another one.',
        })
      sql.setVerdict.run(verdict, null, no)
      return shown(require(id))
    },
    /** The verdict of a model that saw both orders. */
    judgedBy: (model: string, id: string, verdict: ShadowVerdict): void => void sql.setJudged.run(verdict, model, Number(id)),
    forget: (trace: string): void => void sql.forget.run(trace),
    /** Pairs that nobody has judged, the newest first. */
    undecided: (limit: number) =>
      sql.undecided
        .all(limit)
        .flatMap(({ no, trace_id: traceId, model, prompt, teacher, student }) =>
          student === null ? [] : { id: String(no), traceId, model, prompt, teacher, student },
        ),
    /** Judged pairs of sessions, for data sets. */
    pairsOf: (traceIds: readonly string[]): ShadowPair[] =>
      traceIds.flatMap((traceId) =>
        sql.judged.all(traceId).map(({ no, verdict, verdict_by: verdictBy, pair }) => ({
          id: `shadow-${no}`,
          traceId,
          verdict,
          verdictBy,
          pair: JSON.parse(pair) as ShadowTexts, // written by `add`
        })),
      ),
  }
}
export type ShadowAnswers = ReturnType<typeof createShadowAnswers>

/** Why no row of a data set is made of an answer; null if one is. */
function refusalOf(row: Row, examined: ReadonlyMap<string, string>): string | null {
  const exam = row.trace_id === null ? undefined : examined.get(row.trace_id)
  if (row.student === null) return 'the model did not answer'
  if (row.has_session === 0) return 'its session is not in the archive'
  if (exam !== undefined) return `its session is in the exam ${exam}`
  if (row.is_whole === 0) return 'stored by an earlier version, without its messages'
  if (row.unfit !== null) return row.unfit
  if (row.verdict === null) return 'not judged'
  return row.verdict === 'same' ? 'judged the same' : null
}

const textOf = ({ text, calls }: Output): string =>
  [text.trim(), ...calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)].filter(Boolean).join('\n').slice(0, MAX_ANSWER_CHARS)

const promptOf = (messages: readonly ChatMessage[]): string =>
  messages
    .map(({ role, content }) => `${role.toUpperCase()}: ${content}`)
    .join('\n\n')
    .slice(-MAX_PROMPT_CHARS)

/** An answer as rows have it, after so many calls: the ids of calls are counted, as in examples. */
function messagesOf({ text, calls }: Output, earlier: number): ChatMessage[] {
  const toolCalls = calls.map(({ name, input }, at) => ({
    id: `call_${earlier + at + 1}`,
    type: 'function' as const,
    function: { name, arguments: (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown> },
  }))
  return [{ role: 'assistant', content: text.trim(), ...(toolCalls.length > 0 && { tool_calls: toolCalls }) }]
}
