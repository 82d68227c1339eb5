import { Toaster as Sonner, toast as sonner } from 'sonner'

/** How long Undo is offered. */
const UNDO_MS = 10_000
const ERROR_MS = 12_000
const INFO_MS = 4000
/** Equal toasts within this time become one with a count. */
const MERGE_MS = 5000

type Kind = 'plain' | 'success' | 'error'

interface Words {
  kind: Kind
  message: string
  description: string | undefined
  durationMs: number
}

interface OpenToast extends Words {
  id: string
  count: number
  at: number
  /** Undo functions of all that it counts, oldest first. */
  undos: (() => void)[]
  isClosed: boolean
}

const openToasts = new Map<string, OpenToast>()
const keyOf = ({ kind, message, description }: Words) => JSON.stringify([kind, message, description])

function forget(one: OpenToast): void {
  one.isClosed = true
  if (openToasts.get(keyOf(one)) === one) openToasts.delete(keyOf(one))
}

function draw(one: OpenToast): void {
  const { id, kind, message, description, durationMs, count, undos } = one
  const onClose = () => forget(one)
  const options = {
    id,
    description,
    // the library restarts its timer only for a new duration
    duration: durationMs + count,
    onDismiss: onClose,
    onAutoClose: onClose,
    ...(undos.length > 0 ? { action: { label: count > 1 ? 'Undo all' : 'Undo', onClick: () => undoAll(one) } } : {}),
  }
  const text = count > 1 ? `${message} · ${count} times` : message
  if (kind === 'plain') sonner(text, options)
  else sonner[kind](text, options)
}

function undoAll(one: OpenToast): void {
  forget(one)
  for (const undo of one.undos.toReversed()) undo()
}

/** With `onUndo` the toast offers Undo. Returns a function that removes this message from its toast. */
function showToast(words: Words, onUndo?: () => void): () => void {
  const key = keyOf(words)
  const now = performance.now()
  const before = openToasts.get(key)
  const isOpen = before !== undefined && now - before.at < MERGE_MS
  const one: OpenToast = isOpen ? before : { ...words, id: crypto.randomUUID(), count: 0, at: now, undos: [], isClosed: false }
  one.count += 1
  one.at = now
  if (onUndo) one.undos.push(onUndo)
  openToasts.set(key, one)
  draw(one)
  return () => {
    if (one.isClosed) return
    const place = onUndo ? one.undos.indexOf(onUndo) : -1
    if (place >= 0) one.undos.splice(place, 1)
    one.count -= 1
    if (one.count > 0) return draw(one)
    forget(one)
    sonner.dismiss(one.id)
  }
}

/** Short messages above the status bar. Never the only place for an error, never a question. */
export const toast = {
  done: (message: string, description?: string) => void showToast({ kind: 'success', message, description, durationMs: INFO_MS }),
  info: (message: string, description?: string) => void showToast({ kind: 'plain', message, description, durationMs: INFO_MS }),
  /** Stays until it is closed. */
  notice: (message: string, description?: string) => void showToast({ kind: 'plain', message, description, durationMs: Infinity }),
  error: (message: string, description?: string) => void showToast({ kind: 'error', message, description, durationMs: ERROR_MS }),
  /** Returns a function that withdraws the offer, for when it was undone in another way. */
  undo: (message: string, undo: () => void) => showToast({ kind: 'plain', message, description: undefined, durationMs: UNDO_MS }, undo),
}

/** Height of the status bar, and a gap. */
const ABOVE_STATUS_PX = 36

export const Toaster = ({ theme }: { theme: 'dark' | 'light' | 'system' }) => (
  <Sonner
    theme={theme}
    closeButton
    expand
    visibleToasts={3}
    gap={8}
    position="bottom-right"
    offset={{ bottom: ABOVE_STATUS_PX, right: 16 }}
    style={
      {
        '--normal-bg': 'var(--panel)',
        '--normal-border': 'var(--line)',
        '--normal-text': 'var(--text)',
        '--border-radius': '6px',
        fontFamily: 'var(--font-sans)',
      } as React.CSSProperties
    }
    toastOptions={{
      classNames: {
        toast: '!px-3 !py-2 !shadow-float',
        description: '!text-second',
        success: '!text-text [&_[data-icon]]:text-ok',
        error: '!text-text [&_[data-icon]]:text-bad',
        actionButton: '!h-7 !bg-accent !text-on-accent',
        closeButton: '!bg-raised !text-text !border-line',
      },
    }}
  />
)
