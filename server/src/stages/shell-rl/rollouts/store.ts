import type { RedactionCounts } from '#contracts/entities/privacy.ts'
import type { Episode, EpisodeStatus, RewardTerms, RolloutSet, RolloutSettings, RolloutTask } from '#contracts/entities/rollout.ts'
import { isoOf } from '#server/instant.ts'
import type { Database } from '#server/db/open.ts'
import { pageOf } from '#server/db/paging.ts'
import type { RewardGroup } from '../rewards/reward.ts'
import { createRows, numberAfter, type Raw } from '#server/db/rows.ts'
import { episodeId } from './episode-id.ts'

export interface SetRow {
  no: number
  id: string
  name: string
  state: RolloutSet['state']
  detail: string | null
  model: string | null
  settings: RolloutSettings
  tasks: number
  /** Stored together; `redacted` is missing in old rows and before the first secret. */
  counts: RolloutSet['counts'] & { redacted?: RedactionCounts }
  costUsd: number | null
  createdAt: number
  endedAt: number | null
}

/** Fields of an episode that are stored together as JSON. */
type Facts = Pick<
  Episode,
  'how' | 'helpCalls' | 'timeouts' | 'truncatedOutputs' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'check' | 'error'
>

export interface EpisodeRow extends Omit<Episode, 'id' | 'advantage' | 'startedAt'> {
  difficulty: number | null
  startedAt: number
}

export interface KeptGroup {
  group: number
  task: RolloutTask
  /** The number of episodes with a reward; null until all episodes of the group have ended. */
  scored: number | null
  mean: number | null
  std: number | null
  zeroVariance: boolean | null
}

export const NOTHING_ENDED: RolloutSet['counts'] = { ended: 0, ok: 0, solved: 0, corrupted: 0, error: 0 }

