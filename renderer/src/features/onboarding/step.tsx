import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '#renderer/ui/cn.ts'

export function Step({ number, title, done = false, children }: { number: number; title: string; done?: boolean; children: ReactNode }) {
  return (
    <li className="flex gap-4 border-t border-line py-5">
      <span
        aria-hidden
        className={cn(
          'flex size-6 shrink-0 items-center justify-center rounded-full border text-xs',
          done ? 'border-ok text-ok' : 'border-edge text-second',
        )}
      >
        {done ? <Check size={14} /> : number}
      </span>
      <section aria-label={title} className="flex min-w-0 flex-1 flex-col gap-3">
        <h2 className="text-lg font-semibold">{title}</h2>
        {children}
      </section>
    </li>
  )
}
