import { Wrench } from 'lucide-react'
import { memo, useState } from 'react'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { formatCount, formatDuration } from '#renderer/ui/format.ts'
import { Progress } from '#renderer/ui/meter.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { formatFigure } from '../figures.ts'
import { isOpen, type Answer, type Call } from './conversation.ts'

/** The answer of one side: its text, its calls and its speed. */
export const AnswerView = memo(function AnswerView({ side, answer }: { side: string; answer: Answer }) {
  const { state, text, calls, error, raw } = answer
  const [isRaw, setRaw] = useState(false)
  const isEmpty = text === '' && calls.length === 0
  return (
    <article
      aria-label={`Answer of ${side}`}
      aria-busy={state === 'waiting' || state === 'streaming'}
      className="flex min-w-0 flex-col gap-2 text-sm"
    >
      {isRaw && raw !== null ? (
        <pre className="font-mono text-xs break-words whitespace-pre-wrap">
          <Visible text={raw} />
        </pre>
      ) : text === '' ? null : (
        <p className="leading-[1.45] break-words whitespace-pre-wrap">
          <Visible text={text} />
        </p>
      )}
      {(isRaw ? [] : calls).map((call, index) => (
        // calls are only appended, so an index is a stable key
        // oxlint-disable-next-line react/no-array-index-key
        <CallView key={index} call={call} />
      ))}
      {state === 'waiting' ? <Progress label={`${side} has not answered yet`} value={null} className="w-24" /> : null}
      {isEmpty && (state === 'done' || state === 'stopped') ? (
        <p className="text-second">{answer.tokens ? 'It produced no visible text.' : 'Empty answer.'}</p>
      ) : null}
      {state === 'failed' ? (
        <p role="alert" className="border-l-4 border-bad pl-2 break-words">
          {error}
        </p>
      ) : null}
      <Speed answer={answer} />
      {state === 'done' || state === 'stopped' ? (
        <p className="flex flex-wrap items-center gap-2 text-xs text-second">
          {answer.cut ? <Badge tone="warn">cut at the max answer length</Badge> : null}
          grammar for tool calls {answer.grammar ? 'on' : 'off'}
          {raw === null ? null : (
            <Button size="small" look="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
              {isRaw ? 'As read' : 'Raw text'}
            </Button>
          )}
        </p>
      ) : null}
    </article>
  )
})

function CallView({ call }: { call: Call }) {
  const command = commandOf(call.arguments)
  return (
    <section aria-label={`Call of ${call.name}`} className="rounded border border-line bg-panel">
      <h4 className="flex items-center gap-2 border-b border-line px-2 py-1 text-xs">
        <Wrench size={12} aria-hidden className="text-series-2" />
        <span className="font-semibold">
          <Visible text={call.name} />
        </span>
        <span className="text-second">requested this tool; it was not run</span>
      </h4>
      <pre className="px-2 py-1.5 font-mono text-xs break-words whitespace-pre-wrap">
        <Visible text={command ?? (typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments, null, 2))} />
      </pre>
    </section>
  )
}

/** The command of a call whose only argument is a command; otherwise null. */
function commandOf(args: unknown): string | null {
  if (typeof args !== 'object' || args === null) return null
  const entries = Object.entries(args)
  return entries.length === 1 && entries[0]?.[0] === 'command' && typeof entries[0][1] === 'string' ? `$ ${entries[0][1]}` : null
}

function Speed({ answer: { state, tokens, tokensPerSec, firstTokenMs, ms } }: { answer: Answer }) {
  if (isOpen({ state })) return null
  const parts = [
    tokens === null ? null : `${formatCount(tokens)} tokens`,
    tokensPerSec === null ? null : `${formatFigure(Number(tokensPerSec.toPrecision(3)))} tokens/s`,
    firstTokenMs === null ? null : `first after ${formatDuration(firstTokenMs)}`,
    ms === null ? null : `${formatDuration(ms)} in total`,
  ]
  const figures = parts.filter(Boolean).join(' · ')
  if (figures === '' && state !== 'stopped') return null
  return (
    <p className="flex flex-wrap items-center gap-2 font-mono text-xs text-second">
      {state === 'stopped' ? <Badge>stopped</Badge> : null}
      {figures}
    </p>
  )
}
