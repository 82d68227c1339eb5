import { MessageSquarePlus } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import type { ChangedFile } from '#contracts/entities/task.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { DiffLineCells, diffTint } from '#renderer/ui/diff-lines.tsx'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

type HunkOf = ChangedFile['hunks'][number]

/** Lines that changed together. A hunk can be taken or left out; new lines can be commented on. */
export function Hunk({
  index,
  hunk,
  isCurrent,
  isTaken,
  onTake,
  onPress,
  onLine,
  below,
  hasBelow,
}: {
  index: number
  hunk: HunkOf
  isCurrent: boolean
  isTaken: boolean
  /** Null: only the whole file can be taken or left out. */
  onTake: ((isTaken: boolean) => void) | null
  onPress: () => void
  onLine: (line: number) => void
  below: (line: number) => ReactNode
  hasBelow: (line: number) => boolean
}) {
  const label = `Hunk ${index + 1}`
  return (
    // the page handles the keys (j, k, x)
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label={label}
      data-hunk={index}
      aria-current={isCurrent || undefined}
      onClick={onPress}
      className={cn(
        'shrink-0 rounded-sm border bg-bg',
        isCurrent ? 'border-accent' : 'border-line',
        !isTaken && 'border-dashed text-second',
      )}
    >
      <div className="flex items-center gap-2 border-b border-line px-2 py-0.5 text-xs text-second">
        {onTake === null ? null : (
          <>
            <Checkbox label={`Include ${label.toLowerCase()}`} checked={isTaken} onChange={onTake} />
            <span aria-hidden>{isTaken ? 'Included' : 'Not included'}</span>
            {isCurrent ? <KeyHint keys={keyOf('select')} /> : null}
          </>
        )}
        <span className="min-w-0 flex-1 truncate font-mono">
          <Visible text={hunk.header} />
        </span>
      </div>
      <ScrollRegion label={`Lines of ${label.toLowerCase()}`} className="overflow-x-auto">
        <table className="min-w-full border-collapse font-mono text-xs leading-[1.45]">
          <caption className="sr-only">{label}</caption>
          <tbody>
            {hunk.lines.map((line) => (
              <Fragment key={`${line.before ?? ''}:${line.after ?? ''}`}>
                <tr className={cn('group', isTaken && diffTint(line.kind))}>
                  <td className="w-5 pl-0.5">
                    {line.after === null ? null : (
                      <button
                        type="button"
                        tabIndex={-1}
                        aria-label={`Comment on line ${line.after}`}
                        className="flex text-second opacity-0 group-hover:opacity-100 hover:text-accent focus:opacity-100"
                        onClick={() => onLine(line.after!)}
                      >
                        <MessageSquarePlus size={14} aria-hidden />
                      </button>
                    )}
                  </td>
                  <DiffLineCells kind={line.kind} before={line.before} after={line.after} text={line.text} />
                </tr>
                {line.noNewline ? (
                  <tr>
                    <td colSpan={5} className="pl-8 text-second">
                      No newline at the end of the file
                    </td>
                  </tr>
                ) : null}
                {line.after !== null && hasBelow(line.after) ? (
                  <tr>
                    <td colSpan={5} className="p-2 font-sans">
                      {below(line.after)}
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  )
}
