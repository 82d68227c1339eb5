import { cn } from './cn.ts'
import { Visible, visible } from './visible.tsx'

/** One line, cut in its middle if it doesn't fit, so that both ends of a path or a name stay readable. */
export function MiddleCut({
  text,
  end = 10,
  className,
}: {
  text: string
  /** Characters at the end that are never cut. */ end?: number
  className?: string
}) {
  const at = Math.max(0, text.length - end)
  return (
    <span className={cn('flex min-w-0', className)} title={visible(text)}>
      <span className="truncate whitespace-pre">
        <Visible text={text.slice(0, at)} />
      </span>
      <span className="shrink-0 whitespace-pre">
        <Visible text={text.slice(at)} />
      </span>
    </span>
  )
}
