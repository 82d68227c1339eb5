import type { RolloutStats } from '#contracts/entities/rollout.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { Bars } from '#renderer/ui/figures/pictures.tsx'
import { DASH, formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { rateColumns, RateFigure, rateOf, type RateRow } from '#renderer/app/rates.tsx'
import { BOUNDARIES, solvedSentence, rewardWord, TERMS, unansweredWord } from './words.ts'

/** The results of a set of rollouts: success, turns, rewards, exit codes, and episodes without a reward. */
export function SetFigures({ stats, hasEnded }: { stats: RolloutStats; hasEnded: boolean }) {
  return (
    <Section title="Figures">
      <div className="grid grid-cols-1 gap-6 min-[1200px]:grid-cols-2">
        <Success stats={stats} hasEnded={hasEnded} />
        <Turns stats={stats} hasEnded={hasEnded} />
        <Rewards stats={stats} />
        <ExitCodes stats={stats} />
      </div>
      <Groups stats={stats} />
    </Section>
  )
}

type Row = RateRow & { n: number }

function Success({ stats, hasEnded }: { stats: RolloutStats; hasEnded: boolean }) {
  const rowOf = (label: string, { solved, n, tasks }: RolloutStats['success']): Row => ({ label, n, ...rateOf(solved, n, tasks) })
  return (
    <RateFigure
      title="Success by difficulty"
      summary={solvedSentence(stats, hasEnded)}
      caption="Success by difficulty"
      columns={RATE_COLUMNS}
      rows={[
        rowOf('All', stats.success),
        ...stats.byDifficulty.map((row) => rowOf(row.difficulty === null ? 'Level not known' : `Level ${row.difficulty}`, row)),
      ]}
    />
  )
}

const RATE_COLUMNS: Column<Row>[] = [
  ...rateColumns<Row>('Difficulty', 'Solved'),
  { id: 'n', label: 'Episodes', numeric: true, cell: ({ n }) => formatCount(n) },
]

const OUTCOME_SERIES = [
  { id: 'solved', label: 'Solved', color: 'var(--series-1)' },
  { id: 'unsolved', label: 'Not solved', color: 'var(--series-2)' },
]

const Legend = () => (
  <p className="flex gap-4 text-xs text-second" aria-hidden>
    {OUTCOME_SERIES.map(({ id, label, color }) => (
      <span key={id} className="inline-flex items-center gap-1.5">
        <span className="size-2.5 rounded-sm" style={{ background: color }} />
        {label}
      </span>
    ))}
  </p>
)

function Turns({ stats: { turns }, hasEnded }: { stats: RolloutStats; hasEnded: boolean }) {
  const episodeCount = turns.reduce((sum, one) => sum + one.solved + one.unsolved, 0)
  const mean = turns.reduce((sum, one) => sum + one.turns * (one.solved + one.unsolved), 0) / Math.max(1, episodeCount)
  const summary =
    episodeCount === 0 ? unansweredWord(hasEnded) : `${mean.toFixed(1)} turns on average, at most ${formatCount(turns.at(-1)?.turns ?? 0)}.`
  return (
    <Figure
      title="Turns"
      summary={summary}
      legend={<Legend />}
      table={{ caption: 'Episodes by turns', columns: TURN_COLUMNS, rows: turns, keyOf: (row) => String(row.turns) }}
    >
      <Bars
        rows={turns.map((row) => ({ label: String(row.turns), solved: row.solved, unsolved: row.unsolved }))}
        series={OUTCOME_SERIES}
        unit="episodes"
      />
    </Figure>
  )
}

const TURN_COLUMNS: Column<RolloutStats['turns'][number]>[] = [
  { id: 'turns', label: 'Turns', numeric: true, cell: ({ turns }) => formatCount(turns) },
  { id: 'solved', label: 'Solved', numeric: true, cell: ({ solved }) => formatCount(solved) },
  { id: 'unsolved', label: 'Not solved', numeric: true, cell: ({ unsolved }) => formatCount(unsolved) },
]

const MAX_RANGES = 4
const EPISODE_SERIES = [{ id: 'episodes', label: 'Episodes', color: 'var(--series-1)' }]

function Rewards({ stats: { reward, rewards } }: { stats: RolloutStats }) {
  const summary =
    reward.mean === null
      ? 'No episode has a reward yet.'
      : `${rewardWord(reward.mean)} on average over ${plural(reward.n, 'episode')}, from ${rewardWord(reward.least)} to ${rewardWord(reward.most)}.`
  return (
    <Figure
      title="Rewards"
      summary={summary}
      table={{ caption: 'Episodes by reward', columns: REWARD_COLUMNS, rows: rewards, keyOf: (row) => String(row.from) }}
    >
      <Bars
        rows={rewards.map((row) => ({ label: binWord(row, rewards.length), episodes: row.episodes }))}
        series={EPISODE_SERIES}
        unit="episodes"
      />
    </Figure>
  )
}

/** The label of a bar: both ends of its range if there are few bars, otherwise only the lower end. */
const binWord = ({ from, to }: RolloutStats['rewards'][number], bars: number) =>
  bars <= MAX_RANGES ? `${rewardWord(from)} to ${rewardWord(to)}` : rewardWord(from)

const REWARD_COLUMNS: Column<RolloutStats['rewards'][number]>[] = [
  { id: 'from', label: 'Reward', numeric: true, cell: ({ from, to }) => `${rewardWord(from)} to ${rewardWord(to)}` },
  { id: 'episodes', label: 'Episodes', numeric: true, cell: ({ episodes }) => formatCount(episodes) },
]

const COMMAND_SERIES = [{ id: 'turns', label: 'Turns', color: 'var(--series-1)' }]

function ExitCodes({ stats: { exitCodes } }: { stats: RolloutStats }) {
  const commandCount = exitCodes.reduce((sum, one) => sum + one.turns, 0)
  const failedCount = exitCodes.reduce((sum, one) => sum + (one.code === 0 ? 0 : one.turns), 0)
  const summary =
    commandCount === 0
      ? 'No command has ended yet.'
      : `${formatPercent(failedCount / commandCount)} of ${plural(commandCount, 'command')} ended with a non-zero exit code.`
  return (
    <Figure
      title="Exit codes"
      summary={summary}
      table={{ caption: 'Commands by exit code', columns: EXIT_CODE_COLUMNS, rows: exitCodes, keyOf: (row) => String(row.code) }}
    >
      <Bars rows={exitCodes.map((row) => ({ label: String(row.code), turns: row.turns }))} series={COMMAND_SERIES} unit="commands" />
    </Figure>
  )
}

const EXIT_CODE_COLUMNS: Column<RolloutStats['exitCodes'][number]>[] = [
  { id: 'code', label: 'Exit code', numeric: true, cell: ({ code }) => String(code) },
  { id: 'turns', label: 'Commands', numeric: true, cell: ({ turns }) => formatCount(turns) },
]

/** Groups and episodes that cannot be used for training, and the mean of each reward term. */
function Groups({ stats: { groups, corrupted, errors, ended, terms } }: { stats: RolloutStats }) {
  const share = (part: number, total: number) =>
    total === 0 ? 'not measured' : `${formatPercent(part / total)} (${formatCount(part)} of ${formatCount(total)})`
  const rows = [
    { name: 'Groups with identical rewards, which teach nothing', value: share(groups.zeroVariance, groups.scored) },
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
  return <Table caption="Groups, losses and terms of the reward" columns={MEASURE_COLUMNS} rows={rows} keyOf={({ name }) => name} />
}

const MEASURE_COLUMNS: Column<{ name: string; value: string }>[] = [
  { id: 'name', label: 'Measure', cell: ({ name }) => name },
  { id: 'value', label: 'Value', numeric: true, cell: ({ value }) => value },
]
