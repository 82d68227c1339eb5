import type { RolloutStats } from '#contracts/entities/rollout.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { Bars } from '#renderer/ui/figures/pictures.tsx'
import { DASH, formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { rateColumns, RateFigure, rateOf, type RateRow } from '../rates.tsx'
import { BOUNDARIES, solvedSentence, rewardWord, TERMS } from './words.ts'

export function SetFigures({ stats }: { stats: RolloutStats }) {
  return (
    <Section title="Figures">
      <div className="grid grid-cols-1 gap-6 min-[1200px]:grid-cols-2">
        <Success stats={stats} />
        <Turns stats={stats} />
        <Rewards stats={stats} />
        <Codes stats={stats} />
      </div>
      <Groups stats={stats} />
    </Section>
  )
}

type Row = RateRow & { n: number }

function Success({ stats }: { stats: RolloutStats }) {
  const rowOf = (label: string, { solved, n }: RolloutStats['success']): Row => ({ label, n, ...rateOf(solved, n) })
  return (
    <RateFigure
      title="Success by difficulty"
      summary={solvedSentence(stats)}
      caption="Success by difficulty"
      columns={RATES}
      rows={[
        rowOf('All', stats.success),
        ...stats.byDifficulty.map((row) => rowOf(row.difficulty === null ? 'Level not known' : `Level ${row.difficulty}`, row)),
      ]}
    />
  )
}

const RATES: Column<Row>[] = [
  ...rateColumns<Row>('Difficulty', 'Solved'),
  { id: 'n', label: 'Episodes', numeric: true, cell: ({ n }) => formatCount(n) },
]

const SOLVED = [
  { id: 'solved', label: 'Solved', color: 'var(--series-1)' },
  { id: 'unsolved', label: 'Not solved', color: 'var(--series-2)' },
]

const Legend = () => (
  <p className="flex gap-4 text-xs text-second" aria-hidden>
    {SOLVED.map(({ id, label, color }) => (
      <span key={id} className="inline-flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm" style={{ background: color }} />
        {label}
      </span>
    ))}
  </p>
)

function Turns({ stats: { turns } }: { stats: RolloutStats }) {
  const all = turns.reduce((sum, one) => sum + one.solved + one.unsolved, 0)
  const mean = turns.reduce((sum, one) => sum + one.turns * (one.solved + one.unsolved), 0) / Math.max(1, all)
  const summary =
    all === 0 ? 'No episode has an answer yet.' : `${mean.toFixed(1)} turns on average, at most ${formatCount(turns.at(-1)?.turns ?? 0)}.`
  return (
    <Figure
      title="Turns"
      summary={summary}
      legend={<Legend />}
      table={{ caption: 'Episodes by turns', columns: TURNS, rows: turns, keyOf: (row) => String(row.turns) }}
    >
      <Bars
        rows={turns.map((row) => ({ label: String(row.turns), solved: row.solved, unsolved: row.unsolved }))}
        series={SOLVED}
        unit="episodes"
      />
    </Figure>
  )
}

const TURNS: Column<RolloutStats['turns'][number]>[] = [
  { id: 'turns', label: 'Turns', numeric: true, cell: ({ turns }) => formatCount(turns) },
  { id: 'solved', label: 'Solved', numeric: true, cell: ({ solved }) => formatCount(solved) },
  { id: 'unsolved', label: 'Not solved', numeric: true, cell: ({ unsolved }) => formatCount(unsolved) },
]

const MAX_RANGES = 4
const EPISODES = [{ id: 'episodes', label: 'Episodes', color: 'var(--series-1)' }]

function Rewards({ stats: { reward, rewards } }: { stats: RolloutStats }) {
  const summary =
    reward.mean === null
      ? 'No episode has a reward yet.'
      : `${rewardWord(reward.mean)} on average over ${plural(reward.n, 'episode')}, from ${rewardWord(reward.least)} to ${rewardWord(reward.most)}.`
  return (
    <Figure
      title="Rewards"
      summary={summary}
      table={{ caption: 'Episodes by reward', columns: REWARDS, rows: rewards, keyOf: (row) => String(row.from) }}
    >
      <Bars
        rows={rewards.map((row) => ({ label: binWord(row, rewards.length), episodes: row.episodes }))}
        series={EPISODES}
        unit="episodes"
      />
    </Figure>
  )
}

/** With few bars there is space for both ends of each range. */
const binWord = ({ from, to }: RolloutStats['rewards'][number], bars: number) =>
  bars <= MAX_RANGES ? `${rewardWord(from)} to ${rewardWord(to)}` : rewardWord(from)

const REWARDS: Column<RolloutStats['rewards'][number]>[] = [
  { id: 'from', label: 'Reward', numeric: true, cell: ({ from, to }) => `${rewardWord(from)} to ${rewardWord(to)}` },
  { id: 'episodes', label: 'Episodes', numeric: true, cell: ({ episodes }) => formatCount(episodes) },
]

const OF_TURNS = [{ id: 'turns', label: 'Turns', color: 'var(--series-1)' }]

function Codes({ stats: { exitCodes } }: { stats: RolloutStats }) {
  const all = exitCodes.reduce((sum, one) => sum + one.turns, 0)
  const bad = exitCodes.reduce((sum, one) => sum + (one.code === 0 ? 0 : one.turns), 0)
  const summary =
    all === 0 ? 'No command has ended yet.' : `${formatPercent(bad / all)} of ${plural(all, 'command')} ended with a non-zero exit code.`
  return (
    <Figure
      title="Exit codes"
      summary={summary}
      table={{ caption: 'Commands by exit code', columns: CODES, rows: exitCodes, keyOf: (row) => String(row.code) }}
    >
      <Bars rows={exitCodes.map((row) => ({ label: String(row.code), turns: row.turns }))} series={OF_TURNS} unit="commands" />
    </Figure>
  )
}

const CODES: Column<RolloutStats['exitCodes'][number]>[] = [
  { id: 'code', label: 'Exit code', numeric: true, cell: ({ code }) => String(code) },
  { id: 'turns', label: 'Commands', numeric: true, cell: ({ turns }) => formatCount(turns) },
]

/** What can't be learned from, and the terms of the reward. */
function Groups({ stats: { groups, corrupted, errors, ended, terms } }: { stats: RolloutStats }) {
  const share = (part: number, whole: number) =>
    whole === 0 ? 'not measured' : `${formatPercent(part / whole)} (${formatCount(part)} of ${formatCount(whole)})`
  const rows = [
    { name: 'Groups with identical rewards, from which nothing is learned', value: share(groups.zeroVariance, groups.scored) },
    { name: 'Episodes with a message that was cut off', value: share(corrupted, ended) },
    ...errors.map(({ boundary, episodes }) => ({
      name: `Episodes with an error in ${BOUNDARIES[boundary] ?? boundary}`,
      value: share(episodes, ended),
    })),
    ...Object.entries(terms).map(([name, mean]) => ({
      name: `${TERMS[name] ?? name}, mean`,
      value: Number.isFinite(mean) ? mean.toFixed(3).replace('-', '−') : DASH,
    })),
  ]
  return <Table caption="Groups, losses and terms of the reward" columns={VALUES} rows={rows} keyOf={({ name }) => name} />
}

const VALUES: Column<{ name: string; value: string }>[] = [
  { id: 'name', label: 'Measure', cell: ({ name }) => name },
  { id: 'value', label: 'Value', numeric: true, cell: ({ value }) => value },
]
