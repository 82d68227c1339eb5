import { Command } from 'cmdk'
import { Search } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useDeferredValue, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { traceHref } from '#renderer/api/links.ts'
import { useTraceSearch } from '#renderer/api/queries.ts'
import { showOverlay, useOverlays } from '#renderer/stores/overlays.ts'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { TierMark } from '#renderer/ui/tier-mark.tsx'
import { useCommands } from './commands.ts'
import { SECTIONS } from './sections.ts'

export function Palette() {
  const open = useOverlays((overlays) => overlays.open === 'palette')
  return (
    <Radix.Root open={open} onOpenChange={(next) => showOverlay(next ? 'palette' : null)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-bg/70" />
        <Radix.Content
          aria-describedby={undefined}
          className="float-in fixed top-[12vh] left-1/2 z-40 w-[min(92vw,620px)] -translate-x-1/2 overflow-hidden rounded border border-line bg-panel shadow-float"
        >
          <Radix.Title className="sr-only">Search and commands</Radix.Title>
          <Choices />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const group =
  'p-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-second'

function Choices() {
  const [, go] = useLocation()
  const [query, setQuery] = useState('')
  const commands = useCommands()
  const run = (act: () => void) => {
    showOverlay(null)
    act()
  }
  return (
    <Command label="Search and commands" loop>
      <div className="flex items-center gap-2 border-b border-line px-3">
        <Search size={16} aria-hidden className="text-second" />
        <Command.Input
          value={query}
          onValueChange={setQuery}
          placeholder="Sections, sessions, commands"
          className="h-11 flex-1 bg-transparent text-base outline-none placeholder:text-second"
        />
        <KeyHint keys="Esc" />
      </div>
      <Command.List className="max-h-[56vh] overflow-y-auto">
        <Command.Empty className="px-4 py-6 text-center text-sm text-second">Nothing is called that.</Command.Empty>
        <Command.Group heading="Sections" className={group}>
          {SECTIONS.map(({ path, label, icon: Icon }) => (
            <Item key={path} value={`section ${label}`} onSelect={() => run(() => go(path))}>
              <Icon size={16} aria-hidden className="text-second" />
              {label}
            </Item>
          ))}
        </Command.Group>
        <Command.Group heading="Commands" className={group}>
          {commands.map(({ id, label, icon: Icon, keys, off, run: act }) => (
            <Item key={id} value={label} disabled={Boolean(off)} onSelect={() => run(act)}>
              <Icon size={16} aria-hidden className="text-second" />
              <span className="flex-1">{label}</span>
              {off ? <span className="text-xs text-second">not connected</span> : null}
              {keys ? <KeyHint keys={keys} /> : null}
            </Item>
          ))}
        </Command.Group>
        <TraceHits query={useDeferredValue(query.trim())} onOpen={(id) => run(() => go(traceHref(id)))} />
      </Command.List>
    </Command>
  )
}

function TraceHits({ query, onOpen }: { query: string; onOpen: (id: string) => void }) {
  const { data } = useTraceSearch(query)
  if (!data || data.items.length === 0) return null
  return (
    <Command.Group heading={query ? 'Sessions that match' : 'Newest sessions'} className={group}>
      {data.items.map((trace) => (
        // The server has already searched; the query as keyword keeps the palette from filtering its hits away.
        <Item key={trace.id} value={trace.id} keywords={[query, trace.title ?? '']} onSelect={() => onOpen(trace.id)}>
          <TierMark mark={trace.tier} own={trace.tierSource === 'user'} />
          <span className="min-w-0 flex-1 truncate">{trace.title ?? 'Session without a prompt'}</span>
          <span className="max-w-32 truncate text-xs text-second">{trace.repo}</span>
          <RelativeTime at={trace.endedAt ?? trace.startedAt} className="w-20 text-right text-xs text-second" />
        </Item>
      ))}
    </Command.Group>
  )
}

function Item({
  value,
  keywords,
  disabled = false,
  onSelect,
  children,
}: {
  value: string
  keywords?: string[]
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      value={value}
      keywords={keywords}
      disabled={disabled}
      onSelect={onSelect}
      className="flex h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2 text-sm select-none data-[disabled=true]:cursor-not-allowed data-[disabled=true]:text-second data-[selected=true]:bg-raised data-[selected=true]:shadow-[inset_2px_0_0_var(--accent)]"
    >
      {children}
    </Command.Item>
  )
}
