import type { CheckReport } from '#contracts/entities/check.ts'
import { plural } from '#renderer/ui/format.ts'
import { Visible } from '#renderer/ui/visible.tsx'

const MAX_NAMES = 5

/** What the state before tells of failures, and what of the project was not in the sandbox. */
export function Compared({ report: { before, knownFailures, newFailures, missing, restored } }: { report: CheckReport }) {
  const parts = [...(restored?.missing ?? []), ...missing]
  return (
    <>
      <Names title="New failures" names={newFailures} className="text-bad" />
      <Names title="Known failures, which failed before as well and do not count" names={knownFailures} className="text-second" />
      {before === null || before.total === null ? null : (
        <p className="text-xs text-second">
          Before: {before.passed} of {plural(before.total, 'test')} passed.
        </p>
      )}
      {parts.map(({ file, kind, reason }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- one file may be listed more than once
        <p key={index} className="text-xs text-warn">
          {kind === 'package' || kind === 'service' ? 'Not in the sandbox' : 'Not restored'}:{' '}
          <span className="font-mono break-words">{file}</span>
          {kind === 'package' ? '' : ','} {reason}.
        </p>
      ))}
    </>
  )
}

function Names({ title, names, className }: { title: string; names: readonly string[]; className: string }) {
  if (names.length === 0) return null
  return (
    <div className="text-xs">
      <p>{title}:</p>
      <ul className="flex flex-col">
        {names.slice(0, MAX_NAMES).map((name) => (
          <li key={name} className={`font-mono break-words ${className}`}>
            <Visible text={name} />
          </li>
        ))}
        {names.length > MAX_NAMES ? <li className="text-second">and {names.length - MAX_NAMES} more</li> : null}
      </ul>
    </div>
  )
}
