import type { Dataset } from '#contracts/entities/dataset.ts'
import { traceHref } from '#renderer/app/links.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { formatBytes, formatCount, formatDuration, formatInstant, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { VirtualList } from '#renderer/ui/lists/virtual-list.tsx'
import { SPLIT_WORDS } from '../words.ts'
import { UsesList } from './uses.tsx'

/** The recipe, sources and files of a version: enough to reproduce it. */
export function Manifest({ dataset }: { dataset: Dataset }) {
  const { files, lineage, sources } = dataset
  const facts: [string, string][] = [
    ['ID', dataset.id],
    ['Built', `${formatInstant(dataset.createdAt)}, in ${formatDuration(dataset.ms)}`],
    ['Seed', String(dataset.seed)],
    ['Code version', dataset.codeVersion],
    ['Score version', String(dataset.scoreVersion)],
    ['Privacy policy', dataset.policyHash ?? 'none'],
  ]
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-[1288px] flex-col gap-8 px-6 py-5">
        <Section title="Files">
          <Table
            caption="Files of this version"
            columns={[
              { id: 'split', label: 'Split', cell: ({ split }) => SPLIT_WORDS[split] },
              { id: 'file', label: 'File', className: 'font-mono text-xs', cell: ({ path }) => path },
              { id: 'rows', label: 'Rows', numeric: true, cell: ({ rows }) => formatCount(rows) },
              { id: 'bytes', label: 'Size', numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
              { id: 'sha', label: 'SHA-256', className: 'font-mono text-xs break-all', cell: ({ sha256 }) => sha256 },
            ]}
            rows={files}
            keyOf={({ split }) => split}
          />
        </Section>
        <Section title="Build settings">
          <dl className="grid grid-cols-[10rem_minmax(0,1fr)] gap-y-1 text-sm">
            {facts.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-second">{name}</dt>
                <dd className="font-mono text-xs leading-5 break-all">{value}</dd>
              </div>
            ))}
          </dl>
          <CodeBlock label="Recipe" text={JSON.stringify(dataset.options, null, 2)} className="max-h-96 overflow-hidden" />
        </Section>
        <Section title="Used by" note="Runs trained on this version and the models they produced">
          {lineage.runs.length === 0 ? <p className="text-sm">No run has used this version yet.</p> : <UsesList uses={lineage} />}
        </Section>
        <Section title="Sources" note={`${plural(sources.length, 'session')}, each with a hash of its content`}>
          <div className="flex h-80 flex-col rounded border border-line">
            <VirtualList items={sources} estimate={32} keyOf={({ traceId }) => traceId} label="Sessions of this version">
              {({ traceId, split, examples, contentHash }) => (
                <div className="grid h-8 grid-cols-[15rem_6rem_5rem_minmax(0,1fr)] items-center gap-3 border-b border-line px-3 text-xs">
                  <TextLink href={traceHref(traceId)} className="truncate font-mono">
                    {traceId}
                  </TextLink>
                  <span>{SPLIT_WORDS[split]}</span>
                  <span className="text-right">{plural(examples, 'row')}</span>
                  <span className="truncate font-mono text-second" title={contentHash}>
                    {contentHash}
                  </span>
                </div>
              )}
            </VirtualList>
          </div>
        </Section>
      </div>
    </div>
  )
}
