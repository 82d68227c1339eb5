import { Eye } from 'lucide-react'
import { useEffect, useState, type PointerEvent } from 'react'
import type { ArchiveFinding } from '#contracts/entities/privacy.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Button } from '#renderer/ui/button.tsx'
import { describeError } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { useFindingContext, useFindingLine } from './queries.ts'

/**
 * The text around a finding, masked except while a button or key is pressed. The toggle is for users who cannot hold a key or
 * use a screen reader; opening another finding resets it.
 */
export function MaskedText({ finding }: { finding: ArchiveFinding }) {
  const [isPressed, setPressed] = useState(false)
  const [isKeptVisible, setKeptVisible] = useState(false)
  useKeys({ peek: () => setPressed(true) })
  useEffect(() => {
    if (!isPressed) return undefined
    const release = () => setPressed(false)
    const onKeyUp = (event: KeyboardEvent) => (event.key === ' ' || event.key === 'Enter') && release()
    window.addEventListener('keyup', onKeyUp)
    window.addEventListener('blur', release)
    document.addEventListener('visibilitychange', release)
    return () => {
      window.removeEventListener('keyup', onKeyUp)
      window.removeEventListener('blur', release)
      document.removeEventListener('visibilitychange', release)
    }
  }, [isPressed])
  const isShown = isPressed || isKeptVisible
  const startPress = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setPressed(true)
  }
  return (
    <div className="flex flex-col gap-2">
      <section
        aria-label="Text in context"
        // a scrolled region must be reachable by keyboard
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="focus-inset h-44 overflow-auto rounded border border-line bg-panel p-3 font-mono text-xs leading-relaxed break-words whitespace-pre-wrap"
      >
        {isShown ? <Shown id={finding.id} /> : <Masked finding={finding} />}
      </section>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          icon={Eye}
          keys={keyOf('peek')}
          aria-pressed={isPressed}
          onPointerDown={startPress}
          onPointerUp={() => setPressed(false)}
          onPointerCancel={() => setPressed(false)}
          onContextMenu={(event) => event.preventDefault()}
          onKeyDown={(event) => {
            if (event.key !== ' ' && event.key !== 'Enter') return
            event.preventDefault()
            setPressed(true)
          }}
          onBlur={() => setPressed(false)}
          className="touch-none"
        >
          Hold to show
        </Button>
        <Button look="quiet" aria-pressed={isKeptVisible} onClick={() => setKeptVisible(!isKeptVisible)}>
          {isKeptVisible ? 'Mask again' : 'Keep visible'}
        </Button>
      </div>
    </div>
  )
}

function Masked({ finding: { id, preview } }: { finding: ArchiveFinding }) {
  const line = useFindingLine(id).data
  return (
    <>
      {line ? <Visible text={line.before} /> : null}
      <span className={line ? 'font-semibold' : 'text-base'}>
        <Visible text={preview} />
      </span>
      {line ? <Visible text={line.after} /> : null}
      <span className="mt-3 block font-sans text-second">
        Masked. The value is read from the archive and shown only while you hold the button down.
      </span>
    </>
  )
}

function Shown({ id }: { id: string }) {
  const { data, error } = useFindingContext(id)
  if (error) {
    const { message, hint } = describeError(error)
    return (
      <span role="alert" className="font-sans text-bad">
        Couldn't read the text: {message} {hint}
      </span>
    )
  }
  if (!data) return <span className="font-sans text-second">Reading the archive …</span>
  return (
    <>
      {data.truncated ? '… ' : ''}
      <Visible text={data.before} />
      <mark className="rounded-sm bg-warn/25 px-0.5 text-text outline outline-warn">
        <Visible text={data.value} />
      </mark>
      <Visible text={data.after} />
      {data.truncated ? ' …' : ''}
    </>
  )
}
