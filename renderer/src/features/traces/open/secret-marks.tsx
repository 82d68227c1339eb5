import { KeyRound } from 'lucide-react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { findingHref } from '#renderer/app/links.ts'
import { piiWord } from '#renderer/app/words/privacy.ts'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** The values found in an entry, each once, with a link to its decision. */
export const SecretMarks = ({ findings }: { findings: readonly ArchiveFinding[] }) => (
  <ul aria-label="Secrets found here" className="flex flex-wrap gap-x-4 px-3 pt-1 text-xs">
    {[...Map.groupBy(findings, ({ type, value, part }) => `${type} ${value} ${part}`).values()].map((places) => {
      const { id, traceId, type, part } = places[0]! // a group is never empty
      return (
        <li key={id} className="flex min-h-6 items-center gap-1.5">
          <KeyRound size={14} aria-hidden className="shrink-0 text-warn" />
          <span>
            Secret found{part === 'result' ? ' in the output' : ''}: {piiWord(type)}
            {places.length > 1 ? `, ${plural(places.length, 'place')}` : ''}
          </span>
          <TextLink href={findingHref(traceId, id)}>Open finding</TextLink>
        </li>
      )
    })}
  </ul>
)
