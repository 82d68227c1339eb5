import type { Dataset } from '#contracts/entities/dataset.ts'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { dropWords, SPLIT_WORDS, stageWords } from '../words.ts'
import { IncludeUnverified } from './include-unverified.tsx'
import { addedSentence, funnelRows, funnelSentence, type FunnelRow } from './funnel-model.ts'

/** The reason of excluded gold sessions without a passed verification. */
const UNVERIFIED = 'unverified'
const SPLIT_COLOR = { train: 'var(--series-1)', val: 'var(--series-2)', test: 'var(--series-3)' }

/** How many items entered and left each stage of the build, and what was excluded why. */
export function Funnel({ dataset }: { dataset: Dataset }) {
  const rows = funnelRows(dataset.funnel)
  const hrefOf = (stage: string, reason?: string) =>
    `/factory/datasets/${dataset.id}?${new URLSearchParams({ tab: 'dropped', stage, ...(reason === undefined ? {} : { reason }) }).toString()}`
  const drops = (row: FunnelRow) =>
    row.added ? (
      <span className="text-second">{addedSentence(row.added)}</span>
    ) : row.dropped.length === 0 ? (
      <span className="text-second">none excluded</span>
    ) : (
      <ul className="flex flex-col">
        {row.dropped.map(({ reason, count }) => (
          <li key={reason}>
            <TextLink href={hrefOf(row.stage, reason)}>
              {formatCount(count)} {dropWords(reason)}
            </TextLink>
            {reason === UNVERIFIED ? <IncludeUnverified dataset={dataset} /> : null}
          </li>
        ))}
      </ul>
    )
  const total = dataset.counts.train + dataset.counts.val + dataset.counts.test
  return (
    <Figure
      title="From sessions to rows"
      summary={`${funnelSentence(dataset)}.`}
      table={{
        caption: 'Stages of the build',
        columns: [
          { id: 'stage', label: 'Stage', cell: (row) => stageWords(row.stage, dataset.options.review).label },
          { id: 'unit', label: 'Unit', cell: ({ unit }) => unit },
          { id: 'in', label: 'In', numeric: true, cell: (row) => formatCount(row.in) },
          { id: 'out', label: 'Out', numeric: true, cell: (row) => formatCount(row.out) },
          { id: 'dropped', label: 'Excluded', cell: drops },
        ],
        rows,
        keyOf: ({ stage }) => stage,
      }}
    >
      <ol className="flex flex-col">
        {rows.map((row) => (
          <li
            key={row.stage}
            className="grid grid-cols-[minmax(8rem,11rem)_minmax(4rem,1fr)_7.5rem_minmax(8rem,16rem)] items-center gap-x-4 border-b border-line py-2 text-sm"
          >
            <div>
              <p className="font-semibold">{stageWords(row.stage, dataset.options.review).label}</p>
              <p className="text-xs text-second">{stageWords(row.stage, dataset.options.review).meaning}</p>
            </div>
            <div aria-hidden className="flex h-6 bg-raised">
              <div className="bg-accent" style={{ width: `${row.keptShare * 100}%` }} />
              <div className="border-y border-r border-edge bg-(image:--pending-hatch)" style={{ width: `${row.lostShare * 100}%` }} />
            </div>
            <p className="text-right">
              <b>{formatCount(row.out)}</b> <span className="text-second">{row.unit}</span>
            </p>
            <div className="text-xs">{drops(row)}</div>
          </li>
        ))}
        <li className="grid grid-cols-[minmax(8rem,11rem)_minmax(4rem,1fr)_7.5rem_minmax(8rem,16rem)] items-center gap-x-4 py-2 text-sm">
          <p className="font-semibold">In the version</p>
          <div aria-hidden className="flex h-6 bg-raised">
            {total > 0
              ? dataset.files.map(({ split, rows: count }) => (
                  <div key={split} style={{ width: `${(count / total) * 100}%`, background: SPLIT_COLOR[split] }} />
                ))
              : null}
          </div>
          <p className="text-right">
            <b>{formatCount(total)}</b> <span className="text-second">rows</span>
          </p>
          <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
            {dataset.files.map(({ split, rows: count }) => (
              <li key={split} className="flex items-center gap-1.5">
                <span aria-hidden className="size-2 rounded-[2px]" style={{ background: SPLIT_COLOR[split] }} />
                <TextLink href={`/factory/datasets/${dataset.id}?tab=rows&split=${split}`}>
                  {formatCount(count)} {SPLIT_WORDS[split].toLowerCase()}
                </TextLink>
              </li>
            ))}
          </ul>
        </li>
      </ol>
    </Figure>
  )
}
