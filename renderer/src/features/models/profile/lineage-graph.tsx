import { Box, ChartLine, Database, FileOutput, ListTree, MessageSquareText, Sprout, type LucideIcon } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { Link } from 'wouter'
import type { Lineage, LineageNode, Model } from '#contracts/entities/model.ts'
import { useModelWord } from '#renderer/app/words/models.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Figure } from '#renderer/ui/figures/figure.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import type { TableProps } from '#renderer/ui/table.tsx'
import { useWidth } from '#renderer/ui/use-width.ts'
import { useLineage } from '../queries.ts'
import { layOut, NODE, type PlacedNode } from './lineage-layout.ts'

const KINDS: Record<LineageNode['kind'], { label: string; icon: LucideIcon }> = {
  trace: { label: 'Session', icon: ListTree },
  example: { label: 'Examples', icon: MessageSquareText },
  dataset: { label: 'Data set', icon: Database },
  base: { label: 'Base model', icon: Sprout },
  run: { label: 'Run', icon: ChartLine },
  model: { label: 'Model', icon: Box },
  export: { label: 'Export', icon: FileOutput },
}

/** The lineage from sessions to exports. A node links to its page if it has one. */
export function LineageGraph({ model: { id, training } }: { model: Model }) {
  return (
    <Section title="Origin">
      <Fetched query={useLineage(id)} what="lineage" bars={['h-48 w-full']}>
        {(lineage) => <Graph lineage={lineage} own={`model:${id}`} training={training} />}
      </Fetched>
    </Section>
  )
}

function Graph({ lineage, own, training }: { lineage: Lineage; own: string; training: Model['training'] }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const layout = useMemo(() => layOut(lineage, width), [lineage, width])
  return (
    <Figure title="Lineage" summary={summaryOf(lineage, training)} table={tableOf(lineage)}>
      {/* the graph scrolls sideways if the narrowest nodes do not fit, so it must be reachable by keyboard */}
      <div
        tabIndex={0}
        role="region"
        aria-label="Lineage graph"
        className="focus-inset relative overflow-x-auto rounded border border-line bg-panel p-3"
      >
        <div ref={box}>
          {width === 0 ? null : (
            <div className="relative mx-auto" style={{ width: layout.width, height: layout.height }}>
              <svg aria-hidden width={layout.width} height={layout.height} className="absolute inset-0">
                {layout.edges.map(({ id, path }) => (
                  <path key={id} d={path} fill="none" stroke="var(--edge)" strokeWidth={1.25} />
                ))}
              </svg>
              {layout.nodes.map((node) => (
                <Node key={node.id} node={node} width={layout.nodeWidth} isOwn={node.id === own} />
              ))}
            </div>
          )}
        </div>
      </div>
    </Figure>
  )
}

function Node({ node, width, isOwn }: { node: PlacedNode; width: number; isOwn: boolean }) {
  const { label, icon: Icon } = KINDS[node.kind]
  const baseName = useModelWord()
  const style = { left: node.x, top: node.y, width, height: NODE.height }
  const className = cn(
    'absolute flex flex-col justify-center gap-0.5 rounded border bg-bg px-2 text-left',
    isOwn ? 'border-2 border-accent' : 'border-edge',
    node.href !== null && 'hover:border-accent hover:bg-raised',
    node.count > 1 && 'shadow-[3px_3px_0_-1px_var(--panel),3px_3px_0_0_var(--edge)]',
  )
  const body = (
    <>
      <span className="flex min-w-0 items-center gap-1 text-xs text-second">
        <Icon size={12} aria-hidden className="shrink-0" />
        <span className="truncate">
          {label}
          {node.detail ? ` · ${node.detail}` : ''}
        </span>
      </span>
      <span className="truncate text-xs font-semibold">{node.kind === 'base' ? baseName(node.label) : node.label}</span>
    </>
  )
  const title = [label, node.label, node.detail].filter(Boolean).join(' · ')
  return node.href === null ? (
    <div style={style} title={title} className={className}>
      {body}
    </div>
  ) : (
    <Link href={node.href} style={style} title={title} aria-current={isOwn || undefined} className={className}>
      {body}
    </Link>
  )
}

const count = (nodes: readonly LineageNode[], kind: LineageNode['kind']) =>
  nodes.filter((node) => node.kind === kind).reduce((sum, node) => sum + node.count, 0)

function summaryOf({ nodes }: Lineage, { rows: toTrain, seenRows }: Model['training']): string {
  const [sessions, rows, exports] = [count(nodes, 'trace'), count(nodes, 'example'), count(nodes, 'export')]
  const origin =
    sessions === 0 ? 'None of its rows come from a session in this archive' : `${plural(sessions, 'session')} gave ${plural(rows, 'row')}`
  const reached = seenRows ?? toTrain
  const seen =
    reached === null
      ? ''
      : `; this model was trained on ${plural(reached, 'row')}${toTrain !== null && reached < toTrain ? ` of ${formatCount(toTrain)}` : ''}`
  return `${origin}${seen}; ${exports === 0 ? 'not exported yet' : `${plural(exports, 'export')} made from it`}.`
}

const tableOf = ({ nodes }: Lineage): TableProps<LineageNode> => ({
  caption: 'Nodes of the lineage',
  columns: [
    { id: 'kind', label: 'Kind', cell: ({ kind }) => KINDS[kind].label },
    { id: 'label', label: 'Name', cell: ({ label, href }) => (href === null ? label : <TextLink href={href}>{label}</TextLink>) },
    { id: 'detail', label: 'Detail', cell: ({ detail }) => detail ?? '' },
    { id: 'count', label: 'Count', numeric: true, cell: ({ count: many }) => formatCount(many) },
  ],
  rows: nodes,
  keyOf: ({ id }) => id,
})
