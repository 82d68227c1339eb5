import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'
import { cn } from './cn.ts'
import { TextLink } from './link.tsx'
import { Popover } from './popover.tsx'
import { Visible } from './visible.tsx'

/** How long Undo is offered. */
const UNDO_MS = 10_000
const ERROR_MS = 12_000
const INFO_MS = 4000
/** Equal toasts within this time become one with a count. */
const MERGE_MS = 5000
/** The oldest are dropped beyond this. */
const MAX_OPEN = 20

type Kind = 'plain' | 'success' | 'error'

interface Words {
  kind: Kind
  message: string
  description: string | undefined
  durationMs: number
  link?: { href: string; label: string } | undefined
}

interface OpenToast extends Words {
  id: string
  count: number
  at: number
  /** Undo functions of all that it counts, oldest first. */
  undos: readonly (() => void)[]
}

let openToasts: readonly OpenToast[] = []
const listeners = new Set<() => void>()

function setOpen(next: readonly OpenToast[]): void {
  openToasts = next.slice(-MAX_OPEN)
  for (const listener of listeners) listener()
}

const close = (id: string): void => setOpen(openToasts.filter((one) => one.id !== id))
const replace = (next: OpenToast): void => setOpen(openToasts.map((one) => (one.id === next.id ? next : one)))

function undoAll({ id, undos }: OpenToast): void {
  close(id)
  for (const undo of undos.toReversed()) undo()
}

/** Errors and notices are shown again after a newer message has closed; others give way to it. */
const comesBack = ({ kind, durationMs }: Words) => kind === 'error' || durationMs === Infinity

/** With `onUndo` the toast offers Undo. Returns a function that removes this message from its toast. */
function showToast(words: Words, onUndo?: () => void): () => void {
  const at = performance.now()
  const same = openToasts.find(
    (one) => one.kind === words.kind && one.message === words.message && one.description === words.description && at - one.at < MERGE_MS,
  )
  const undos = [...(same?.undos ?? []), ...(onUndo ? [onUndo] : [])]
  const id = same?.id ?? crypto.randomUUID()
  setOpen([...openToasts.filter((one) => one !== same && comesBack(one)), { ...words, id, count: (same?.count ?? 0) + 1, at, undos }])
  return () => {
    const one = openToasts.find((open) => open.id === id)
    if (!one) return
    if (one.count === 1) close(id)
    else replace({ ...one, count: one.count - 1, undos: one.undos.filter((undo) => undo !== onUndo) })
  }
}

/** Short messages in the status bar. Never the only place for an error, never a question. */
export const toast = {
  done: (message: string, description?: string) => void showToast({ kind: 'success', message, description, durationMs: INFO_MS }),
  /** One with a link stays as long as an offer of Undo. */
  info: (message: string, description?: string, link?: Words['link']) =>
    void showToast({ kind: 'plain', message, description, durationMs: link ? UNDO_MS : INFO_MS, link }),
  /** Stays until it is closed. */
  notice: (message: string, description?: string) => void showToast({ kind: 'plain', message, description, durationMs: Infinity }),
  error: (message: string, description?: string) => void showToast({ kind: 'error', message, description, durationMs: ERROR_MS }),
  /** Returns a function that withdraws the offer, for when it was undone in another way. */
  undo: (message: string, undo: () => void) => showToast({ kind: 'plain', message, description: undefined, durationMs: UNDO_MS }, undo),
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The newest message on one line, with one Undo. It has a place of its own in the status bar, so it covers nothing. */
export function ToastLine() {
  const newest = useSyncExternalStore(subscribe, () => openToasts).at(-1)
  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      className={cn('flex min-w-0 grow justify-center', newest && 'shrink-0 basis-64 px-2')}
    >
      {newest ? (
        <ol className="flex min-w-0">
          <Line key={newest.id} shown={newest} />
        </ol>
      ) : null}
    </section>
  )
}

const ICONS = { success: CircleCheck, error: CircleAlert }

function Line({ shown }: { shown: OpenToast }) {
  const { id, kind, message, description, durationMs, count, at, undos, link } = shown
  const [isUsed, setUsed] = useState(false)
  const [isOpen, setDetails] = useState(false)
  // a message that a person points at, has the focus in, or reads the details of does not leave
  const stays = isUsed || isOpen || durationMs === Infinity
  const endsAt = at + durationMs
  useEffect(() => {
    if (stays) return undefined
    const timer = setTimeout(() => close(id), Math.max(INFO_MS, endsAt - performance.now()))
    return () => clearTimeout(timer)
  }, [id, endsAt, stays])
  const Icon = kind === 'plain' ? null : ICONS[kind]
  const text = count > 1 ? `${message} · ${count} times` : message
  return (
    // it only waits while it is pointed at; its buttons are what is pressed
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      onPointerEnter={() => setUsed(true)}
      onPointerLeave={() => setUsed(false)}
      onFocus={() => setUsed(true)}
      onBlur={() => setUsed(false)}
      className="flex h-6 min-w-0 items-center gap-2 text-text"
    >
      {Icon ? <Icon size={14} aria-hidden className={cn('shrink-0', kind === 'error' ? 'text-bad' : 'text-ok')} /> : null}
      {/* the description gives way first */}
      <span className="max-w-full truncate" title={text}>
        <Visible text={text} />
      </span>
      {description ? (
        <span className="min-w-0 shrink-[1000] truncate text-second" title={description}>
          <Visible text={description} />
        </span>
      ) : null}
      {description ? (
        <Popover label={text} open={isOpen} onOpenChange={setDetails} align="center" trigger={<LineButton>Details</LineButton>}>
          <p className="font-semibold break-words">
            <Visible text={text} />
          </p>
          <p className="break-words whitespace-pre-wrap text-second">
            <Visible text={description} />
          </p>
        </Popover>
      ) : null}
      {undos.length > 0 ? <LineButton onClick={() => undoAll(shown)}>{count > 1 ? 'Undo all' : 'Undo'}</LineButton> : null}
      {link ? (
        <TextLink href={link.href} className="shrink-0 font-semibold" onClick={() => close(id)}>
          {link.label}
        </TextLink>
      ) : null}
      <IconButton size="small" icon={X} label="Close message" className="h-6! w-6!" onClick={() => close(id)} />
    </li>
  )
}

const LineButton = (props: React.ComponentProps<'button'>) => (
  <button
    type="button"
    {...props}
    className="focus-inset h-6 shrink-0 rounded-sm px-1.5 font-semibold text-accent underline underline-offset-2 hover:bg-raised"
  />
)
