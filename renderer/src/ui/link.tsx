import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { cn } from './cn.ts'

/** A link within the app, in running text. One that stands alone can be hit in 24 px, without taking more space. */
export const TextLink = ({
  href,
  children,
  className,
  ...more
}: {
  href: string
  children: ReactNode
  className?: string
  title?: string
  onClick?: () => void
}) => (
  <Link
    href={href}
    {...more}
    className={cn(
      '-my-1 min-h-6 content-center rounded-sm text-accent underline decoration-current/40 underline-offset-2 hover:decoration-current',
      className,
    )}
  >
    {children}
  </Link>
)

/** A link that looks like a button; `primary` at most once per screen. */
export const ButtonLink = ({
  href,
  look = 'plain',
  children,
}: {
  href: string
  look?: 'primary' | 'plain' | 'quiet'
  children: ReactNode
}) => (
  <Link
    href={href}
    className={cn(
      'inline-flex h-8 shrink-0 items-center justify-center gap-2 rounded border px-3 text-sm whitespace-nowrap',
      look === 'primary' && 'border-accent bg-accent font-semibold text-on-accent hover:brightness-90',
      look === 'plain' && 'border-edge bg-panel hover:bg-raised',
      look === 'quiet' && 'border-transparent hover:bg-raised',
    )}
  >
    {children}
  </Link>
)

/** Leads to the page that makes something new. */
export const NewLink = ({ href, label }: { href: string; label: string }) => (
  <ButtonLink href={href} look="primary">
    <Plus size={16} aria-hidden />
    {label}
  </ButtonLink>
)
