import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'
import { CodeText } from './code-text.tsx'

const LEVELS = {
  refusal: { icon: CircleAlert, ink: 'text-bad', word: 'Prevents the start' },
  warning: { icon: TriangleAlert, ink: 'text-warn', word: 'Warning' },
  info: { icon: Info, ink: 'text-second', word: 'Note' },
} as const
export const LEVEL_ORDER = Object.keys(LEVELS)

/** A note about a plan, as an item of a list. */
export function NoteLine({
  level,
  message,
  hint,
  children,
}: {
  level: keyof typeof LEVELS
  message: string
  hint?: string | null | undefined
  children?: ReactNode
}) {
  const { icon: Icon, ink, word } = LEVELS[level]
  return (
    <li className="flex gap-2">
      <Icon size={16} aria-label={word} className={cn('mt-0.5 shrink-0', ink)} />
      <span className="min-w-0 break-words">
        <CodeText text={message} />
        {hint ? (
          <span className="text-second">
            {' '}
            <CodeText text={hint} />
          </span>
        ) : null}
        {children}
      </span>
    </li>
  )
}
