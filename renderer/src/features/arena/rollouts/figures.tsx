import type { RolloutStats } from '#contracts/entities/rollout.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { Bars } from '#renderer/ui/figures/pictures.tsx'
import { DASH, formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { BOUNDARIES, intervalWord, rateSentence, rateWord, rewardWord, TERMS } from './words.ts'

/** Figures of a set; each says in a sentence what it shows. */
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

type RateRow = RolloutStats['byDifficulty'][number] & { label: string }

function Success({ stats }: { stats: RolloutStats }) {
  const of = stats.byDifficulty.map((row) => ({ label: row.difficulty === null ? 'not known' : String(row.difficulty), ...row }))
  const rows: RateRow[] = [{ label: 'all', difficulty: null, ...stats.success }, ...of]
  return (
    <Figure
      title="Success by difficulty"
      summary={rateSentence(stats)}
      table={{ caption: 'Success by difficulty', columns: RATES, rows, keyOf: ({ label }) => label }}
    >
      <ul className="flex flex-col gap-1">
        {rows.map((row) => (
          <li key={row.label} className="grid grid-cols-[90px_minmax(0,1fr)_190px] items-center gap-3 text-sm">
            <span>{row.label === 'all' ? 'All' : `Level ${row.label}`}</span>
            <Interval row={row} />
            <span className="font-mono text-xs">
              {rateWord(row)} <span className="text-second">{intervalWord(row) === '' ? '' : `(${intervalWord(row)})`}</span>
            </span>
          </li>
        ))}
      </ul>
    </Figure>
  )
}

const percent = (share: number) => `${share * 100}%`

const Interval = ({ row: { solved, n, low, high } }: { row: RateRow }) => (
  <svg width="100%" height={20} className="block overflow-visible" aria-hidden>
    <line x1="0" x2="100%" y1={10} y2={10} stroke="var(--line)" />
    {low === null || high === null ? null : (
      <>
        <line x1={percent(low)} x2={percent(high)} y1={10} y2={10} stroke="var(--series-1)" strokeWidth={3} />
        <circle cx={percent(solved / n)} cy={10} r={5} fill="var(--series-1)" stroke="var(--bg)" strokeWidth={1.5} />
      </>
    )}
  </svg>
)

const RATES: Column<RateRow>[] = [
  { id: 'label', label: 'Difficulty', cell: ({ label }) => label },
  { id: 'rate', label: 'Solved', numeric: true, cell: rateWord },
  { id: 'interval', label: '95 % interval', numeric: true, cell: intervalWord },
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

const MOST_RANGES = 4
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

/** Few bars have space for both ends of their range. */
const binWord = ({ from, to }: RolloutStats['rewards'][number], bars: number) =>
  bars <= MOST_RANGES ? `${rewardWord(from)} to ${rewardWord(to)}` : rewardWord(from)

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

/** What cannot teach anything, and what the rewards are made of. */
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
