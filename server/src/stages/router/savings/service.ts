import type { Student } from '#contracts/entities/router.ts'
import type { Savings, SavingsProof } from '#contracts/entities/savings.ts'
import { wilsonOfTasks } from '#contracts/wilson.ts'
import type { Core } from '#server/core.ts'
import { numberBefore } from '#server/db/paging.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import { isoOf } from '#server/instant.ts'
import type { ExamEvidence } from '../routing/service.ts'
import { MAX_STEPS } from '../step.ts'
import type { SavingsFound, SavingsInput } from './read.ts'

const JOB = new URL('./savings.job.ts', import.meta.url)

export interface SavingsDeps {
  student: () => Student | null
  examsOf: (modelId: string) => ExamEvidence[]
  /** Median time of the model in a run of an exam. */
  paceOf: (run: string) => SavingsProof['pace']
  prices: () => readonly OwnPrice[]
}

const ASSUMED =
  'Would have saved, not saved: at list prices, with as many right as in the exam. What is wrong is done again by Claude, at its full price.'
const ONE_BY_ONE = 'The exam proves single calls, so a conversation counts only if each of its answers would have been right.'
const NO_PACE = 'The time of the model was not measured, so no time is compared, and it is taken to be as fast as Claude.'

/** What the proven model would have saved in past sessions. Without a proof there is nothing to say. */
export function createSavings(core: Pick<Core, 'db' | 'workers' | 'paths' | 'events'>, deps: SavingsDeps) {
  const tried = core.db.prepare('SELECT count(*) FROM route_tried').pluck()
  let cached: { key: string; found: Promise<SavingsFound> } | null = null

  function proofNow(): { proof: SavingsProof | null; note: string } {
    const student = deps.student()
    if (!student) return { proof: null, note: 'No model is chosen in Settings → Model in Claude Code.' }
    const { certificate, modelId, label: name } = student
    if (!certificate)
      return { proof: null, note: `Nothing is proven about ${name}, so nothing is computed. An exam must show first that it is better.` }
    const evidence = deps.examsOf(modelId).find(({ run }) => run === certificate.run)
    const interval = evidence && wilsonOfTasks(evidence.passed, evidence.items, evidence.sessions)
    if (!evidence || !interval)
      return { proof: null, note: `The exam of ${name} has no share of right answers, so nothing is computed. Run it again.` }
    const { kind, passed, items, sessions, run, at } = evidence
    const pace = deps.paceOf(run)
    const proof = { modelId, name, kind, passed, items, sessions, share: { value: passed / items, ...interval }, run, at: isoOf(at), pace }
    return { proof, note: [ASSUMED, ...(kind === 'next_calls' ? [ONE_BY_ONE] : []), ...(pace ? [] : [NO_PACE])].join(' ') }
  }

  function found(proof: SavingsProof): Promise<SavingsFound> {
    const { kind, share, pace } = proof
    const input: SavingsInput = { database: core.paths.database, proof: { kind, share, pace }, prices: deps.prices(), maxSteps: MAX_STEPS }
    const key = JSON.stringify([core.events.lastSeq(), tried.get(), input])
    if (cached?.key !== key) {
      const entry = { key, found: core.workers.run<SavingsFound>(JOB, input, { lane: 'query' }) }
      cached = entry
      entry.found.catch(() => {
        if (cached === entry) cached = null
      })
    }
    return cached.found
  }

  return {
    async read({ cursor, limit }: { cursor?: string | undefined; limit: number }): Promise<Savings> {
      const from = cursor === undefined ? 0 : numberBefore(cursor)
      const { proof, note } = proofNow()
      if (!proof) return { proof, note, sums: null, items: [], nextCursor: null, total: 0 }
      const { sums, rows } = await found(proof)
      const next = from + limit
      return {
        proof,
        note,
        sums,
        items: rows.slice(from, next),
        nextCursor: next < rows.length ? String(next) : null,
        total: rows.length,
      }
    },
  }
}
