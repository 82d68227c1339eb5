import type { DatasetUses } from '#contracts/entities/dataset.ts'
import { modelHref, runHref } from '#renderer/app/links.ts'
import { TextLink } from '#renderer/ui/link.tsx'

/** Runs that used a version and the models they produced, as links. */
export function UsesList({ uses: { runs, models } }: { uses: DatasetUses }) {
  const kinds = [
    { word: 'Run', href: runHref, items: runs },
    { word: 'Model', href: modelHref, items: models },
  ]
  return (
    <ul aria-label="Used by" className="flex max-h-60 flex-col gap-1 overflow-y-auto text-sm">
      {kinds.flatMap(({ word, href, items }) =>
        items.map(({ id, name }) => (
          <li key={`${word} ${id}`} className="flex min-w-0 gap-2">
            <span className="w-12 shrink-0 text-second">{word}</span>
            <TextLink href={href(id)} className="min-w-0 truncate">
              {name}
            </TextLink>
          </li>
        )),
      )}
    </ul>
  )
}
