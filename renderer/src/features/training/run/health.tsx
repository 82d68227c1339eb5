import { TriangleAlert } from 'lucide-react'
import type { Run, RunHealth } from '#contracts/entities/run.ts'
import { formatValue } from '../charts/ticks.ts'
import { HEALTH_WORDS } from './health-words.ts'

/** What is off with the curve, with the figures that say so, and what the trainer warned of. */
export function Health({ run }: { run: Run }) {
  const warnings = run.warnings.filter((warning, at) => run.warnings.findIndex((other) => other.message === warning.message) === at)
  if (run.health.length === 0 && warnings.length === 0) return null
  return (
    <ul aria-label="What is off" className="flex flex-col gap-2">
      {run.health.map((health) => (
        <li key={`${health.code} ${health.step}`} className="flex gap-2.5 rounded border border-warn bg-panel px-3 py-2 text-sm">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
          <span className="min-w-0">
            <b className="font-semibold">{HEALTH_WORDS[health.code].word}.</b> {health.message}
            <Evidence health={health} />
          </span>
        </li>
      ))}
      {warnings.length > 0 ? (
        <li className="text-sm text-second">
          {warnings.length === 1 ? (
            warnings[0]?.message
          ) : (
            <details>
              <summary>The trainer warned {warnings.length} times</summary>
              <ul className="flex flex-col gap-0.5 pt-1 pl-4">
                {warnings.map(({ message }) => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            </details>
          )}
        </li>
      ) : null}
    </ul>
  )
}

function Evidence({ health: { step, evidence } }: { health: RunHealth }) {
  const figures = Object.entries(evidence).map(([name, value]) => `${name.replaceAll('_', ' ')} ${formatValue(value)}`)
  const all = [...(step === null ? [] : [`at step ${step}`]), ...figures]
  return all.length === 0 ? null : <span className="block font-mono text-xs text-second">{all.join(' · ')}</span>
}
