import type { ReactNode } from 'react'
import { CodeText } from '#renderer/ui/code-text.tsx'

/** What failed, why, and what to do. */
export const Failure = ({
  title,
  message,
  hint,
  children,
}: {
  title: string
  message: string
  hint: string | null
  children?: ReactNode
}) => (
  <div role="alert" className="flex flex-col gap-1 rounded border border-bad p-3 text-sm">
    <h3 className="font-semibold">{title}</h3>
    <p className="break-words">
      <CodeText text={message} />
    </p>
    {hint === null ? null : (
      <p className="break-words text-second">
        <CodeText text={hint} />
      </p>
    )}
    {children}
  </div>
)
