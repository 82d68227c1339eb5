import { useState } from 'react'
import { DiffLineCells, diffTint } from '#renderer/ui/diff-lines.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import type { DiffHunk, DiffLine, FileDiff } from './file-diff.ts'

/** Lines of a diff that a card shows before "more" is pressed. */
const FIRST_LINES = 60

/** A unified diff with line numbers. The sign has its own column, so nothing depends on colour alone. */
export function DiffView({ diff, label }: { diff: FileDiff; label: string }) {
  const [all, setAll] = useState(false)
  const count = diff.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
  const hunks = all ? diff.hunks : firstLines(diff.hunks, FIRST_LINES)
  return (
    <div>
      {/* a region that scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <div tabIndex={0} role="region" aria-label={label} className="focus-inset overflow-x-auto rounded-sm border border-line bg-bg">
        <table className="min-w-full border-collapse font-mono text-xs leading-[1.45]">
          <caption className="sr-only">
            {label}: {diff.added} lines added, {diff.removed} removed
          </caption>
          <tbody>
            {hunks.map((hunk, index) => (
              // hunks of edits without a position in the file may be identical
              // oxlint-disable-next-line react/no-array-index-key
              <Hunk key={index} header={diff.located ? hunk.header : null} lines={hunk.lines} located={diff.located} first={index === 0} />
            ))}
          </tbody>
        </table>
      </div>
      {!all && count > FIRST_LINES ? (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="focus-inset mt-1 flex min-h-6 w-full items-center rounded-sm border border-line bg-raised px-2 text-left text-xs text-second hover:text-text"
        >
          {formatCount(count - FIRST_LINES)} more lines · show all
        </button>
      ) : null}
    </div>
  )
}

/** The first lines of a diff, hunk by hunk. */
function firstLines(hunks: readonly DiffHunk[], count: number): DiffHunk[] {
  const first: DiffHunk[] = []
  let remaining = count
  for (const hunk of hunks) {
    if (remaining <= 0) break
    first.push({ ...hunk, lines: hunk.lines.slice(0, remaining) })
    remaining -= hunk.lines.length
  }
  return first
}

function Hunk({ header, lines, located, first }: { header: string | null; lines: readonly DiffLine[]; located: boolean; first: boolean }) {
  return (
    <>
      {header === null ? (
        first ? null : (
          <tr aria-hidden>
            <td colSpan={4} className="h-2 border-b border-line">
              {' '}
            </td>
          </tr>
        )
      ) : (
        <tr>
          <td colSpan={4} className="px-2 text-second">
            {header}
          </td>
        </tr>
      )}
      {lines.map((line) => (
        <tr key={`${line.old ?? ''}:${line.new ?? ''}`} className={diffTint(line.kind)}>
          <DiffLineCells kind={line.kind} before={located ? line.old : null} after={located ? line.new : null} text={line.text} />
        </tr>
      ))}
    </>
  )
}
