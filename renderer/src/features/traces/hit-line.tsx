import { placeOf } from '#contracts/fold.ts'
import type { FoundLine } from '#contracts/found-line.ts'
import { Visible } from '#renderer/ui/visible.tsx'

/** A line of a session with the words of the search marked. */
export const HitLine = ({ line }: { line: FoundLine }) => (
  <span className="block min-w-0 truncate font-mono text-xs">
    <Parts {...line} />
  </span>
)

/** A text with the first place of each of these words marked. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const places = words.flatMap((word) => placeOf(text, word) ?? []).toSorted((a, b) => a.start - b.start || b.end - a.end)
  let at = 0
  const parts: FoundLine[] = []
  for (const { start, end } of places) {
    if (start < at) continue
    parts.push({ before: text.slice(at, start), match: text.slice(start, end), after: '' })
    at = end
  }
  return (
    <>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts of one text are never reordered
        <Parts key={index} {...part} />
      ))}
      <Visible text={text.slice(at)} />
    </>
  )
}

const Parts = ({ before, match, after }: FoundLine) => (
  <>
    <Visible text={before} />
    <mark className="bg-accent/30 text-text underline">
      <Visible text={match} />
    </mark>
    <Visible text={after} />
  </>
)
