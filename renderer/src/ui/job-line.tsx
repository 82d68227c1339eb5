import type { ReactNode } from 'react'
import { Progress } from './meter.tsx'

/** Long work: name, progress bar, sentence (phase, rate, time left), and buttons. */
export function JobLine({ name, share, sentence, actions }: { name: string; share: number | null; sentence: string; actions?: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className="font-semibold">{name}</span>
        <span className="min-w-0 flex-1 text-second">{sentence}</span>
        {actions}
      </div>
      <Progress label={name} value={share} />
    </div>
  )
}
