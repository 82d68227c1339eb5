import type { FoundLine } from '#contracts/found-line.ts'
import { Visible } from '#renderer/ui/visible.tsx'

/** A line of a session with the words of the search marked. */
export const HitLine = ({ line }: { line: FoundLine }) => (
  <span className="block min-w-0 truncate font-mono text-xs">
    <Visible text={line.before} />
    <mark className="bg-accent/30 text-text underline">
      <Visible text={line.match} />
    </mark>
    <Visible text={line.after} />
  </span>
)
