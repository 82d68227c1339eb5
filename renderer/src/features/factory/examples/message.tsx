import { Brain, Pencil, Trash2 } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import type { ChatMessage, ExampleDetail, ToolCall } from '#contracts/entities/example.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatCount } from '#renderer/ui/format.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { splitThinking, piecesOf } from './pieces.ts'
import { findingWord } from './words.ts'

const ROLE: Record<ChatMessage['role'], { word: string; bar: string }> = {
  system: { word: 'System', bar: 'before:bg-edge' },
  user: { word: 'User', bar: 'before:bg-accent' },
  assistant: { word: 'Assistant', bar: 'before:bg-series-1' },
  tool: { word: 'Result', bar: 'before:bg-series-2' },
}

interface Props {
  message: ChatMessage
  index: number
  total: number
  replacements: ExampleDetail['replacements']
  trim: ExampleDetail['trims'][number] | null
  current: boolean
  /** Null: read-only. */
  onEdit: (() => void) | null
  onRemove: (() => void) | null
  onPress: () => void
}

/** One message of the chat, with replacements by the privacy policy marked. */
export function Message({ message, index, total, replacements, trim, current, onEdit, onRemove, onPress }: Props) {
  const { word, bar } = ROLE[message.role]
  return (
    // for the pointer only: keyboard users press j and k
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      onClick={onPress}
      className={cn(
        'group relative px-4 py-2 before:absolute before:inset-y-1 before:left-0 before:w-1 before:content-[""]',
        bar,
        current && 'current-item',
      )}
    >
      <div className="flex h-7 items-center gap-2 text-xs text-second">
        <span className="font-semibold text-text">{word}</span>
        {message.role === 'tool' ? <span className="font-mono">{message.name}</span> : null}
        {trim ? <span title="The cut is marked in the text.">{formatCount(trim.cutChars)} characters removed from the middle</span> : null}
        <span className="ml-auto font-mono">
          {index + 1}/{total}
        </span>
        {onEdit ? (
          <IconButton size="small" icon={Pencil} label={`Edit message ${index + 1}`} keys={keyOf('edit')} onClick={onEdit} />
        ) : null}
        {onRemove ? <IconButton size="small" icon={Trash2} label={`Remove message ${index + 1}`} onClick={onRemove} /> : null}
      </div>
      <Body message={message} replacements={replacements} />
    </div>
  )
}

function Body({ message, replacements }: Pick<Props, 'message' | 'replacements'>) {
  if (message.role === 'tool') return <Output text={message.content} replacements={replacements} />
  if (message.role !== 'assistant') return <Long text={message.content} replacements={replacements} className="text-base" />
  const { thinking, answer } = splitThinking(message.content)
  return (
    <div className="flex flex-col gap-2">
      {thinking.map((text, at) => (
        // thinking blocks are never reordered
        // oxlint-disable-next-line react/no-array-index-key
        <Thinking key={at} text={text} replacements={replacements} />
      ))}
      {answer.trim() === '' ? null : <Long text={answer} replacements={replacements} className="text-base" />}
      {message.tool_calls?.map((call) => (
        <Call key={call.id} call={call} replacements={replacements} />
      ))}
    </div>
  )
}

function Thinking({ text, replacements }: { text: string; replacements: Props['replacements'] }) {
  return (
    <details className="rounded border border-dashed border-edge px-3 py-1 text-sm text-second">
      <summary className="min-h-6 text-xs">
        <Brain size={14} aria-hidden className="mr-1 inline" />
        Thinking{' '}
        <span className="inline-block max-w-[60ch] truncate align-bottom">
          <Visible text={text.trim().split('\n', 1)[0] ?? ''} />
        </span>
      </summary>
      <p className="break-words whitespace-pre-wrap">
        <Marked text={text} replacements={replacements} />
      </p>
    </details>
  )
}

function Call({ call, replacements }: { call: ToolCall; replacements: Props['replacements'] }) {
  const { name, arguments: args } = call.function
  const entries = Object.entries(args)
  return (
    <div className="rounded border border-line bg-panel">
      <p className="flex gap-2 border-b border-line px-3 py-1 text-xs">
        <span className="font-semibold">{name}</span>
        <span className="ml-auto font-mono text-second">{call.id}</span>
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 px-3 py-1.5 text-xs">
        {entries.map(([key, value]) => (
          <div key={key} className="contents">
            <dt className="font-mono text-second">{key}</dt>
            <dd className="font-mono break-words whitespace-pre-wrap">
              <Long
                text={typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null')}
                replacements={replacements}
                className="text-xs leading-[1.45]"
              />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const OUTPUT_LINES = 24

function Output({ text, replacements }: { text: string; replacements: Props['replacements'] }) {
  return (
    <div className="rounded border border-line bg-bg px-3 py-1.5">
      <Long text={text} replacements={replacements} lines={OUTPUT_LINES} className="font-mono text-xs leading-[1.45]" />
    </div>
  )
}

const LONG_CHARS = 2400

/** A text that is collapsed if it is long. */
function Long({
  text,
  replacements,
  className,
  lines = 60,
}: {
  text: string
  replacements: Props['replacements']
  className: string
  lines?: number
}) {
  const [isExpanded, setExpanded] = useState(false)
  const beginning = useMemo(() => text.split('\n').slice(0, lines).join('\n').slice(0, LONG_CHARS), [text, lines])
  const isLong = beginning.length < text.length
  if (text === '') return <p className="text-xs text-second">Empty</p>
  return (
    <>
      <p className={cn('break-words whitespace-pre-wrap', className)}>
        <Marked text={isExpanded ? text : beginning} replacements={replacements} />
      </p>
      {isLong ? (
        <button type="button" onClick={() => setExpanded(!isExpanded)} className="min-h-6 text-xs text-accent underline">
          {isExpanded ? 'Show less' : `Show all ${formatCount(text.length)} characters`}
        </button>
      ) : null}
    </>
  )
}

function Marked({ text, replacements }: { text: string; replacements: Props['replacements'] }): ReactNode {
  const pieces = useMemo(() => piecesOf(text, replacements), [text, replacements])
  return pieces.map((piece, index) => {
    // pieces of a text are never reordered
    // oxlint-disable-next-line react/no-array-index-key
    if (piece.kind === 'plain') return <Visible key={index} text={piece.text} />
    if (piece.kind === 'cut')
      return (
        // as above
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className="rounded-sm border border-dashed border-warn px-1 text-text">
          <Visible text={piece.text} />
        </span>
      )
    return (
      // as above
      // oxlint-disable react/no-array-index-key
      <mark
        key={index}
        title={`Replaces: ${findingWord(piece.type)}`}
        className="rounded-sm bg-accent/25 px-0.5 text-text underline decoration-dotted"
      >
        <Visible text={piece.text} />
      </mark>
      // oxlint-enable react/no-array-index-key
    )
  })
}
