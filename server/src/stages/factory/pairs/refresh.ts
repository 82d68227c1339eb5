import type { Core } from '#server/core.ts'
import { Closing } from '#server/jobs/stops.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import type { PairStore } from './store.ts'
import type { WordsInput, WordsOutput } from './words.job.ts'

const WORDS_JOB = new URL('./words.job.ts', import.meta.url)
const PAIRS_PER_JOB = 50

export type PairRefresh = ReturnType<typeof createPairRefresh>

/** Clears the stored words of pairs again, from their sessions, when the policy changes. */
export function createPairRefresh(core: Core, store: PairStore, gate: () => GateInput) {
  const { tx, events, workers, paths, log } = core
  const closing = new AbortController()
  let refreshing: Promise<void> | null = null

  const refresh = async () => {
    for (let input = gate(); input.policyHash !== store.policy(); input = gate()) {
      const all = store.all()
      const words: WordsOutput = []
      for (let at = 0; at < all.length; at += PAIRS_PER_JOB) {
        const batch = all.slice(at, at + PAIRS_PER_JOB)
        const jobInput: WordsInput = { database: paths.database, archive: paths.archive, pairs: batch, gate: input }
        words.push(...(await workers.run<WordsOutput>(WORDS_JOB, jobInput, { lane: 'bulk', signal: closing.signal })))
        if (gate().policyHash !== input.policyHash) break // restarted below
      }
      if (gate().policyHash !== input.policyHash) continue
      tx(() => {
        for (const one of words) store.setWords(one)
        store.setPolicy(input.policyHash)
        if (words.length > 0) events.append('pairs:changed', { pairs: words.length })
      })
    }
  }

  return {
    /** Call after a possible change of the policy or of a decision about a finding. */
    wake(): void {
      if (closing.signal.aborted) return
      refreshing ??= refresh()
        .catch((error: unknown) => {
          if (!closing.signal.aborted) log.error({ err: error }, 'Pair texts could not be updated to the new privacy policy')
        })
        .finally(() => (refreshing = null))
    },
    /** Call after storing pairs that this policy cleared: reviewed pairs may still have words of another policy. */
    afterStore(policyHash: string): void {
      if (store.policy() !== policyHash) store.setPolicy(null)
    },
    /** Resolves when nothing is being cleared. For tests. */
    settled: (): Promise<void> => refreshing ?? Promise.resolve(),
    async close(): Promise<void> {
      closing.abort(new Closing())
      await refreshing
    },
  }
}
