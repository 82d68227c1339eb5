import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { KEYMAP, isSingleKey, pressed, type ActionId } from './keymap.ts'

/** Return false to pass the press on to the next handler. */
export type KeyHandlers = Partial<Record<ActionId, (event: KeyboardEvent) => void | boolean>>

interface Entry {
  read: () => KeyHandlers
  inDialog: boolean
}

let entries: readonly Entry[] = []
let version = 0
const watchers = new Set<() => void>()
const notifyWatchers = () => {
  version += 1
  watchers.forEach((watcher) => watcher())
}
let singleKeys = true
export const setSingleKeys = (on: boolean) => {
  singleKeys = on
}

/**
 * Handles keys of the table for a part of the screen while it is shown. The part mounted last comes first. Presses in
 * fields, menus and dialogs are left to them, except for keys with Ctrl or Cmd; `inDialog` is for parts that are dialogs.
 */
export function useKeys(handlers: KeyHandlers, { inDialog = false }: { inDialog?: boolean } = {}): void {
  const latest = useRef(handlers)
  // before the first paint, because the user may press a key right after it
  useLayoutEffect(() => {
    latest.current = handlers
  })
  useLayoutEffect(() => {
    const entry: Entry = { read: () => latest.current, inDialog }
    if (entries.length === 0) document.addEventListener('keydown', onKeyDown)
    entries = [...entries, entry]
    notifyWatchers()
    return () => {
      entries = entries.filter((other) => other !== entry)
      if (entries.length === 0) document.removeEventListener('keydown', onKeyDown)
      notifyWatchers()
    }
  }, [inDialog])
  const ids = Object.keys(handlers).toSorted().join(' ')
  useEffect(notifyWatchers, [ids])
}

/** The actions that have a handler now, in the order of the table: what the key map shows. */
export function useActiveActions(): ActionId[] {
  useSyncExternalStore(subscribe, () => version)
  const live = new Set(entries.flatMap((entry) => Object.keys(entry.read())))
  return (Object.keys(KEYMAP) as ActionId[]).filter((id) => live.has(id))
}
const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

const FIELD =
  'input:not([type=checkbox],[type=radio],[type=button],[type=submit]), textarea, select, [contenteditable=true], [role=textbox], [role=combobox]'
/** Elements that use letters to find an entry. */
const TYPED_IN = '[role=menu], [role=listbox]'
/** Elements that use these keys themselves, but not letters. */
const STEPPED = '[role=radiogroup], [role=slider], [role=tablist], [role=separator]'
const STEPS: ReadonlySet<string> = new Set([
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'Enter',
  ' ',
])
const DIALOG = '[role=dialog], [role=alertdialog]'

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const target = event.target instanceof Element ? event.target : null
  const inField = Boolean(target?.closest(FIELD))
  const inWidget = Boolean(target?.closest(TYPED_IN) ?? (STEPS.has(event.key) && target?.closest(STEPPED)))
  const dialog = document.querySelector(DIALOG)
  for (const entry of entries.toReversed()) {
    const handlers = entry.read()
    for (const id of Object.keys(handlers) as ActionId[]) {
      for (const key of KEYMAP[id].keys) {
        if (!pressed(key, event)) continue
        const withMod = key.startsWith('mod+')
        if (isSingleKey(key) && !singleKeys) continue
        if (!withMod && (inField || inWidget) && !(key === 'Escape' && !inWidget)) continue
        if (dialog && !entry.inDialog && !withMod) continue
        // Enter on a button or a link presses that, and so does Space.
        if ((key === 'Enter' || key === ' ') && target?.closest('button, a, summary, [role=button]')) continue
        if (handlers[id]?.(event) === false) continue
        event.preventDefault()
        return
      }
    }
  }
}
