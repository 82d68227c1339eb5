import { Keyboard, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { useLayout } from '#renderer/stores/layout.ts'
import { showOverlay } from '#renderer/stores/overlays.ts'
import { cn } from '#renderer/ui/cn.ts'
import { KeyHint } from '#renderer/ui/key-hint.tsx'
import { useMedia } from '#renderer/ui/use-media.ts'
import { keyOf } from './keymap.ts'
import { SECTIONS, isInSection } from './sections.ts'

const entry = (folded: boolean) =>
  cn(
    'focus-inset flex w-full items-center rounded text-second hover:bg-raised hover:text-text',
    folded ? 'min-h-12 flex-col justify-center gap-0.5 px-1 text-xs' : 'h-8 gap-2.5 px-2 text-sm',
  )

/** A small window, or a page zoomed to 200 %: the rail folds by itself. */
const NARROW = '(max-width: 900px)'

export function Rail() {
  const { railFolded, toggleRail } = useLayout()
  const narrow = useMedia(NARROW)
  const folded = railFolded || narrow
  return (
    <nav
      aria-label="Sections"
      className={cn('flex shrink-0 flex-col gap-1 overflow-y-auto border-r border-line bg-panel p-2', folded ? 'w-[76px]' : 'w-[180px]')}
    >
      <div className={cn('flex h-8 items-center gap-2 font-semibold', folded ? 'justify-center' : 'px-2')}>
        <img src="/icon.svg" alt={folded ? 'Bash Gym' : ''} width={20} height={20} />
        {folded ? null : <span>Bash Gym</span>}
      </div>
      <button type="button" className={entry(folded)} onClick={() => showOverlay('palette')}>
        <Search size={16} aria-hidden className="shrink-0" />
        <span className={cn(!folded && 'flex-1 text-left')}>Search</span>
        {folded ? null : <KeyHint keys={keyOf('palette')} />}
      </button>
      <div className="my-1 h-px bg-line" />
      <Entries place="top" folded={folded} />
      <div className="flex-1" />
      <Entries place="bottom" folded={folded} />
      <button type="button" className={entry(folded)} onClick={() => showOverlay('keys')}>
        <Keyboard size={16} aria-hidden className="shrink-0" />
        <span className={cn(!folded && 'flex-1 text-left')}>Keys</span>
        {folded ? null : <KeyHint keys={keyOf('keyMap')} />}
      </button>
      {narrow ? null : (
        <button type="button" className={entry(folded)} aria-expanded={!folded} onClick={toggleRail}>
          {folded ? <PanelLeftOpen size={16} aria-hidden /> : <PanelLeftClose size={16} aria-hidden className="shrink-0" />}
          <span>{folded ? 'Expand' : 'Collapse'}</span>
        </button>
      )}
    </nav>
  )
}

function Entries({ place, folded }: { place: 'top' | 'bottom'; folded: boolean }) {
  const [path] = useLocation()
  return (
    <ul className="flex flex-col gap-1">
      {SECTIONS.filter((section) => section.place === place).map(({ path: href, label, icon: Icon }) => {
        const active = isInSection(href, path)
        return (
          <li key={href}>
            <Link
              href={href}
              aria-current={active ? 'page' : undefined}
              className={cn(entry(folded), active && 'bg-raised font-semibold text-text shadow-[inset_2px_0_0_var(--accent)]')}
            >
              <Icon size={16} aria-hidden className="shrink-0" />
              <span>{label}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
