import { KeyRound } from 'lucide-react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { findingHref } from '#renderer/app/links.ts'
import { piiWord } from '#renderer/app/words/privacy.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** Findings in an entry, each with a link to its decision. */
export const SecretMarks = ({ findings }: { findings: readonly ArchiveFinding[] }) => (
  <ul aria-label="Secrets found here" className="flex flex-wrap gap-x-4 px-3 pt-1 text-xs">
    {findings.map(({ id, traceId, type, part }) => (
      <li key={id} className="flex min-h-6 items-center gap-1.5">
        <KeyRound size={14} aria-hidden className="shrink-0 text-warn" />
        <span>
          Secret found{part === 'result' ? ' in the output' : ''}: {piiWord(type)}
        </span>
        <TextLink href={findingHref(traceId, id)}>Open finding</TextLink>
      </li>
    ))}
  </ul>
)
