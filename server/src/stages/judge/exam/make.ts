import { hash } from 'node:crypto'
import type { Exam, ExamPlan, ExamRequest } from '#contracts/entities/exam.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { type createRecordedWork, likenessOf } from '../../factory/index.ts'
import { GATE, smallestEffect } from './decide.ts'
import type { ExamStore, NewItem } from './store.ts'

export interface MakeDeps {
  core: Pick<Core, 'tx' | 'events' | 'now'>
  store: ExamStore
  work: ReturnType<typeof createRecordedWork>
  /** Sessions that a data set trains on. */
  inDatasets: () => ReadonlySet<string>
  /** Sessions that a model was trained on. Throws `model_not_found`. */
  trainedOn: (modelId: string) => ReadonlySet<string>
  newId: () => string
  view: (id: string) => Exam
}

const DEFAULT_SHARE = 0.2
const TRAINED = 'this model was trained on it'
/** Two sessions that are this much alike would count as two where one was held out. */
const NEARLY_SAME = 0.8

export function createExamMaker({ core, store, work, inDatasets, trainedOn, newId, view }: MakeDeps) {
  const { tx, events, now } = core

  const choose = async (request: ExamRequest) => {
    const { query, traceIds, unverified, seed } = request
    const found = await work.sessions({ unverified, ...(query !== undefined && { query }), ...(traceIds && { traceIds }) })
    const seen = request.unseenBy === undefined ? new Set<string>() : await work.withFamilies(trainedOn(request.unseenBy))
    const unseen = found.ids.filter((id) => !seen.has(id))
    const share = request.share ?? (query !== undefined || traceIds ? 1 : DEFAULT_SHARE)
    const ids = unseen.filter((id) => placeOf(id, seed) < share)
    const leftOut = [
      ...found.leftOut,
      ...Array.from({ length: found.ids.length - unseen.length }, () => TRAINED),
      ...Array.from({ length: unseen.length - ids.length }, () => 'not in the share that is held out'),
    ]
    return { ids, leftOut }
  }

  return {
    async plan(request: ExamRequest): Promise<ExamPlan> {
      const { ids, leftOut } = await choose(request)
      const used = inDatasets()
      return {
        kind: request.kind,
        matching: ids.length + leftOut.length,
        sessions: ids.length,
        leftOut: counted(leftOut),
        inDatasets: ids.filter((id) => used.has(id)).length,
        smallest: smallestEffect(ids.length),
        minSessions: GATE.sessions,
      }
    },
    async make(request: ExamRequest, { signal, progress }: JobContext): Promise<Exam> {
      const { ids, leftOut } = await choose(request)
      const sessions: { traceId: string; repo: string | null; texts: string[] }[] = []
      const items: NewItem[] = []
      const signatures: Int32Array[] = []
      for (const [done, traceId] of ids.entries()) {
        progress({ phase: 'reading sessions', done, total: ids.length, unit: 'sessions' })
        const { callsPerSession: most, contextTokens, seed } = request
        const found = await work.calls({ traceId, most, contextTokens, seed }, signal)
        if (!found || found.calls.length === 0) {
          leftOut.push(found && found.tooLong > 0 ? 'the text before every call is too long' : 'no call to ask for')
          continue
        }
        sessions.push({ traceId, repo: found.repo, texts: found.texts }) // held out in any case
        if (signatures.some((one) => likenessOf(one, found.signature) >= NEARLY_SAME)) {
          leftOut.push('nearly the same as another session of the exam')
          continue
        }
        signatures.push(found.signature)
        for (const { stepId, call, messages, tools } of found.calls) {
          const id = hash('sha256', JSON.stringify([traceId, stepId, messages, tools, call]))
          items.push({ no: items.length, id, traceId, stepId, call, messages, tools })
        }
      }
      signal.throwIfAborted()
      if (items.length === 0)
        throw new AppError('exam_empty', {
          message: 'No session can be used for an exam.',
          hint: 'Rate sessions as good first, choose a larger share, or name sessions by a filter.',
          details: { leftOut: counted(leftOut) },
        })
      const id = newId()
      const name = request.name ?? `Exam of ${new Date(now()).toISOString().slice(0, 10)}`
      tx(() => {
        const left = sessions.filter(({ traceId }) => !store.isForgotten(traceId)) // deleted meanwhile
        const ofLeft = items.filter(({ traceId }) => left.some((session) => session.traceId === traceId))
        const exam = {
          id,
          kind: request.kind,
          state: 'ready' as const,
          name,
          request,
          leftOut: counted(leftOut),
          hash: hash('sha256', ofLeft.map((item) => item.id).join('\n')),
        }
        store.add(exam, { sessions: left, items: ofLeft })
        events.append('exam:added', { id })
      })
      return view(id)
    },
  }
}

/** Where a session stands between 0 and 1, the same at every call. */
export const placeOf = (traceId: string, seed: number): number =>
  parseInt(hash('sha256', `exam\0${seed}\0${traceId}`).slice(0, 8), 16) / 2 ** 32

export const counted = (reasons: readonly string[]) =>
  [...Map.groupBy(reasons, (reason) => reason)]
    .map(([reason, list]) => ({ reason, count: list.length }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
