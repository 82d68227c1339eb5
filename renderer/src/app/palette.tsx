import { Search, Settings, type LucideIcon } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { formatFilter } from '#contracts/filter.ts'
import { useTraceSearch } from '#renderer/api/traces.ts'
import { showOverlay, useOverlays } from '#renderer/stores/overlays.ts'
import { cn } from '#renderer/ui/cn.ts'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { useReturnFocus } from '#renderer/ui/use-return-focus.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { untitled } from '#renderer/ui/session-title.ts'
import { useCommands } from './commands.ts'
import type { NamedSearch } from './feature.ts'
import { FEATURES } from './features.ts'
import { traceHref } from './links.ts'
import { SECTIONS } from './sections.ts'
import { findSettings } from './settings-pages.ts'

export function Palette() {
  const open = useOverlays((overlays) => overlays.open === 'palette')
  const focus = useReturnFocus()
  return (
    <Radix.Root open={open} onOpenChange={(next) => showOverlay(next ? 'palette' : null)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-bg/70" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focus.restore()
          }}
          className="float-in fixed top-[12vh] left-1/2 z-40 w-[min(92vw,620px)] -translate-x-1/2 overflow-hidden rounded border border-line bg-panel shadow-float"
        >
          <Radix.Title className="sr-only">Search and commands</Radix.Title>
          <Choices />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface Choice {
  id: string
  body: ReactNode
  disabled?: boolean
  run: () => void
}

interface Group {
  heading: string
  choices: Choice[]
}

/**
 * One row is marked, and Enter runs it. Only keys and the pointer move the mark: sessions that arrive later are added
 * below the existing rows, and the first one is marked only if the list was empty.
 */
function Choices() {
  const list = useId()
  const [query, setQuery] = useState('')
  const [markedId, setWanted] = useState<string | null>(null)
  const sessions = useSessionChoices(query)
  const groups = [...useAppChoices(query), ...useNamedChoices(query), sessions.group].filter(({ choices }) => choices.length > 0)
  const choices = groups.flatMap((group) => group.choices).filter(({ disabled }) => !disabled)
  const marked = choices.find(({ id }) => id === markedId) ?? choices[0]
  // keeps this row marked, even if others appear above it
  if (marked && marked.id !== markedId) setWanted(marked.id)

  const runChoice = (choice: Choice | undefined) => {
    if (!choice) return
    showOverlay(null)
    choice.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') runChoice(marked)
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && marked) {
      const next = choices.indexOf(marked) + (event.key === 'ArrowDown' ? 1 : -1)
      setWanted(choices.at(next % choices.length)?.id ?? null)
    } else return
    event.preventDefault()
  }
  const optionId = (id: string) => `${list}-${id}`
  return (
    <>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search size={16} aria-hidden className="text-second" />
        <input
          type="text"
          role="combobox"
          aria-label="Search and commands"
          aria-expanded={choices.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={marked ? optionId(marked.id) : undefined}
          autoComplete="off"
          spellCheck={false}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setWanted(null)
          }}
          onKeyDown={onKeyDown}
          placeholder="Search sections, commands, runs, models, sessions"
          className="h-11 flex-1 bg-transparent text-base outline-none placeholder:text-second"
        />
        <KeyHint keys="Esc" />
      </div>
      <div>
        <div id={list} role="listbox" aria-label="Search and commands" className="max-h-[56vh] overflow-y-auto">
          {groups.map((group) => (
            <div key={group.heading} role="group" aria-label={group.heading} className="p-1">
              <div aria-hidden className="px-2 py-1 text-xs text-second">
                {group.heading}
              </div>
              {group.choices.map((choice) => (
                <Row
                  key={choice.id}
                  id={optionId(choice.id)}
                  choice={choice}
                  marked={choice === marked}
                  onMark={() => setWanted(choice.id)}
                  onRun={() => runChoice(choice)}
                />
              ))}
            </div>
          ))}
        </div>
        <p role="status" className="px-4 text-center text-sm text-second not-empty:py-6">
          {sessions.note ?? (groups.length === 0 ? 'No matches.' : null)}
        </p>
      </div>
    </>
  )
}

interface RowProps {
  id: string
  choice: Choice
  marked: boolean
  onMark: () => void
  onRun: () => void
}

