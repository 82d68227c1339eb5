import { useState } from 'react'
import { BENCHMARK_VERDICT_WORDS } from '#contracts/benchmark-words.ts'
import { type BenchmarkRow, type BenchmarkRun, BenchmarkVerdict } from '#contracts/entities/benchmark.ts'
import { type RowKind, useBenchmarkRow, useBenchmarkRows } from '#renderer/api/benchmarks.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH } from '#renderer/ui/format.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { VERDICT_TONES } from './words.ts'

const KINDS: readonly { value: RowKind | 'all'; label: string }[] = [
  { value: 'all', label: 'All answers' },
  ...BenchmarkVerdict.options.map((value) => ({ value, label: `Only ${BENCHMARK_VERDICT_WORDS[value]}` })),
  { value: 'suspicious', label: 'Only suspicious' },
  { value: 'contaminated', label: 'Only in the training data' },
]

/** Every answer with its verdict. */
export function Rows({ run }: { run: BenchmarkRun }) {
  const [search, change] = useSearchState()
  const only = KINDS.find(({ value }) => value === search.get('only'))?.value ?? 'all'
  const [open, setOpen] = useState<BenchmarkRow | null>(null)
  const list = useBenchmarkRows(run.id, only)
  const { rows, more } = useRows(list)
  const item: Column<BenchmarkRow> = {
    id: 'item',
    label: 'Item',
    cell: (row) => (
      <Button size="small" look="quiet" aria-label={`Open ${row.id}, answer ${row.sample}`} onClick={() => setOpen(row)}>
        {row.id}
        {run.samples > 1 ? `, ${row.sample}` : ''}
      </Button>
    ),
  }
  return (
    <Section
      title="Answer by answer"
      actions={
        <Select
          label="Which answers"
          value={only}
          options={KINDS}
          onChange={(value) => change({ only: value === 'all' ? null : value }, { replace: true })}
        />
      }
    >
      <Fetched query={{ ...list, refetch: list.refetch }} what="answers" bars={['h-12 w-full', 'h-12 w-full']}>
        {() =>
          rows.length === 0 ? (
            <p className="text-sm text-second">No such answer.</p>
          ) : (
            <>
              <Table caption="Answers" columns={[item, ...COLUMNS]} rows={rows} keyOf={({ no, sample }) => `${no} ${sample}`} />
              {list.hasNextPage ? <Button onClick={more}>Show more</Button> : null}
            </>
          )
        }
      </Fetched>
      {open ? <OpenRow run={run} row={open} onClose={() => setOpen(null)} /> : null}
    </Section>
  )
}

const short = (text: string | null) => (
  <span className="line-clamp-2 max-w-80 font-mono text-xs break-all">
    <Visible text={text ?? DASH} />
  </span>
)

const COLUMNS: Column<BenchmarkRow>[] = [
  {
    id: 'verdict',
    label: 'Verdict',
    cell: ({ verdict, suspicious }) => (
      <span className="flex gap-1">
        {verdict === null ? DASH : <Badge tone={VERDICT_TONES[verdict]}>{BENCHMARK_VERDICT_WORDS[verdict]}</Badge>}
        {suspicious === null ? null : <Badge tone="warn">suspicious: {suspicious}</Badge>}
      </span>
    ),
  },
  { id: 'extracted', label: 'Scored part', cell: ({ extracted }) => short(extracted) },
  {
    id: 'reason',
    label: 'Reason',
    cell: ({ reason }) => (
      <span className="line-clamp-2 max-w-96 text-xs break-words">{reason === null ? '' : <Visible text={reason} />}</span>
    ),
  },
]

function OpenRow({ run, row: { no, id, sample }, onClose }: { run: BenchmarkRun; row: BenchmarkRow; onClose: () => void }) {
  const query = useBenchmarkRow(run.id, no, sample)
  return (
    <Dialog open wide title={run.samples > 1 ? `${id}, answer ${sample}` : id} description={run.title} onOpenChange={onClose}>
      <Fetched query={{ ...query, refetch: query.refetch }} what="answer" bars={['h-32 w-full']}>
        {({ prompt, answer, extracted, program, reason, expected }) => (
          <div className="flex flex-col gap-3">
            {reason === null ? null : (
              <p className="text-sm break-words">
                <Visible text={reason} />
              </p>
            )}
            {PARTS({ prompt, answer, extracted, expected, program }).map(([name, text]) =>
              text === null ? null : (
                <section key={name} aria-label={name} className="flex flex-col gap-1">
                  <h3 className="text-sm font-semibold">{name}</h3>
                  <CodeBlock wrap label={name} text={text} className="max-h-72" />
                </section>
              ),
            )}
          </div>
        )}
      </Fetched>
    </Dialog>
  )
}

const PARTS = ({
  prompt,
  answer,
  extracted,
  expected,
  program,
}: Record<'prompt' | 'expected', string> & Record<'answer' | 'extracted' | 'program', string | null>) =>
  [
    ['Question', prompt],
    ['Answer', answer],
    ['Scored part', extracted],
    ['Expected', expected],
    ['Program that ran', program],
  ] as const
