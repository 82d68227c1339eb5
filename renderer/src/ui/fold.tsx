import type { ReactNode } from 'react'

/** Rarely needed fields, folded; `summary` says their values. */
export function Fold({
  title,
  summary,
  hasProblem = false,
  children,
}: {
  title: string
  summary: string
  hasProblem?: boolean
  children: ReactNode
}) {
  return (
    <details className="border-b border-line py-3 last:border-b-0">
      <summary className="cursor-pointer text-sm">
        <span className="font-semibold">{title}</span>{' '}
        <span className={hasProblem ? 'text-xs text-bad' : 'text-xs text-second'}>{hasProblem ? 'needs a correction' : summary}</span>
      </summary>
      <div className="pl-4">{children}</div>
    </details>
  )
}
