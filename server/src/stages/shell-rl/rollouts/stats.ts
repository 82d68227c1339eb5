import type { RolloutStats } from '#contracts/entities/rollout.ts'
import { wilsonOfTasks } from '#contracts/wilson.ts'
import type { Database } from '#server/db/open.ts'
import type { SetRow } from './store.ts'

type Raw = Record<string, number | null>

/** Computes the figures of a set in the database, without loading its episodes. */
export function statsOf(db: Database) {
  const of = (sql: string) => db.prepare<[number], Raw>(sql)
  const difficulties = of(
    `SELECT difficulty, count(*) AS n, count(DISTINCT task_id) AS tasks, sum(success) AS solved FROM rollout_episodes
     WHERE set_no = ? AND status = 'ok' GROUP BY difficulty ORDER BY difficulty IS NULL, difficulty`,
  )
  const turns = of(
    `SELECT turns, sum(success) AS solved, sum(1 - success) AS unsolved FROM rollout_episodes
     WHERE set_no = ? AND status = 'ok' GROUP BY turns ORDER BY turns`,
  )
  const codes = of(
    `SELECT code.value AS code, count(*) AS turns FROM rollout_episodes, json_each(codes) AS code WHERE set_no = ? GROUP BY code.value ORDER BY code.value`,
  )
  const reward = of(
    `SELECT count(reward) AS n, avg(reward) AS mean, avg(reward * reward) AS squares, min(reward) AS least, max(reward) AS most
     FROM rollout_episodes WHERE set_no = ?`,
  )
  const rewards = of(
    `SELECT min(9, CAST(floor(reward * 10) AS INTEGER)) AS step, count(*) AS n FROM rollout_episodes
     WHERE set_no = ? AND reward IS NOT NULL GROUP BY step ORDER BY step`,
  )
  const terms = db.prepare<[number], { name: string; mean: number }>(
    `SELECT term.key AS name, avg(term.value) AS mean FROM rollout_episodes, json_each(terms) AS term
     WHERE set_no = ? AND terms IS NOT NULL GROUP BY term.key`,
  )
  const groups = of(
    `SELECT count(*) AS total, count(scored) AS complete, coalesce(sum(scored > 0), 0) AS scored, coalesce(sum(zero_variance), 0) AS zero
     FROM rollout_tasks WHERE set_no = ?`,
  )
  const errors = db.prepare<[number], { boundary: string; n: number }>(
    `SELECT facts ->> '$.error.boundary' AS boundary, count(*) AS n FROM rollout_episodes WHERE set_no = ? AND status = 'error' GROUP BY boundary ORDER BY n DESC`,
  )

  return ({ no, counts }: SetRow): RolloutStats => {
    const byDifficulty = difficulties.all(no).map((raw) => ({ difficulty: raw['difficulty'] ?? null, ...rateOf(raw) }))
    const all = reward.get(no)!
    const found = groups.get(no)!
    return {
      success: rateOf({
        n: sum(byDifficulty.map(({ n }) => n)),
        solved: sum(byDifficulty.map(({ solved }) => solved)),
        tasks: sum(byDifficulty.map(({ tasks }) => tasks)),
      }),
      byDifficulty,
      turns: turns.all(no).map((raw) => ({ turns: raw['turns']!, solved: raw['solved']!, unsolved: raw['unsolved']! })),
      exitCodes: codes.all(no).map((raw) => ({ code: raw['code']!, turns: raw['turns']! })),
      reward: {
        n: all['n']!,
        mean: all['mean']!,
        std: all['mean'] === null ? null : Math.sqrt(Math.max(0, all['squares']! - all['mean']! ** 2)),
        least: all['least']!,
        most: all['most']!,
      },
      rewards: rewards.all(no).map(({ step, n }) => ({ from: step! / 10, to: (step! + 1) / 10, episodes: n! })),
      terms: Object.fromEntries(terms.all(no).map(({ name, mean }) => [name, mean])),
      groups: { total: found['total']!, complete: found['complete']!, scored: found['scored']!, zeroVariance: found['zero']! },
      corrupted: counts.corrupted,
      errors: errors.all(no).map(({ boundary, n }) => ({ boundary, episodes: n })),
      ended: counts.ended,
    }
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0)

function rateOf(raw: Raw): { solved: number; n: number; tasks: number; low: number | null; high: number | null } {
  const [solved, n, tasks] = [raw['solved'] ?? 0, raw['n'] ?? 0, raw['tasks'] ?? 0]
  const { low = null, high = null } = wilsonOfTasks(solved, n, tasks) ?? {}
  return { solved, n, tasks, low, high }
}
