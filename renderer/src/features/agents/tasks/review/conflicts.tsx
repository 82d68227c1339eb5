import { z } from 'zod'
import { describeError } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { Failure } from '../failure.tsx'

const Details = z.object({ conflicts: z.array(z.object({ path: z.string(), reason: z.string() })) })

/** The error of a hand-back or its undo, with the reason for each conflicting file; the message has that of a single one. */
export function Conflicts({ title, error }: { title: string; error: Error }) {
  const { message, hint } = describeError(error)
  const details = Details.safeParse((error as Error & { details?: unknown }).details)
  return (
    <Failure title={title} message={message} hint={hint}>
      {details.success && details.data.conflicts.length > 1 ? (
        <ul aria-label="Conflicts" className="flex flex-col gap-0.5">
          {details.data.conflicts.map(({ path, reason }) => (
            <li key={`${path} ${reason}`} className="min-w-0 break-words">
              <span className="font-mono text-xs">
                <Visible text={path} />
              </span>{' '}
              <span className="text-second">{reason}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </Failure>
  )
}
