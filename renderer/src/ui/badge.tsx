import type { ReactNode } from 'react'
import { cn } from './cn.ts'

const tones = {
  neutral: 'border-line text-second',
  accent: 'border-accent text-accent',
  ok: 'border-ok text-ok',
  warn: 'border-warn text-warn',
  bad: 'border-bad text-bad',
} as const
export type Tone = keyof typeof tones

/** Green, amber and red are only for outcomes. */
export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={cn('inline-flex h-5 items-center gap-1 rounded-sm border px-1.5 text-xs whitespace-nowrap', tones[tone])}>
    {children}
  </span>
)
