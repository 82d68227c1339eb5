import { GraduationCap, ListFilter, RotateCcw, X } from 'lucide-react'
import { useEffect, useId, useImperativeHandle, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import { FILTER_EXAMPLES } from '#contracts/filter.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { newBatchHref, trainHref } from '#renderer/app/links.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { PageHead } from '#renderer/ui/page.tsx'
import { useFacets } from '../queries.ts'
import type { TracesUrl } from '../url-state.ts'
import type { ChangeUrl } from '../use-url.ts'
import { applyOffer, contextAt, ageName, offersFor, piecesOf, removePiece, type Offer, type Piece } from './query-text.ts'

export interface FilterBarHandle {
  focus: () => void
}

interface Props {
  url: TracesUrl
  onChange: ChangeUrl
  facetsOpen: boolean
  onFacets: () => void
  /** Called with true while typing: an unfinished word may match nothing yet. */
  onTyping: (isTyping: boolean) => void
  ref: Ref<FilterBarHandle>
}

/** Typing reaches the list this long after the last key. */
const SETTLE_MS = 150
/** After this long without a key, the user is considered to have stopped typing. */
const PAUSE_MS = 1000

/** The filter as one line of text with completion; below it the applied terms and the invalid ones. */
export function FilterBar({ url, onChange, facetsOpen, onFacets, onTyping, ref }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(url.q)
  const [caret, setCaret] = useState<number | null>(null)
  const [markedIndex, setMarked] = useState(-1)
  const [isClosed, setClosed] = useState(true)
  const sentText = useRef(url.q)
  const list = useId()
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const reportTyping = (isTyping: boolean) => {
    clearTimeout(pause.current)
    if (isTyping) pause.current = setTimeout(() => onTyping(false), PAUSE_MS)
    onTyping(isTyping)
  }
  useEffect(() => () => clearTimeout(pause.current), [])
  useImperativeHandle(ref, () => ({
    focus: () => {
      input.current?.focus()
      input.current?.select()
    },
  }))

  // a facet, a chip, a saved view or "back" changed the address: the bar follows
  useEffect(() => {
    if (url.q === sentText.current) return
    sentText.current = url.q
    setText(url.q)
  }, [url.q])
  // the typed text is written to the address after a pause
  useEffect(() => {
    if (text.trim() === sentText.current.trim()) return undefined
    const timer = setTimeout(() => {
      sentText.current = text.trim()
      onChange({ q: text.trim() }, { replace: true })
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [text, onChange])

  const context = contextAt(text, caret ?? text.length)
  const isOpen = !isClosed && caret !== null
  // counts apply only the other terms: an unfinished word matches nothing and would remove its own completions
  const { data: facets } = useFacets({ q: removePiece(text, context) }, isOpen)
  const offers = isOpen ? offersFor(context, facets ?? {}) : []
  const choose = (offer: Offer) => {
    const next = applyOffer(text, context, offer)
    setText(next.text)
    setCaret(next.caret)
    setMarked(-1)
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const offer = offers[markedIndex]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (offers.length === 0) {
        setClosed(false)
        setCaret(event.currentTarget.selectionStart)
      } else setMarked((markedIndex + (event.key === 'ArrowDown' ? 1 : offers.length + (markedIndex < 0 ? 0 : -1))) % offers.length)
    } else if (event.key === 'Tab' && offers.length > 0 && markedIndex >= 0 && offer) choose(offer)
    else if (event.key === 'Enter') {
      if (offer) choose(offer)
      else {
        sentText.current = text.trim()
        onChange({ q: text.trim() })
        reportTyping(false)
        setClosed(true)
      }
    } else if (event.key === 'Escape') {
      if (offers.length > 0) setClosed(true)
      else input.current?.blur()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const pieces = piecesOf(text)
  // the term under the caret is still being typed: it is not a mistake yet
  const mistakes = pieces.filter((piece) => piece.error !== null && (caret === null || caret < piece.start || caret > piece.end))
  return (
    <div className="border-b border-line">
      <PageHead
        heading="Traces"
        beside={
          <div className="flex items-center gap-2">
            <IconButton
              icon={ListFilter}
              label={facetsOpen ? 'Hide the facets' : 'Show the facets'}
              aria-pressed={facetsOpen}
              onClick={onFacets}
              className={cn(facetsOpen && 'bg-raised!')}
            />
            <div className="relative min-w-0 flex-1">
              <input
                ref={input}
                type="text"
                role="combobox"
                aria-label="Filter"
                aria-expanded={offers.length > 0}
                aria-controls={list}
                aria-autocomplete="list"
                aria-activedescendant={markedIndex >= 0 ? `${list}-${markedIndex}` : undefined}
                aria-invalid={mistakes.length > 0}
                aria-describedby={mistakes.length > 0 ? `${list}-mistakes` : undefined}
                spellCheck={false}
                autoComplete="off"
                placeholder={`Filter by text, or ${FILTER_EXAMPLES.list}`}
                value={text}
                onChange={(event) => {
                  reportTyping(true)
                  setText(event.target.value)
                  setCaret(event.target.selectionStart)
                  setClosed(false)
                  setMarked(-1)
                }}
                onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
                onFocus={(event) => {
                  setCaret(event.currentTarget.selectionStart)
                  setClosed(false)
                }}
                onBlur={() => {
                  reportTyping(false)
                  setCaret(null)
                  setClosed(true)
                }}
                onKeyDown={onKeyDown}
                className="h-8 w-full rounded border border-edge bg-panel pr-16 pl-2 font-mono text-xs text-text placeholder:font-sans placeholder:text-sm placeholder:text-second aria-[invalid=true]:border-bad"
              />
              <span className="absolute inset-y-0 right-1 flex items-center gap-1">
                {text === '' ? (
                  <KeyHint keys={keyOf('filter')} />
                ) : (
                  <button
                    type="button"
                    aria-label="Clear filter"
                    onClick={() => {
                      setText('')
                      sentText.current = ''
                      onChange({ q: '' })
                      input.current?.focus()
                    }}
                    className="focus-inset flex size-6 items-center justify-center rounded-sm text-second hover:text-text"
                  >
                    <X size={14} aria-hidden />
                  </button>
                )}
              </span>
              <div
                id={list}
                role="listbox"
                aria-label="Completions"
                hidden={offers.length === 0}
                // a list that scrolls would get a Tab stop in Chromium; this one closes when the field loses focus
                tabIndex={-1}
                className="absolute top-9 left-0 z-30 max-h-80 w-80 max-w-full overflow-y-auto rounded border border-line bg-panel p-1 shadow-float"
              >
                {offers.map((offer, index) => (
                  // the field above handles the keys; a click must not take its focus
                  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
                  <div
                    key={offer.text}
                    id={`${list}-${index}`}
                    role="option"
                    aria-selected={index === markedIndex}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => choose(offer)}
                    className={cn(
                      'flex h-7 cursor-pointer items-center gap-2 rounded-sm px-2 text-xs',
                      index === markedIndex ? 'bg-raised outline-2 -outline-offset-2 outline-accent' : 'hover:bg-raised',
                    )}
                  >
                    <span className="min-w-0 flex-1 truncate font-mono">{offer.label}</span>
                    <span className="shrink-0 text-second">{offer.detail}</span>
                  </div>
                ))}
              </div>
            </div>
            <ButtonLink href={newBatchHref({ q: url.q })}>
              <RotateCcw size={16} aria-hidden />
              Re-run with …
            </ButtonLink>
            <ButtonLink href={trainHref(url.q === '' ? {} : { q: url.q })}>
              <GraduationCap size={16} aria-hidden />
              Train on this
            </ButtonLink>
          </div>
        }
      >
        {mistakes.length > 0 ? <Mistakes id={`${list}-mistakes`} text={text} mistakes={mistakes} /> : null}
        {pieces.some(({ error }) => error === null) ? (
          <Chips
            pieces={pieces.filter(({ error }) => error === null)}
            onRemove={(piece) => {
              const next = removePiece(text, piece)
              setText(next)
              sentText.current = next
              onChange({ q: next })
            }}
          />
        ) : null}
      </PageHead>
    </div>
  )
}

/** Repeats the text with a wavy line under each invalid term, and says why it is invalid. */
function Mistakes({ id, text, mistakes }: { id: string; text: string; mistakes: readonly Piece[] }) {
  return (
    <div id={id} role="status" className="text-xs">
      <p aria-hidden className="truncate pl-10 font-mono text-second">
        {mistakes.map((piece, index) => (
          <span key={piece.start}>
            {text.slice(mistakes[index - 1]?.end ?? 0, piece.start)}
            <span className="text-text underline decoration-bad decoration-wavy underline-offset-2">{piece.raw}</span>
          </span>
        ))}
        {text.slice(mistakes.at(-1)?.end ?? 0)}
      </p>
      {mistakes.map((piece) => (
        <p key={piece.start} className="pl-10 text-bad">
          {piece.error}
        </p>
      ))}
    </div>
  )
}

function Chips({ pieces, onRemove }: { pieces: readonly Piece[]; onRemove: (piece: Piece) => void }) {
  return (
    <ul aria-label="Filter terms" className="flex flex-wrap gap-1.5 pl-10">
      {pieces.map((piece) => (
        <Chip key={piece.start} words={wordsOf(piece)} onRemove={() => onRemove(piece)} />
      ))}
    </ul>
  )
}

const Chip = ({ words, onRemove }: { words: string; onRemove: () => void }) => (
  <li className="inline-flex h-6 items-center rounded-sm border border-line bg-raised pl-2 text-xs">
    <span className="max-w-60 truncate">{words}</span>
    <button
      type="button"
      aria-label={`Remove ${words}`}
      onClick={onRemove}
      className="focus-inset flex size-6 items-center justify-center rounded-sm text-second hover:text-text"
    >
      <X size={12} aria-hidden />
    </button>
  </li>
)

/** "tier gold or silver", "not tag private", "exit not 0", "last 7 days", "text npm test". */
export function wordsOf(piece: Piece): string {
  const not = piece.negated ? 'not ' : ''
  if (piece.field === 'age') {
    const human = ageName(piece.values[0] ?? '')
    if (human) return `${not}${human}`
  }
  const values = piece.field === 'day' ? piece.values.map((value) => value.replace('..', ' to ')) : piece.values
  return `${not}${piece.field ?? 'text'} ${piece.not ? 'not ' : ''}${values.join(' or ')}`
}
