import { useState, type ReactNode } from 'react'
import { cn } from '#renderer/ui/cn.ts'
import { Curation } from './curation.tsx'
import { ExampleRules } from './example-rules.tsx'
import { Limits } from './limits.tsx'
import { PrivacyRules } from './privacy-rules.tsx'
import type { FormPart } from './recipe.ts'
import { Sources } from './sources.tsx'

/** The collapsed recipe: common settings first, the rest in an inner section. `errors`: paths of invalid fields. */
export function Recipe({ errors, ...form }: FormPart & { errors: readonly string[] }) {
  return (
    <Fold title="Recipe" note="kind, name, filter, tiers, validation" isBroken={errors.length > 0}>
      <Sources {...form} />
      <Fold
        title="More settings"
        note="repositories, review, examples, duplicates, splits, privacy"
        isBroken={errors.some((path) => !FIRST.has(path))}
      >
        <Limits {...form} />
        {form.draft.kind === 'prompts' || form.draft.kind === 'rlvr' ? null : <ExampleRules {...form} />}
        <Curation {...form} />
        <PrivacyRules {...form} />
      </Fold>
    </Fold>
  )
}

/** Fields outside the inner section. */
const FIRST: ReadonlySet<string> = new Set(['name', 'query', 'split.val'])

function Fold({ title, note, isBroken, children }: { title: string; note: string; isBroken: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="rounded border border-line px-4 py-2" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="text-sm leading-6">
        <span className="font-semibold">{title}</span>{' '}
        <span className={cn('text-xs', isBroken ? 'text-bad' : 'text-second')}>{isBroken ? 'has an error' : note}</span>
      </summary>
      {isOpen ? <div className="flex flex-col gap-6 py-3">{children}</div> : null}
    </details>
  )
}
