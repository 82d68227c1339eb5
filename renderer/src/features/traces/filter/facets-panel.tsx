import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import type { TraceFacets } from '#contracts/routes/traces.ts'
import type { Tier } from '#contracts/entities/common.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { Facet, FacetsSkeleton } from '#renderer/ui/lists/facet.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { MARKS, TierMark } from '#renderer/ui/tier-mark.tsx'
import { useViews } from '#renderer/api/traces.ts'
import { useTraceActions } from '../actions.ts'
import type { TracesUrl } from '../url-state.ts'
import type { ChangeUrl } from '../use-url.ts'
import { UnverifiedFacet } from './unverified-facet.tsx'
import { ageName, setField, toggleValue, valuesOf } from './query-text.ts'

type Facets = z.infer<typeof TraceFacets>
interface Props {
  url: TracesUrl
  onChange: ChangeUrl
  facets: Facets | undefined
  /** Why the counts could not be loaded. */
  error: Error | null
  onRetry: () => void
}

/** The filter of the bar as clickable choices, each a term of its text. */
export function FacetsPanel({ url, onChange, facets, error, onRetry }: Props) {
  return (
    <div className="flex flex-col gap-5 px-3 py-3">
      <Views url={url} onChange={onChange} />
      {error ? <ErrorState title="Couldn't count the values" error={error} retry={onRetry} /> : null}
      {!facets && !error ? <FacetsSkeleton label="Counting values" rows={6} /> : null}
      <TraceFacet title="Tier" field="tier" url={url} onChange={onChange} values={tierCounts(facets)} />
      <UnverifiedFacet url={url} onChange={onChange} />
      <Ages url={url} onChange={onChange} />
      <TraceFacet title="Repository" field="repo" url={url} onChange={onChange} values={facets?.repo} />
      <TraceFacet title="Verification" field="verification" url={url} onChange={onChange} values={facets?.verification} />
      <TraceFacet title="Tag" field="tag" url={url} onChange={onChange} values={facets?.tag} />
      <TraceFacet title="Tool" field="tool" url={url} onChange={onChange} values={facets?.tool} />
      <TraceFacet title="Agent" field="agent" url={url} onChange={onChange} values={facets?.agent} />
    </div>
  )
}

/** All five tiers in their order; a tier without sessions has the count 0. */
const tierCounts = (facets: Facets | undefined) =>
  facets && MARKS.map((tier) => ({ value: tier, count: facets.tier.find(({ value }) => value === tier)?.count ?? 0 }))

function TraceFacet({
  title,
  field,
  url,
  onChange,
  values,
}: Pick<Props, 'url' | 'onChange'> & { title: string; field: string; values: Facets['tier'] | undefined }) {
  if (values === undefined) return null
  return (
    <Facet
      title={title}
      values={values}
      chosen={valuesOf(url.q, field)}
      labelOf={(value) => (field === 'tier' ? <TierMark mark={value as Tier} word /> : value)}
      onChange={(value) => onChange({ q: toggleValue(url.q, field, value) })}
    />
  )
}

const AGES = ['<1h', '<1d', '<7d', '<30d', '>30d'] as const

function Ages({ url, onChange }: Pick<Props, 'url' | 'onChange'>) {
  const [chosen] = valuesOf(url.q, 'age')
  return (
    <div role="group" aria-label="Ended">
      <h2 className="pb-1 text-xs font-semibold">Ended</h2>
      {AGES.map((age) => (
        <button
          key={age}
          type="button"
          aria-pressed={chosen === age}
          onClick={() =>
            onChange({
              q: setField(url.q, 'age', [])
                .concat(chosen === age ? '' : ` age:${age}`)
                .trim(),
            })
          }
          className={cn(
            'focus-inset flex h-7 w-full items-center rounded-sm border-l-2 px-2 text-left text-xs hover:bg-raised',
            chosen === age ? 'border-accent font-semibold' : 'border-transparent',
          )}
        >
          {ageName(age)}
        </button>
      ))}
    </div>
  )
}

function Views({ url, onChange }: Pick<Props, 'url' | 'onChange'>) {
  const views = useViews()
  const actions = useTraceActions()
  const [name, setName] = useState<string | null>(null)
  const items = views.data?.items ?? []
  const save = async () => {
    if (name !== null && name.trim() !== '' && (await actions.saveView({ name: name.trim(), query: url.q, sort: url.sort }))) setName(null)
  }
  const isReplacing = items.some((view) => view.name === name?.trim())
  return (
    <section>
      <h2 className="pb-1 text-xs font-semibold">Saved views</h2>
      <ul>
        {items.map((view) => {
          const isOpen = view.query === url.q && view.sort === url.sort
          return (
            <li key={view.id} className="flex items-center">
              <button
                type="button"
                aria-current={isOpen || undefined}
                title={view.query}
                onClick={() => onChange({ q: view.query, sort: view.sort as TracesUrl['sort'] })}
                className={cn(
                  'focus-inset flex h-7 min-w-0 flex-1 items-center rounded-sm border-l-2 px-2 text-left text-xs hover:bg-raised',
                  isOpen ? 'border-accent font-semibold' : 'border-transparent',
                )}
              >
                <span className="truncate">{view.name}</span>
              </button>
              <IconButton size="small" icon={Trash2} label={`Delete view ${view.name}`} onClick={() => void actions.deleteView(view)} />
            </li>
          )
        })}
      </ul>
      {name === null ? (
        <Button
          size="small"
          look="quiet"
          reason={url.q.trim() === '' ? 'Enter a filter to save first.' : null}
          onClick={() => setName(items.find((view) => view.query === url.q)?.name ?? '')}
        >
          Save view
        </Button>
      ) : (
        <form
          className="flex flex-col gap-1"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <TextInput
            value={name}
            onChange={setName}
            aria-label="View name"
            placeholder="Name"
            maxLength={80}
            className="h-7! w-full"
            // the user opened it to type
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.stopPropagation()
              setName(null)
            }}
          />
          <div className="flex gap-1">
            <Button type="submit" size="small" reason={name.trim() === '' ? 'Enter a name first.' : null}>
              {isReplacing ? 'Replace' : 'Save'}
            </Button>
            <Button size="small" look="quiet" onClick={() => setName(null)}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}
