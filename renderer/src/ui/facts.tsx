import type { ReactNode } from 'react'

/** Names on the left, values on the right. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">{children}</dl>
)

export const Fact = ({ name, mono = false, children }: { name: string; mono?: boolean; children: ReactNode }) => (
  <>
    <dt className="text-second">{name}</dt>
    <dd className={mono ? 'font-mono text-xs break-all' : 'min-w-0 break-words'}>{children}</dd>
  </>
)