function Row({ id, choice: { body, disabled = false }, marked, onMark, onRun }: RowProps) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (marked) row.current?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  return (
    // the search field handles the keys; a click must not take its focus
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={marked}
      aria-disabled={disabled}
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={disabled || marked ? undefined : onMark}
      onClick={disabled ? undefined : onRun}
      className={cn(
        'flex h-9 items-center gap-2.5 rounded-sm px-2 text-sm select-none',
        disabled ? 'cursor-not-allowed text-second' : 'cursor-pointer',
        marked && 'bg-raised shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      {body}
    </div>
  )
}

const icon = (Icon: LucideIcon) => <Icon size={16} aria-hidden className="text-second" />

/** What the app itself offers: its sections and its commands. */
function useAppChoices(query: string): Group[] {
  const [, go] = useLocation()
  const commands = useCommands()
  return [
    {
      heading: 'Sections',
      choices: SECTIONS.filter(({ label, words }) => isMatch(`${label} ${words}`, query)).map((section) => ({
        id: section.path,
        run: () => go(section.path),
        body: (
          <>
            {icon(section.icon)}
            {section.label}
          </>
        ),
      })),
    },
    {
      heading: 'Commands',
      choices: commands
        .filter(({ label, words = '' }) => isMatch(`${label} ${words}`, query))
        .map((command) => ({
          id: command.id,
          disabled: Boolean(command.off),
          run: () => ('href' in command ? go(command.href) : command.run()),
          body: (
            <>
              {icon(command.icon)}
              <span className="flex-1">{command.label}</span>
              {command.off ? <span className="text-xs text-second">not connected</span> : null}
              {command.keys ? <KeyHint keys={command.keys} /> : null}
            </>
          ),
        })),
    },
    {
      heading: 'Settings',
      choices: (query.trim() === '' ? [] : findSettings(FEATURES, query)).map(({ id, label }) => ({
        id: `settings ${id}`,
        run: () => go(`/settings/${id}`),
        body: (
          <>
            {icon(Settings)}
            {label}
          </>
        ),
      })),
    },
  ]
}

/** Rows per kind; a longer query finds the others. */
const MAX_NAMED = 5

const NAMED_SEARCHES: readonly NamedSearch[] = FEATURES.flatMap(({ named = [] }) => named)

/** Rows whose name contains all words, such as runs; none before a word is typed. */
function useNamedChoices(text: string): Group[] {
  const [, go] = useLocation()
  const query = text.trim()
  // the server searches for one text, so it gets the longest word
  const word = query.split(/\s+/).reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  // oxlint-disable-next-line react/hooks -- always the same list, so each hook is called each time
  const results = NAMED_SEARCHES.map(({ useRows, ...kind }) => ({ ...kind, rows: useRows(word) }))
  return results.map(({ heading, icon: Icon, href, rows = [] }) => ({
    heading,
    choices: (query === '' ? [] : rows.filter(({ name }) => isMatch(name, query)).slice(0, MAX_NAMED)).map(({ id, name, createdAt }) => ({
      id: `${heading} ${id}`,
      run: () => go(href(id)),
      body: (
        <>
          {icon(Icon)}
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <RelativeTime at={createdAt} className="w-20 text-right text-xs text-second" />
        </>
      ),
    })),
  }))
}

/** The newest sessions, or those that the server finds. Until it has answered, the previous results whose titles match. */
function useSessionChoices(text: string): { group: Group; note: string | null } {
  const [, go] = useLocation()
  const query = text.trim()
  const { data, error, isPlaceholderData, isFetching } = useTraceSearch(filterOf(query))
  const found = data?.items ?? []
  const matchingSessions = isPlaceholderData ? found.filter(({ title }) => isMatch(title ?? '', query)) : found
  const searchingNote = isFetching && matchingSessions.length === 0 ? 'Searching sessions …' : null
  return {
    note: error ? `Couldn't search the sessions: ${error.message}` : searchingNote,
    group: {
      heading: query ? 'Matching sessions' : 'Newest sessions',
      choices: matchingSessions.map((trace) => ({
        id: trace.id,
        run: () => go(traceHref(trace.id)),
        body: (
          <>
            <TierMark mark={trace.tier} own={trace.tierSource === 'user'} unverified={trace.unverified} />
            <span className="min-w-0 flex-1 truncate">
              <Visible text={trace.title ?? untitled(trace)} />
            </span>
            <span className="max-w-32 truncate text-xs text-second">{trace.repo}</span>
            <RelativeTime at={trace.endedAt ?? trace.startedAt} className="w-20 text-right text-xs text-second" />
          </>
        ),
      })),
    },
  }
}

/** The text is searched literally, not as a query: a colon or a minus is matched like any other character. */
const filterOf = (text: string): string =>
  formatFilter(
    text
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => ({ field: 'text', negated: false, start: 0, end: 0, value: { kind: 'text', text: word, phrase: false } })),
  )

/** Whether every word of the query is in the label. */
const isMatch = (label: string, query: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => label.toLowerCase().includes(word))
