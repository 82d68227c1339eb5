import { EvaluationCase, type EvaluationSet } from '#contracts/entities/answer.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { parseShallow } from '#server/shallow-json.ts'
import type { MaterialReader } from './prepare.ts'
import type { AnswerStore } from './store.ts'

export interface CasesDeps {
  core: Pick<Core, 'tx' | 'events'>
  store: AnswerStore
  material: MaterialReader
  newId: () => string
  /** Sessions of a filter, newest first. */
  idsOf: (query: string | undefined) => Promise<string[]>
}

const [MAX_CASES, MAX_SESSIONS] = [5000, 500]
const HINT =
  'A case is {"prompt": "…", "check": {"kind": "exact|contains|regex|json_schema|command", "value": …}} or {"prompt": "…", "rubric": {"task": "…"}}, one a line.'

/** Own evaluation sets: from cases, JSON lines, or the prompts of sessions. */
export function createCases({ core, store, material, newId, idsOf }: CasesDeps) {
  return async (
    given: {
      name: string
      cases?: EvaluationCase[] | undefined
      jsonl?: string | undefined
      traceIds?: string[] | undefined
      query?: string | undefined
    },
    signal: AbortSignal,
  ): Promise<EvaluationSet> => {
    const sources = [given.cases, given.jsonl, given.traceIds ?? given.query].filter((one) => one !== undefined)
    if (sources.length !== 1) throw invalid('Give one of: cases, jsonl, traceIds, query.')
    const cases =
      given.cases ??
      (given.jsonl !== undefined
        ? fromLines(given.jsonl)
        : await fromSessions(given.traceIds ?? (await idsOf(given.query)).slice(0, MAX_SESSIONS), material, signal))
    for (const [at, { check }] of cases.entries()) if (check?.kind === 'regex') requireExpression(check.value, at)
    const id = newId()
    core.tx(() => {
      store.addSet({ id, name: given.name }, cases)
      core.events.append('answers:set', { id })
    })
    return store.set(id)
  }
}

const invalid = (message: string) => new AppError('answer_set_invalid', { message, hint: HINT })

function fromLines(jsonl: string): EvaluationCase[] {
  const lines = jsonl.replace(/^\uFEFF/, '').split(/\r?\n/)
  const cases = lines.flatMap((line, at): EvaluationCase[] => {
    if (line.trim() === '') return []
    let value: unknown
    try {
      value = parseShallow(line).value
    } catch (error) {
      throw invalid(`Line ${at + 1} is not JSON: ${(error as Error).message}`)
    }
    const { data, error } = EvaluationCase.safeParse(value)
    const [issue] = error?.issues ?? []
    if (!data) throw invalid(`Line ${at + 1}: ${issue?.path.join('.') || 'the case'}: ${issue?.message ?? 'is not valid'}.`)
    return [data]
  })
  if (cases.length === 0) throw invalid('There is no case in these lines.')
  if (cases.length > MAX_CASES) throw invalid(`There are ${cases.length} cases; at most ${MAX_CASES} are allowed.`)
  return cases
}

function requireExpression(pattern: string, at: number): void {
  try {
    RegExp(pattern, 'u')
  } catch (error) {
    throw invalid(`Case ${at + 1}: ${(error as Error).message}.`)
  }
}

/** The first prompt of each session, without a check: it is not scored until the user adds one. */
async function fromSessions(ids: readonly string[], material: MaterialReader, signal: AbortSignal): Promise<EvaluationCase[]> {
  const cases: EvaluationCase[] = []
  for (const traceId of ids) {
    const found = await material.session(traceId, signal)
    if (found && found.firstPrompt.trim() !== '') cases.push({ prompt: found.firstPrompt, traceId })
  }
  if (cases.length === 0) throw invalid('None of these sessions has a prompt.')
  return cases
}