export function createRolloutStore(db: Database) {
  const insert = db.prepare(
    `INSERT INTO rollout_sets (id, name, state, model, settings, tasks, counts, idempotency_key, created_at)
     VALUES (@id, @name, 'running', @model, @settings, @tasks, @counts, @key, @at)`,
  )
  const insertTask = db.prepare('INSERT INTO rollout_tasks (set_no, grp, difficulty, task) VALUES (?, ?, ?, ?)')
  const byKey = db.prepare<[string], Raw>('SELECT * FROM rollout_sets WHERE idempotency_key = ?')
  const update = db.prepare(
    'UPDATE rollout_sets SET state = @state, detail = @detail, settings = @settings, counts = @counts, cost_usd = @costUsd, ended_at = @endedAt WHERE no = @no',
  )
  const running = db.prepare<[], Raw>("SELECT * FROM rollout_sets WHERE state = 'running' ORDER BY no")
  const removals = ['rollout_episodes', 'rollout_tasks'].map((table) => db.prepare(`DELETE FROM ${table} WHERE set_no = ?`))
  const remove = db.prepare('DELETE FROM rollout_sets WHERE no = ?')

  const task = db.prepare<[number, number], Raw>('SELECT * FROM rollout_tasks WHERE set_no = ? AND grp = ?')
  const groups = db.prepare<[number, number, number], Raw>('SELECT * FROM rollout_tasks WHERE set_no = ? AND grp > ? ORDER BY grp LIMIT ?')
  const scoreGroup = db.prepare(
    'UPDATE rollout_tasks SET scored = @scored, mean = @mean, std = @std, zero_variance = @zeroVariance WHERE set_no = @no AND grp = @group',
  )

  const addEpisode = db.prepare(
    `INSERT INTO rollout_episodes (set_no, place, grp, attempt, task_id, difficulty, status, success, turns, nonzero_exit_codes, codes, reward,
       terms, facts, started_at, duration_ms)
     VALUES (@no, @place, @group, @attempt, @taskId, @difficulty, @status, @success, @turns, @nonzeroExitCodes, @codes, @reward, @terms, @facts,
       @startedAt, @durationMs)`,
  )
  const reward = db.prepare('UPDATE rollout_episodes SET reward = @reward, terms = @terms WHERE set_no = @no AND place = @place')
  const advantage = db.prepare('UPDATE rollout_episodes SET advantage = ? WHERE set_no = ? AND place = ?')
  const withoutErrors = db.prepare("DELETE FROM rollout_episodes WHERE set_no = ? AND status = 'error'")
  const withoutScores = db.prepare(
    `UPDATE rollout_tasks SET scored = NULL, mean = NULL, std = NULL, zero_variance = NULL WHERE set_no = @no
     AND (SELECT count(*) FROM rollout_episodes WHERE set_no = @no AND place >= grp * @perTask AND place < (grp + 1) * @perTask) < @perTask`,
  )
  const withoutAdvantages = db.prepare(
    `UPDATE rollout_episodes SET advantage = NULL WHERE set_no = @no
     AND grp IN (SELECT grp FROM rollout_tasks WHERE set_no = @no AND scored IS NULL)`,
  )
  const places = db.prepare<[number], { place: number }>('SELECT place FROM rollout_episodes WHERE set_no = ?')
  const episodes = db.prepare<[number, number, number], Raw>(
    'SELECT * FROM rollout_episodes WHERE set_no = ? AND place >= ? AND place < ? ORDER BY place',
  )
  const FILTER = `set_no = @no AND place > @after AND (@group IS NULL OR grp = @group) AND (@status IS NULL OR status = @status)`
  const page = db.prepare<[Raw], Raw>(`SELECT * FROM rollout_episodes WHERE ${FILTER} ORDER BY place LIMIT @limit`)
  const total = db.prepare<[Raw], { n: number }>(`SELECT count(*) AS n FROM rollout_episodes WHERE ${FILTER}`)

  const { require, rowOf, list } = createRows(db, {
    table: 'rollout_sets',
    toRow: toSet,
    missing: { code: 'rollouts_not_found', what: 'set of rollouts' },
  })
  const change = (id: string, values: Partial<Omit<SetRow, 'no' | 'id' | 'createdAt'>>): SetRow => {
    const row = { ...require(id), ...values }
    const { no, state, detail, costUsd, endedAt } = row
    update.run({ no, state, detail, costUsd, endedAt, settings: JSON.stringify(row.settings), counts: JSON.stringify(row.counts) })
    return row
  }
  const episodesOf = ({ no, id, settings: { rolloutsPerTask } }: SetRow, group: number, groupCount = 1): Episode[] =>
    episodes.all(no, group * rolloutsPerTask, (group + groupCount) * rolloutsPerTask).map((raw) => toEpisode(raw, id))

  return {
    require,
    change,
    list,
    byKey: (key: string): SetRow | null => rowOf(byKey.get(key)),
    insert(
      { id, name, model, settings }: Pick<SetRow, 'id' | 'name' | 'model' | 'settings'>,
      tasks: readonly RolloutTask[],
      { key, at }: { key: string | undefined; at: number },
    ): void {
      const { lastInsertRowid: no } = insert.run({
        id,
        name,
        model,
        settings: JSON.stringify(settings),
        tasks: tasks.length,
        counts: JSON.stringify(NOTHING_ENDED),
        key: key ?? null,
        at,
      })
      for (const [group, one] of tasks.entries()) insertTask.run(no, group, one.difficulty, JSON.stringify(one))
    },
    remove({ no }: SetRow): void {
      for (const one of removals) one.run(no)
      remove.run(no)
    },
    running: (): SetRow[] => running.all().map(toSet),

    task({ no }: SetRow, group: number): RolloutTask | null {
      const raw = task.get(no, group)
      return raw ? toGroup(raw).task : null
    },
    groups({ no, tasks }: SetRow, cursor: string | undefined, limit: number) {
      const rows = groups.all(no, numberAfter(cursor), limit + 1).map(toGroup)
      return { ...pageOf(rows, limit, ({ group }) => group), total: tasks }
    },
    scoreGroup({ no }: SetRow, group: number, scored: number, found: RewardGroup | null): void {
      const { mean = null, std = null, zeroVariance } = found ?? {}
      scoreGroup.run({ no, group, scored, mean, std, zeroVariance: zeroVariance === undefined ? null : Number(zeroVariance) })
    },

    addEpisode({ no, settings: { rolloutsPerTask } }: SetRow, episode: EpisodeRow): void {
      const { how, helpCalls, timeouts, truncatedOutputs, inputTokens, outputTokens, costUsd, check, error, ...row } = episode
      const facts: Facts = { how, helpCalls, timeouts, truncatedOutputs, inputTokens, outputTokens, costUsd, check, error }
      addEpisode.run({
        ...row,
        no,
        place: row.group * rolloutsPerTask + row.attempt - 1,
        success: row.success === null ? null : Number(row.success),
        codes: JSON.stringify(row.codes),
        terms: row.terms && JSON.stringify(row.terms),
        facts: JSON.stringify(facts),
      })
    },
    reward: ({ no, settings }: SetRow, { group, attempt }: Episode, value: number, terms: RewardTerms): void =>
      void reward.run({ no, place: group * settings.rolloutsPerTask + attempt - 1, reward: value, terms: JSON.stringify(terms) }),
    advantage: ({ no, settings }: SetRow, { group, attempt }: Episode, value: number | null): void =>
      void advantage.run(value, no, group * settings.rolloutsPerTask + attempt - 1),
    /** Deletes episodes that ended with an error, so that they are repeated, and the scores of their groups. */
    dropErrors({ no, settings: { rolloutsPerTask: perTask } }: SetRow): void {
      withoutErrors.run(no)
      withoutScores.run({ no, perTask })
      withoutAdvantages.run({ no })
    },
    /** The indexes of ended episodes in the set. */
    endedPlaces: ({ no }: SetRow): Set<number> => new Set(places.all(no).map(({ place }) => place)),
    /** The episodes of `groupCount` groups, starting with `group`. */
    episodesOf,
    episode: (row: SetRow, group: number, attempt: number): Episode | null =>
      episodesOf(row, group).find((one) => one.attempt === attempt) ?? null,
    episodes(
      { no, id, settings: { rolloutsPerTask } }: SetRow,
      {
        group = null,
        status = null,
        cursor,
        limit,
      }: { group?: number | null; status?: EpisodeStatus | null; cursor?: string | undefined; limit: number },
    ) {
      const rows = page.all({ no, group, status, after: numberAfter(cursor), limit: limit + 1 }).map((raw) => toEpisode(raw, id))
      const all = total.get({ no, group, status, after: -1 })?.n ?? 0
      return { ...pageOf(rows, limit, (last) => last.group * rolloutsPerTask + last.attempt - 1), total: all }
    },
  }
}

