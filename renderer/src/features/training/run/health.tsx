import { formatValue } from '#renderer/ui/format.ts'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Run, RunHealth } from '#contracts/entities/run.ts'
import { evidenceWord, HEALTH_WORDS } from './health-words.ts'

/** Problems found in the curves, each with its evidence, and the warnings of the trainer. */
export function Health({ run }: { run: Run }) {
  const diskFull = run.warnings.find(({ code }) => code === 'disk_full')
  const otherWarnings = run.warnings.filter((warning) => warning !== diskFull)
  const warnings = otherWarnings.filter((warning, at) => otherWarnings.findIndex((other) => other.message === warning.message) === at)
  if (run.health.length === 0 && run.warnings.length === 0) return null
  return (
    <ul aria-label="Problems" className="flex flex-col gap-2">
      {diskFull ? <Problem word="Waiting for disk space">{diskFull.message}</Problem> : null}
      {run.health.map((health) => (
        <Problem key={`${health.code} ${health.step}`} word={HEALTH_WORDS[health.code].word}>
          {health.message}
          <Evidence health={health} />
        </Problem>
      ))}
      {warnings.length > 0 ? (
        <li className="text-sm text-second">
          {warnings.length === 1 ? (
            warnings[0]?.message
          ) : (
            <details>
              <summary>{warnings.length} trainer warnings</summary>
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

const Problem = ({ word, children }: { word: string; children: ReactNode }) => (
  <li className="flex gap-2.5 rounded border border-warn bg-panel px-3 py-2 text-sm">
    <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />
    <span className="min-w-0">
      <b className="font-semibold">{word}.</b> {children}
    </span>
  </li>
)

function Evidence({ health: { step, evidence } }: { health: RunHealth }) {
  const figures = Object.entries(evidence).map(([name, value]) => `${evidenceWord(name)} ${formatValue(value)}`)
  const parts = [...(step === null ? [] : [`at step ${step}`]), ...figures]
  return parts.length === 0 ? null : <span className="block font-mono text-xs text-second">{parts.join(' · ')}</span>
}
