import { Copy, Ear, Search } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent as ReactKeyEvent, type ReactNode } from 'react'
import { IconButton } from '../button.tsx'
import { cn } from '../cn.ts'
import { Confirm } from '../confirm.tsx'
import { copyText } from '../copy-text.ts'
import { TextInput } from '../field.tsx'
import { plural } from '../format.ts'
import { KeyHint } from '../key-hint.tsx'
import { Visible } from '../visible.tsx'
import { asKeys, inBrackets } from './paste.ts'
import { createTerminalScreen, type TerminalScreen, type TerminalSize } from './screen.ts'

const RESIZE_MS = 100
const READER = 'bashgym.terminal-screen-reader'
/** The key that leaves the terminal, shown next to it. */
const LEAVE = 'Ctrl Shift ↑'

export interface TerminalProps {
  label: string
  /** Starts to fill the screen and returns a function that stops it. A new function means a new terminal. */
  connect: (screen: Pick<TerminalScreen, 'write' | 'gap'>) => () => void
  /** Receives keys; null: read-only. */
  onKeys: ((keys: Uint8Array) => void) | null
  /** Null: as large as fits, reported to `onSize`. */
  size: TerminalSize | null
  onSize?: (size: TerminalSize) => void
  /** Content of the bar above the terminal. */
  children?: ReactNode
}

/** A terminal to read or to type in. The keyboard can always leave it. */
export default function TerminalView({ label, connect, onKeys, size, onSize, children }: TerminalProps) {
  const box = useRef<HTMLDivElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [screen, setScreen] = useState<TerminalScreen | null>(null)
  const [isFinding, setFinding] = useState(false)
  const [isRead, setRead] = useState(() => localStorage.getItem(READER) === 'on')
  const [pendingPaste, setAsked] = useState<string | null>(null)
  const latest = useRef({ onKeys, onSize, size })
  useLayoutEffect(() => {
    latest.current = { onKeys, onSize, size }
  })

  const keyOf = useRef<(event: KeyboardEvent) => boolean>(() => false)
  useLayoutEffect(() => {
    keyOf.current = ({ type, key, ctrlKey, shiftKey, altKey, metaKey }) => {
      if (!ctrlKey || !shiftKey || altKey || metaKey) return false
      const action = {
        ArrowUp: () => bar.current?.querySelector<HTMLElement>('button')?.focus(),
        F: () => setFinding(true),
        C: () => screen && void copyText(screen.text()),
      }[key]
      if (action && type === 'keydown') action()
      return action !== undefined
    }
  })

  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const newScreen = createTerminalScreen(element, label, () => ({
      keys: latest.current.onKeys,
      onKey(event) {
        const isOurs = keyOf.current(event)
        if (isOurs) event.preventDefault()
        return isOurs
      },
    }))
    const space = latest.current.size ?? newScreen.spaceFor() // before the first byte: full-screen programs count cells
    if (space) newScreen.resize(space)
    setScreen(newScreen)
    const stop = connect(newScreen)
    return () => {
      stop()
      newScreen.close()
      setScreen(null)
    }
  }, [connect, label])
  const isTyping = onKeys !== null
  useEffect(() => {
    if (isTyping) screen?.focus()
  }, [isTyping, screen])
  useEffect(() => screen?.setTyping(isTyping), [screen, isTyping])
  useEffect(() => screen?.setScreenReader(isRead), [screen, isRead])
  const { columns = null, rows = null } = size ?? {}
  useEffect(() => {
    const element = box.current
    if (!screen || !element) return undefined
    if (columns !== null && rows !== null) return screen.resize({ columns, rows })
    const fit = () => {
      const space = screen.spaceFor()
      if (!space) return
      screen.resize(space)
      latest.current.onSize?.(space)
    }
    fit()
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new ResizeObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(fit, RESIZE_MS)
    })
    observer.observe(element)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [screen, columns, rows])

  const paste = (text: string) => {
    if (!screen || !isTyping) return
    const keys = asKeys(text)
    if (screen.isBracketing()) screen.type(inBrackets(keys))
    else if (keys.trimEnd().includes('\r')) setAsked(keys)
    else screen.type(keys)
  }
  return (
    <div className="flex min-w-0 flex-col">
      <div ref={bar} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-2 py-1">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 text-sm">{children}</div>
        {isTyping ? (
          <span className="flex items-center gap-1 text-xs text-second">
            <KeyHint keys={LEAVE} /> <span>leaves the terminal</span>
          </span>
        ) : null}
        <IconButton
          size="small"
          icon={Search}
          label="Find"
          keys="Ctrl Shift F"
          aria-pressed={isFinding}
          onClick={() => setFinding(!isFinding)}
        />
        <IconButton
          size="small"
          icon={Copy}
          label="Copy the selection, or everything"
          keys="Ctrl Shift C"
          onClick={() => screen && void copyText(screen.text())}
        />
        <IconButton
          size="small"
          icon={Ear}
          label={isRead ? 'Screen reader mode is on' : 'Screen reader mode'}
          aria-pressed={isRead}
          className={isRead ? 'border-accent!' : undefined}
          onClick={() => {
            localStorage.setItem(READER, isRead ? 'off' : 'on')
            setRead(!isRead)
          }}
        />
      </div>
      {isFinding && screen ? <Find screen={screen} onClose={() => setFinding(false)} /> : null}
      <div
        className={cn(
          'overflow-x-auto bg-bg p-2 focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-accent',
          size === null && 'h-[576px]',
        )}
        onPasteCapture={(event) => {
          event.preventDefault()
          event.stopPropagation()
          paste(event.clipboardData.getData('text/plain'))
        }}
      >
        <div ref={box} className="h-full w-full font-mono" />
      </div>
      <Confirm
        open={pendingPaste !== null}
        onOpenChange={(open) => open || setAsked(null)}
        title={`Paste ${plural(pendingPaste?.trimEnd().split('\r').length ?? 0, 'line')}?`}
        action="Paste"
        danger={false}
        onConfirm={() => {
          if (pendingPaste !== null) screen?.type(pendingPaste)
          screen?.focus()
        }}
      >
        <p>This program takes each line as if Enter was pressed after it.</p>
        <pre className="max-h-60 overflow-auto rounded border border-line bg-bg p-2 font-mono text-xs text-text">
          <Visible text={pendingPaste?.replaceAll('\r', '\n') ?? ''} />
        </pre>
      </Confirm>
    </div>
  )
}

function Find({ screen, onClose }: { screen: TerminalScreen; onClose: () => void }) {
  const [text, setText] = useState('')
  const [isFound, setFound] = useState(true)
  const find = (isBackwards: boolean) => setFound(text === '' || screen.find(text, isBackwards))
  const onKeyDown = (event: ReactKeyEvent) => {
    if (event.key === 'Enter') find(event.shiftKey)
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
    screen.focus()
  }
  return (
    <div className="flex items-center gap-2 border-b border-line px-2 py-1 text-xs text-second">
      <TextInput
        aria-label="Find in the terminal"
        className="h-7 w-60 font-mono text-xs"
        placeholder="Enter: next, Shift+Enter: previous"
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the search
        autoFocus
      />
      <span role="status">{isFound ? '' : 'Not found'}</span>
    </div>
  )
}
