import { GraduationCap, Plus, X } from 'lucide-react'
import { useEffect, useState, type Ref } from 'react'
import type { z } from 'zod'
import type { ExampleFacets } from '#contracts/routes/factory.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { trainHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatCount } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { markWord } from '#renderer/ui/tier-mark.tsx'
import type { ChangeSearch } from '#renderer/ui/use-search.ts'
import { NO_FILTER, type ExamplesUrl } from './url.ts'
import { flagWords, STATE_WORDS, STATES } from './words.ts'

type Facets = z.infer<typeof ExampleFacets>
const ANY = ' any'
const TYPING_MS = 250

interface Props {
  url: ExamplesUrl
  facets: Facets | undefined
  onChange: ChangeSearch
  fieldRef: Ref<HTMLInputElement>
}

/** Filters of the list. States come first, because reviewing means going through them. */
export function Filters({ url, facets, onChange, fieldRef }: Props) {
  const { filter } = url
  const states = facets?.states
  const all = states ? states.proposed + states.accepted + states.rejected : undefined
  const selectedState = filter.state?.length === 1 ? filter.state[0] : undefined
  const isFiltered = Object.keys(filter).length > 0
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-6 pb-2">
      <div role="group" aria-label="State" className="flex gap-1">
        <Choice label="All" count={all} pressed={filter.state === undefined} onPress={() => onChange({ state: null })} />
        {STATES.map((state) => (
          <Choice
            key={state}
            label={STATE_WORDS[state]}
            count={states?.[state]}
            pressed={selectedState === state}
            onPress={() => onChange({ state })}
          />
        ))}
      </div>
      <SearchField q={filter.q ?? ''} onChange={onChange} fieldRef={fieldRef} />
      <Select
        label="Repository"
        className="max-w-44"
        value={filter.repo ?? ANY}
        options={[
          { value: ANY, label: 'Any repository' },
          ...withChosen(filter.repo, facets?.repos.map(({ repo }) => repo ?? '-') ?? []).map((repo) => ({
            value: repo,
            label: repo === '-' ? 'No repository' : repo,
          })),
        ]}
        onChange={(repo) => onChange({ repo: repo === ANY ? null : repo })}
      />
      <Select
        label="Tier"
        className="min-w-28!"
        value={filter.tier?.[0] ?? ANY}
        options={[
          { value: ANY, label: 'Any tier' },
          ...(['gold', 'silver', 'bronze', 'failed', 'pending'] as const).map((tier) => ({ value: tier as string, label: markWord(tier) })),
        ]}
        onChange={(tier) => onChange({ tier: tier === ANY ? null : tier })}
      />
      <Select
        label="Flag"
        className="min-w-28!"
        value={filter.flag ?? ANY}
        options={[
          { value: ANY, label: 'Any flag' },
          ...withChosen(filter.flag, facets?.flag.map(({ value }) => value) ?? []).map((flag) => ({
            value: flag,
            label: `${flagWords(flag).label} ${formatCount(facets?.flag.find(({ value }) => value === flag)?.count)}`,
          })),
        ]}
        onChange={(flag) => onChange({ flag: flag === ANY ? null : flag })}
      />
      {isFiltered ? (
        <Button size="small" look="quiet" icon={X} onClick={() => onChange(NO_FILTER)}>
          Clear filters
        </Button>
      ) : null}
    </div>
  )
}

/** What can be done on the page as a whole. */
export const HeadActions = ({ filter }: Pick<ExamplesUrl, 'filter'>) => (
  <>
    <ButtonLink href="/factory/examples/grow" look="quiet">
      Generate more
    </ButtonLink>
    <ButtonLink href="/factory/examples/new">
      <Plus size={16} aria-hidden />
      Make examples
    </ButtonLink>
    <ButtonLink href={trainHref(trainParams(filter))}>
      <GraduationCap size={16} aria-hidden />
      Train on this
    </ButtonLink>
  </>
)

/** The parts of the filter that a data set recipe has too. */
const trainParams = ({ state, tier, repo }: ExamplesUrl['filter']): Record<string, string> => ({
  ...(tier && { tiers: tier.join(',') }),
  ...(repo !== undefined && repo !== '-' && { repo }),
  ...(state?.length === 1 && state[0] === 'accepted' && { review: 'accepted' }),
})

/** A selected value stays in the list even when no row has it. */
const withChosen = (selected: string | undefined, values: readonly string[]): string[] =>
  selected === undefined || values.includes(selected) ? [...values] : [selected, ...values]

function Choice({ label, count, pressed, onPress }: { label: string; count: number | undefined; pressed: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={cn(
        'focus-inset flex h-7 items-center gap-1.5 rounded border px-2 text-xs whitespace-nowrap',
        pressed ? 'border-accent bg-raised text-text' : 'border-transparent text-second hover:bg-raised hover:text-text',
      )}
    >
      {label} <span className="font-mono">{formatCount(count)}</span>
    </button>
  )
}

function SearchField({ q, onChange, fieldRef }: { q: string; onChange: ChangeSearch; fieldRef: Ref<HTMLInputElement> }) {
  const [text, setText] = useState(q)
  // clearing the filters and going back also change the URL
  const [appliedQuery, setAppliedQuery] = useState(q)
  if (appliedQuery !== q) {
    setAppliedQuery(q)
    if (text.trim() !== q) setText(q)
  }
  useEffect(() => {
    if (text.trim() === q) return undefined
    const timer = setTimeout(() => onChange({ q: text.trim() }, { replace: true }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, q, onChange])
  return (
    <TextInput
      ref={fieldRef}
      type="search"
      aria-label="Search prompts"
      placeholder={`Search prompts  ${keyOf('filter')}`}
      value={text}
      onChange={setText}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setText('')
        event.currentTarget.blur()
      }}
      className="w-44"
    />
  )
}
