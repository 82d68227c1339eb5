import type { ComputeDevice, MemoryEstimate } from '#contracts/entities/run.ts'
import { formatBytes } from '#renderer/ui/format.ts'

const PARTS = [
  ['weights', 'weights', 'var(--series-1)'],
  ['adapter', 'adapter', 'var(--series-5)'],
  ['gradients', 'gradients', 'var(--series-2)'],
  ['optimizer', 'optimiser', 'var(--series-3)'],
  ['activations', 'activations', 'var(--series-4)'],
  ['cache', 'generated answers', 'var(--series-6)'],
  ['teacher', 'teacher', 'var(--series-7)'],
  ['overhead', 'libraries', 'var(--series-8)'],
] as const

/** The parts of the estimated memory, compared with the free memory. */
export function MemoryBar({ memory, device }: { memory: MemoryEstimate; device: ComputeDevice }) {
  const free = device.freeBytes
  const barBytes = Math.max(memory.total, free ?? 0)
  const parts = PARTS.map(([name, label, color]) => ({ label, color, bytes: memory[name] ?? 0 })).filter(({ bytes }) => bytes > 0)
  return (
    <div className="flex flex-col gap-1.5">
      <div
        role="img"
        aria-label={`About ${formatBytes(memory.total)} of ${free === null ? 'free memory that was not measured' : `${formatBytes(free)} free`}: ${parts.map(({ label, bytes }) => `${label} ${formatBytes(bytes)}`).join(', ')}`}
        className="relative h-4 overflow-hidden rounded-sm bg-raised"
      >
        <div className="flex h-full gap-px">
          {parts.map(({ label, bytes, color }) => (
            <div key={label} style={{ width: `${(bytes / barBytes) * 100}%`, background: color }} />
          ))}
        </div>
        {free === null ? null : (
          <div className="absolute inset-y-0 w-0.5 bg-text" style={{ left: `calc(${(free / barBytes) * 100}% - 2px)` }} />
        )}
      </div>
      <ul className="grid grid-cols-2 gap-x-4 text-xs text-second max-[1100px]:grid-cols-1">
        {parts.map(({ label, bytes, color }) => (
          <li key={label} className="flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-[2px]" style={{ background: color }} />
            <span className="flex-1">{label}</span>
            <span className="font-mono text-text">{formatBytes(bytes)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
