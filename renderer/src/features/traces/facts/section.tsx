import type { ReactNode } from 'react'
import { formatCount } from '#renderer/ui/format.ts'

/** One block of the facts under its heading. */
export const Section = ({ title, count, children }: { title: string; count?: number; children: ReactNode }) => (
  <section className="flex flex-col gap-2">
    <h3 className="flex items-baseline gap-2 text-sm font-semibold">
      {title}
      {count === undefined ? null : <span className="text-xs font-normal text-second">{formatCount(count)}</span>}
    </h3>
    {children}
  </section>
)
