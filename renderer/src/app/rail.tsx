import { ChevronDown, ChevronRight, Keyboard, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import type { ReactElement } from 'react'
import { Link, useLocation } from 'wouter'
import { useLayout } from '#renderer/stores/layout.ts'
import { showOverlay } from '#renderer/stores/overlays.ts'
import { cn } from '#renderer/ui/cn.ts'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { Tooltip } from '#renderer/ui/tooltip.tsx'
import { useMedia } from '#renderer/ui/use-media.ts'
import { keyOf } from './keymap.ts'
import type { Section } from './feature.ts'
import { BOTTOM, GROUPS, isInSection, TOP, type SectionGroup } from './sections.ts'

const entry = (folded: boolean) =>
  cn(
    'focus-inset flex h-8 w-full shrink-0 items-center rounded text-sm text-second hover:bg-raised hover:text-text',
    folded ? 'justify-center' : 'gap-2.5 px-2',
  )

/** In a smaller window, or a page zoomed to 125 % and more, the rail shows icons only. */
const NARROW = '(max-width: 1199px)'

export function Rail() {
  const { railFolded, toggleRail } = useLayout()
  const narrow = useMedia(NARROW)
  const folded = railFolded || narrow
  return (
    <nav
      aria-label="Sections"
      className={cn('flex shrink-0 flex-col gap-1 overflow-y-auto border-r border-line bg-panel p-2', folded ? 'w-[52px]' : 'w-[180px]')}
    >
      <div className={cn('flex h-8 shrink-0 items-center gap-2 font-semibold', folded ? 'justify-center' : 'px-2')}>
        <img src="/icon.svg" alt={folded ? 'Bash Gym' : ''} width={20} height={20} />
        {folded ? null : <span>Bash Gym</span>}
      </div>
      <WithTooltip folded={folded} label="Search" keys={keyOf('palette')}>
        <button type="button" className={entry(folded)} onClick={() => showOverlay('palette')}>
          <Search size={16} aria-hidden className="shrink-0" />
          <span className={folded ? 'sr-only' : 'flex-1 text-left'}>Search</span>
          {folded ? null : <KeyHint keys={keyOf('palette')} />}
        </button>
      </WithTooltip>
      <div className="my-1 h-px shrink-0 bg-line" />
      <Entries sections={TOP} folded={folded} />
      {GROUPS.map((group) => (
        <Group key={group.id} group={group} folded={folded} />
      ))}
      <div className="flex-1" />
      <Entries sections={BOTTOM} folded={folded} />
      <WithTooltip folded={folded} label="Keys" keys={keyOf('keyMap')}>
        <button type="button" className={entry(folded)} onClick={() => showOverlay('keys')}>
          <Keyboard size={16} aria-hidden className="shrink-0" />
          <span className={folded ? 'sr-only' : 'flex-1 text-left'}>Keys</span>
          {folded ? null : <KeyHint keys={keyOf('keyMap')} />}
        </button>
      </WithTooltip>
      {narrow ? null : (
        <WithTooltip folded={folded} label="Expand">
          <button type="button" className={entry(folded)} aria-expanded={!folded} onClick={toggleRail}>
            {folded ? <PanelLeftOpen size={16} aria-hidden /> : <PanelLeftClose size={16} aria-hidden className="shrink-0" />}
            <span className={folded ? 'sr-only' : undefined}>{folded ? 'Expand' : 'Collapse'}</span>
          </button>
        </WithTooltip>
      )}
    </nav>
  )
}

/** If only the icon is shown, its name is a tooltip. */
const WithTooltip = ({ folded, label, keys, children }: { folded: boolean; label: string; keys?: string; children: ReactElement }) =>
  folded ? (
    <Tooltip text={label} keys={keys} side="right">
      {children}
    </Tooltip>
  ) : (
    children
  )

/** Sections under a heading that folds them; a rail of icons shows them all, between lines. */
function Group({ group, folded }: { group: SectionGroup; folded: boolean }) {
  const [path] = useLocation()
  const isClosed = useLayout(({ closedGroups }) => closedGroups.includes(group.id))
  const toggle = useLayout(({ toggleGroup }) => toggleGroup)
  // a closed group still shows the current section
  const visibleSections = folded || !isClosed ? group.sections : group.sections.filter((section) => isInSection(section.path, path))
  const Icon = isClosed ? ChevronRight : ChevronDown
  return (
    <div className="shrink-0">
      {folded ? (
        <div className="mx-1 my-1 h-px bg-line" />
      ) : (
        <button
          type="button"
          aria-expanded={!isClosed}
          className="focus-inset mt-1 flex h-6 w-full items-center gap-1 rounded px-2 text-xs text-second hover:text-text"
          onClick={() => toggle(group.id)}
        >
          <span className="flex-1 text-left">{group.label}</span>
          <Icon size={14} aria-hidden />
        </button>
      )}
      <ul aria-label={`${group.label} sections`} className="flex flex-col gap-0.5">
        {visibleSections.map((section) => (
          <Entry key={section.path} section={section} folded={folded} />
        ))}
      </ul>
    </div>
  )
}

const Entries = ({ sections, folded }: { sections: readonly Section[]; folded: boolean }) => (
  <ul>
    {sections.map((section) => (
      <Entry key={section.path} section={section} folded={folded} />
    ))}
  </ul>
)

function Entry({ section: { path: href, label, icon: Icon }, folded }: { section: Section; folded: boolean }) {
  const [path] = useLocation()
  const active = isInSection(href, path)
  return (
    <li>
      <WithTooltip folded={folded} label={label}>
        <Link
          href={href}
          aria-current={active ? 'page' : undefined}
          className={cn(entry(folded), active && 'bg-raised font-semibold text-text shadow-[inset_2px_0_0_var(--accent)]')}
        >
          <Icon size={16} aria-hidden className="shrink-0" />
          <span className={folded ? 'sr-only' : undefined}>{label}</span>
        </Link>
      </WithTooltip>
    </li>
  )
}
