import { useMemo } from 'react'
import { cn } from '#renderer/ui/cn.ts'
import { formatBytes, formatCount } from '#renderer/ui/format.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { parseAnsi, type AnsiColour } from './ansi.ts'
import { clipOutput } from './clip.ts'

const INK: Record<AnsiColour, string> = {
  red: 'text-bad',
  green: 'text-ok',
  yellow: 'text-warn',
  blue: 'text-series-1',
  magenta: 'text-series-3',
  cyan: 'text-series-4',
  muted: 'text-second',
}

function Ansi({ text }: { text: string }) {
  const runs = useMemo(() => parseAnsi(text), [text])
  return runs.map((run, index) => (
    // runs are made of one text and never reordered
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index} className={cn(run.colour && INK[run.colour], run.bold && 'font-semibold')}>
      <Visible text={run.text} />
    </span>
  ))
}

const pre = 'm-0 font-mono text-xs leading-[1.45] break-words whitespace-pre-wrap'

/** Terminal output, clipped to its head and tail until it is expanded. */
export function Output({
  text,
  bytes,
  partial,
  expanded,
  onExpand,
  busy = false,
  failed = null,
}: {
  text: string
  bytes: number
  /** Only the first part is in this page. */
  partial: boolean
  expanded: boolean
  onExpand: () => void
  busy?: boolean
  failed?: string | null
}) {
  const clipped = useMemo(
    () => (expanded ? { kind: 'whole' as const, text: text.replace(/\n+$/, '') } : clipOutput(text)),
    [text, expanded],
  )
  const showAll = (words: string) => (
    <button
      type="button"
      onClick={onExpand}
      aria-busy={busy || undefined}
      className="focus-inset my-1 flex min-h-6 w-full items-center rounded-sm border border-line bg-raised px-2 text-left text-xs text-second hover:text-text"
    >
      {busy ? 'Loading the whole output…' : words}
    </button>
  )
  if (text === '' && !partial) return <p className="text-xs text-second">No output.</p>
  return (
    <div>
      {clipped.kind === 'whole' ? (
        <pre
          className={cn(pre, expanded && 'max-h-[70vh] overflow-auto')}
          {...(expanded ? { tabIndex: 0, role: 'region', 'aria-label': 'Output' } : {})}
        >
          <Ansi text={clipped.text} />
        </pre>
      ) : (
        <>
          <pre className={pre}>
            <Ansi text={clipped.head} />
          </pre>
          {showAll(
            clipped.kind === 'lines'
              ? `${formatCount(clipped.hidden)} lines hidden${partial ? ' here, more in the archive' : ''} · show all`
              : `${formatCount(clipped.hidden)} characters hidden · show all`,
          )}
          <pre className={pre}>
            <Ansi text={clipped.tail} />
          </pre>
        </>
      )}
      {clipped.kind === 'whole' && partial && !expanded ? showAll(`The first part of ${formatBytes(bytes)} · show all`) : null}
      {failed ? (
        <p role="alert" className="text-xs text-bad">
          {failed}
        </p>
      ) : null}
    </div>
  )
}
