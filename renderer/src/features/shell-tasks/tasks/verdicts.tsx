import type { ShellEvidence, ShellValidation } from '#contracts/entities/shell-task.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { formatDuration } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { VERDICT_NAMES, VERDICT_WORDS } from './words.ts'

export function Verdicts({ validation }: { validation: ShellValidation | null }) {
  if (validation === null)
    return (
      <Section title="Validation">
        <p className="text-sm text-second">
          Not validated yet, or changed since. Validation runs the set-up, the check and the reference solution in fresh sandboxes.
        </p>
      </Section>
    )
  const { verdicts, engine, at, durationMs } = validation
  return (
    <Section
      title="Validation"
      note={
        <>
          in {engine}, <RelativeTime at={at} />, took {formatDuration(durationMs)}
        </>
      }
    >
      <ul className="flex flex-col gap-2">
        {verdicts.map(({ name, verdict, evidence }) => (
          <li key={name} className="rounded border border-line bg-panel">
            <details open={verdict !== 'pass'}>
              <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 p-2 text-sm">
                <Badge tone={VERDICT_WORDS[verdict].tone}>{VERDICT_WORDS[verdict].label}</Badge>
                <span className="font-semibold">{VERDICT_NAMES[name].label}</span>
                <span className="text-second">{VERDICT_NAMES[name].description}</span>
              </summary>
              <ul className="flex flex-col gap-2 border-t border-line p-2">
                {evidence.map((one, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- evidence has no id and a fixed order
                  <Evidence key={index} evidence={one} />
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Evidence({ evidence: { note, command, exitCode, timedOut, outputTail, ms } }: { evidence: ShellEvidence }) {
  const facts = [
    timedOut ? 'stopped at its time limit' : exitCode === null ? null : `exit code ${exitCode}`,
    ms === null ? null : formatDuration(ms),
  ].filter(Boolean)
  return (
    <li className="flex min-w-0 flex-col gap-1 text-xs">
      <p>
        <Visible text={note} /> {facts.length > 0 ? <span className="text-second">({facts.join(', ')})</span> : null}
      </p>
      {command === null ? null : <CodeBlock label="Command" text={command} wrap />}
      {outputTail.trim() === '' ? null : <CodeBlock label="Output" text={outputTail} wrap className="max-h-48" />}
    </li>
  )
}
