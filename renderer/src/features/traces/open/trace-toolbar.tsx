import { ChevronDown, ChevronUp, FoldVertical, UnfoldVertical, Wrench } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { keyOf } from '#renderer/app/keymap.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatCount, formatPercent, plural } from '#renderer/ui/format.ts'
import { Switch } from '#renderer/ui/switch.tsx'
import type { Reading } from './rows.ts'
import type { TraceSearch } from './use-trace-search.ts'

export interface ToolbarProps {
  placeText: string
  reading: Reading
  onReading: (part: Partial<Reading>) => void
  /** Null until the whole session is listed. */
  errors: number | null
  onError: (direction: 1 | -1) => void
  words: string
  onWords: (words: string) => void
  search: TraceSearch
  onHit: (direction: 1 | -1) => void
  live: boolean
  follow: boolean
  onFollow: (follow: boolean) => void
  onShowAll: () => void
  fieldRef: Ref<HTMLInputElement>
}

/** What is shown of the session, next to the tabs. */
export function ReadingBar({ reading, onReading, errors, onError, live, follow, onFollow }: ToolbarProps) {
  const noErrorReason = errors === null ? 'The session is still loading.' : errors === 0 ? 'No call failed in this session.' : null
  return (
    <div role="toolbar" aria-label="Transcript" className="ml-auto flex items-center">
      {live ? (
        <span className="mr-2 flex h-7 items-center gap-2 text-xs">
          <span aria-hidden>Follow</span>
          <Switch label="Follow the running session" checked={follow} onChange={onFollow} />
        </span>
      ) : null}
      <span className={cn('pr-1 text-xs whitespace-nowrap', errors ? 'text-bad' : 'text-second')}>
        {errors === null ? '' : errors === 0 ? 'no errors' : plural(errors, 'error')}
      </span>
      <IconButton
        size="small"
        icon={ChevronUp}
        label="Previous error"
        keys={keyOf('previousError')}
        reason={noErrorReason}
        onClick={() => onError(-1)}
      />
      <IconButton
        size="small"
        icon={ChevronDown}
        label="Next error"
        keys={keyOf('nextError')}
        reason={noErrorReason}
        onClick={() => onError(1)}
      />
      <IconButton
        size="small"
        icon={reading.collapsed ? UnfoldVertical : FoldVertical}
        label={reading.collapsed ? 'Expand all' : 'Collapse all'}
        keys={keyOf('collapse')}
        aria-pressed={reading.collapsed}
        className={cn(reading.collapsed && 'bg-raised!')}
        onClick={() => onReading({ collapsed: !reading.collapsed })}
      />
      <IconButton
        size="small"
        icon={Wrench}
        label="Only tool calls"
        keys={keyOf('onlyTools')}
        aria-pressed={reading.onlyTools}
        className={cn(reading.onlyTools && 'bg-raised!')}
        onClick={() => onReading({ onlyTools: !reading.onlyTools })}
      />
    </div>
  )
}

/** The position in the session, and the search within it. */
export const PlaceBar = ({ children, ...props }: ToolbarProps & { children?: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1">
    <SearchField {...props} />
    {props.reading.range ? (
      <Button size="small" onClick={props.onShowAll}>
        Part of the session · show all
      </Button>
    ) : null}
    {children}
    <span className="ml-auto text-xs whitespace-nowrap text-second">{props.placeText}</span>
  </div>
)

function SearchField({ words, onWords, search, onHit, fieldRef }: ToolbarProps) {
  const searching = words.trim().length >= 2
  const status = !searching
    ? ''
    : search.error
      ? "Couldn't search"
      : search.done === 0
        ? 'searching'
        : `${formatCount(search.hits.length)} found${search.done < 1 ? `, ${formatPercent(search.done)} read` : ''}`
  useAnnounce(status)
  return (
    <div className="flex min-w-0 items-center gap-2">
      <TextInput
        ref={fieldRef}
        type="search"
        value={words}
        onChange={onWords}
        aria-label="Search this session"
        placeholder="Search this session"
        className="h-7! w-44 min-w-0"
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            onHit(event.shiftKey ? -1 : 1)
          } else if (event.key === 'Escape') {
            event.stopPropagation()
            onWords('')
            event.currentTarget.blur()
          }
        }}
      />
      <span className="text-xs whitespace-nowrap text-second">{status}</span>
    </div>
  )
}