export type RolloutStore = ReturnType<typeof createRolloutStore>

const toSet = (raw: Raw): SetRow => ({
  no: Number(raw['no']),
  id: String(raw['id']),
  name: String(raw['name']),
  state: raw['state'] as SetRow['state'],
  detail: raw['detail'] as string | null,
  model: raw['model'] as string | null,
  settings: JSON.parse(String(raw['settings'])) as RolloutSettings, // as the contract checked it
  tasks: Number(raw['tasks']),
  counts: JSON.parse(String(raw['counts'])) as SetRow['counts'], // written by insert and change
  costUsd: raw['cost_usd'] as number | null,
  createdAt: Number(raw['created_at']),
  endedAt: raw['ended_at'] as number | null,
})

const toGroup = (raw: Raw): KeptGroup => ({
  group: Number(raw['grp']),
  task: JSON.parse(String(raw['task'])) as RolloutTask, // as the contract checked it
  scored: raw['scored'] as number | null,
  mean: raw['mean'] as number | null,
  std: raw['std'] as number | null,
  zeroVariance: raw['zero_variance'] === null ? null : raw['zero_variance'] === 1,
})

const toEpisode = (raw: Raw, set: string): Episode => ({
  ...(JSON.parse(String(raw['facts'])) as Facts), // written by addEpisode
  id: episodeId(set, Number(raw['grp']), Number(raw['attempt'])),
  taskId: String(raw['task_id']),
  group: Number(raw['grp']),
  attempt: Number(raw['attempt']),
  status: raw['status'] as EpisodeStatus,
  success: raw['success'] === null ? null : raw['success'] === 1,
  turns: Number(raw['turns']),
  nonzeroExitCodes: Number(raw['nonzero_exit_codes']),
  codes: JSON.parse(String(raw['codes'])) as number[],
  reward: raw['reward'] as number | null,
  terms: raw['terms'] === null ? null : (JSON.parse(String(raw['terms'])) as RewardTerms),
  advantage: raw['advantage'] as number | null,
  startedAt: isoOf(Number(raw['started_at'])),
  durationMs: Number(raw['duration_ms']),
})
