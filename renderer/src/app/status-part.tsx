import type { ComponentType, ReactNode } from 'react'
import { Link } from 'wouter'
import { useConnection } from '#renderer/api/connection.ts'
import { cn } from '#renderer/ui/cn.ts'

/** A part of the status bar: a few words as a link. */
export function StatusPart({
  href,
  icon: Icon,
  tone = 'text-second',
  children,
  grow = false,
}: {
  href: string
  icon: ComponentType<{ size?: number; className?: string; 'aria-hidden'?: boolean }>
  tone?: string
  children: ReactNode
  grow?: boolean
}) {
  const isOffline = useConnection(({ state }) => state === 'offline')
  return (
    <Link
      href={href}
      className={cn(
        'focus-inset flex h-6 items-center gap-1.5 rounded-sm px-2 text-second hover:bg-raised hover:text-text',
        'min-w-0',
        grow && 'shrink-[100000]', // shrinking another part by a pixel would cut off its last word
      )}
    >
      {/* without a connection, green would claim something that is not known */}
      <Icon size={14} aria-hidden className={cn('shrink-0', isOffline && tone === 'text-ok' ? 'text-second' : tone)} />
      <span className="truncate whitespace-nowrap">{children}</span>
    </Link>
  )
}
