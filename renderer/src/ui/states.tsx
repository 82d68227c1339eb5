import { Copy, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { CodeText } from './code-text.tsx'
import { copyText } from './copy-text.ts'

/** A placeholder with the height and width of the content that is being loaded. */
export const Skeleton = ({ className }: { className?: string }) => <div aria-hidden className={cn('skeleton h-4', className)} />

/** Wraps skeletons; screen readers get `label` instead. */
export const Loading = ({ label, children, className }: { label: string; children: ReactNode; className?: string }) => (
  <div role="status" aria-live="polite" className={className}>
    <span className="sr-only">{label}</span>
    {children}
  </div>
)

/** An empty list: what will be listed here, why it matters, and the next action. */
export const EmptyState = ({
  title,
  children,
  action,
  ghost,
  className,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
  /** A faint picture of what will be here. */
  ghost?: ReactNode
  className?: string
}) => (
  <div className={cn('mx-auto flex max-w-[56ch] flex-col items-center gap-3 px-6 py-10 text-center', className)}>
    {ghost ? (
      <div aria-hidden className="opacity-40">
        {ghost}
      </div>
    ) : null}
    <h2 className="text-lg font-semibold">{title}</h2>
    <div className="text-base text-second">{children}</div>
    {action}
  </div>
)

/** An error: what happened, what to do, buttons, folded details with copy. */
export function ErrorState({
  title,
  error,
  retry,
  action,
  className,
}: {
  /** What could not be done. */
  title: string
  error: unknown
  retry?: () => void
  action?: ReactNode
  className?: string
}) {
  const { message, hint, code, details } = describeError(error)
  const full = [title, message, hint, code ? `code: ${code}` : null, details].filter(Boolean).join('\n')
  return (
    <div role="alert" className={cn('flex max-w-[72ch] flex-col gap-2 rounded border border-bad bg-panel p-4 text-sm', className)}>
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="break-words">
        <CodeText text={message} />
      </p>
      {hint ? (
        <p className="break-words text-second">
          <CodeText text={hint} />
        </p>
      ) : null}
      <div className="flex flex-wrap items-center gap-2 pt-1">
        {action}
        {retry ? (
          <Button icon={RefreshCw} onClick={retry}>
            Try again
          </Button>
        ) : null}
        <Button look="quiet" icon={Copy} onClick={() => void copyText(full, { remedy: 'Open the details and select the text.' })}>
          Copy details
        </Button>
      </div>
      {code || details ? (
        <details className="text-xs text-second">
          <summary className="py-1">Details</summary>
          <pre className="overflow-x-auto font-mono whitespace-pre-wrap">{[code, details].filter(Boolean).join('\n')}</pre>
        </details>
      ) : null}
    </div>
  )
}

/** Message, hint, code and details of anything thrown. */
export function describeError(error: unknown): { message: string; hint: string | null; code: string | null; details: string | null } {
  if (!(error instanceof Error)) return { message: String(error), hint: null, code: null, details: null }
  const { hint, code, details } = error as Error & { hint?: string; code?: string; details?: unknown }
  return {
    message: error.message,
    hint: hint ?? null,
    code: code ?? null,
    details: details === undefined ? null : typeof details === 'string' ? details : JSON.stringify(details, null, 2),
  }
}
