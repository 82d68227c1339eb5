import { randomUUID } from 'node:crypto'
import type { DpRelease } from '#contracts/entities/privacy.ts'
import { AppError } from '#contracts/errors.ts'
import type { Database } from '#server/db/open.ts'

/** Total ε budget for the statistics of one source. */
export const BUDGET_EPSILON = 8
/** Tolerance for rounding errors in sums of ε, such as 0.1 + 0.2. */
const EXACT = 1e-9

interface Row {
  id: string
  source: string
  what: string
  mechanism: DpRelease['mechanism']
  epsilon: number
  delta: number
  sensitivity: number
  at: number
}

/** Releases of a source with their cost; ε and δ are summed (basic composition). */
export function createLedger(db: Database, now: () => number) {
  const all = db.prepare<[string], Row>('SELECT * FROM dp_releases WHERE source = ? ORDER BY no DESC')
  const sums = db.prepare<[string], { epsilon: number; delta: number }>(
    'SELECT coalesce(sum(epsilon), 0) AS epsilon, coalesce(sum(delta), 0) AS delta FROM dp_releases WHERE source = ?',
  )
  const insert = db.prepare(
    'INSERT INTO dp_releases (id, source, what, mechanism, epsilon, delta, sensitivity, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const left = (source: string) => Math.max(0, BUDGET_EPSILON - sums.get(source)!.epsilon)

  return {
    left,
    of(source: string) {
      const { epsilon: spent, delta: deltaSpent } = sums.get(source)!
      return { source, epsilon: BUDGET_EPSILON, spent, left: left(source), deltaSpent, releases: all.all(source).map(toRelease) }
    },
    /** Records the cost of a release in the caller's transaction. Throws `budget_spent`. */
    spend(release: Omit<DpRelease, 'id' | 'at'>): DpRelease {
      const remaining = left(release.source)
      if (release.epsilon > remaining + EXACT)
        throw new AppError('budget_spent', {
          message: `This release costs ε ${release.epsilon}, but only ${Number(remaining.toFixed(6))} of the budget of ${BUDGET_EPSILON} is left.`,
          hint: 'Use a smaller ε (more noise), or reuse an earlier release.',
          details: { left: remaining },
        })
      const row = { id: randomUUID(), ...release, at: now() }
      insert.run(row.id, row.source, row.what, row.mechanism, row.epsilon, row.delta, row.sensitivity, row.at)
      return toRelease(row)
    },
  }
}

const toRelease = ({ id, source, what, mechanism, epsilon, delta, sensitivity, at }: Row): DpRelease => ({
  id,
  source,
  what,
  mechanism,
  epsilon,
  delta,
  sensitivity,
  at: new Date(at).toISOString(),
})
