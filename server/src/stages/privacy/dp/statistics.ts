import { Tier } from '#contracts/entities/common.ts'
import type { Statistic } from './release.ts'

/** The facts of a session that statistics use. */
export interface SessionFigures {
  tier: string
  minutes: number | null
  tools: readonly string[]
}

export type StatisticName = 'sessions' | 'sessions_by_tier' | 'sessions_by_tool' | 'mean_session_minutes'

/** Bins are fixed, because a bin that appears only if some session used a tool would reveal that session. */
const TOOLS = 'Bash Read Edit MultiEdit Write Glob Grep Task Agent TodoWrite WebFetch WebSearch NotebookEdit Skill'.split(' ')
/** A session counts for at most eight tools, the first ones in `TOOLS`, so that its influence is bounded. */
const TOOLS_PER_SESSION = 8

export function statisticOf(what: StatisticName, sessions: readonly SessionFigures[], maxMinutes: number): Statistic {
  const builders: Record<StatisticName, () => Statistic> = {
    sessions: () => ({ kind: 'count', value: sessions.length }),
    sessions_by_tier: () => ({ kind: 'histogram', bins: binsOf(Tier.options, sessions, ({ tier }) => [tier]), perSession: 1 }),
    sessions_by_tool: () => ({
      kind: 'histogram',
      bins: binsOf(TOOLS, sessions, ({ tools }) => TOOLS.filter((tool) => tools.includes(tool)).slice(0, TOOLS_PER_SESSION)),
      perSession: TOOLS_PER_SESSION,
    }),
    mean_session_minutes: () => ({
      kind: 'mean',
      values: sessions.flatMap(({ minutes }) => (minutes === null ? [] : [minutes])),
      low: 0,
      high: maxMinutes,
    }),
  }
  return builders[what]()
}

function binsOf(names: readonly string[], sessions: readonly SessionFigures[], of: (session: SessionFigures) => readonly string[]) {
  const bins = Object.fromEntries(names.map((name) => [name, 0]))
  for (const session of sessions) for (const name of of(session)) bins[name]! += 1
  return bins
}
