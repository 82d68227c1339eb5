import { Bot, Brain, CircleAlert, CornerDownRight, Info, MessageCircleQuestion, Reply, User, Wrench, type LucideIcon } from 'lucide-react'
import { TaskState, type TaskEvent } from '#contracts/entities/task.ts'
import { TASK_STATES } from '#renderer/app/words/tasks.ts'
import { cn } from '#renderer/ui/cn.ts'
import { formatInstant } from '#renderer/ui/format.ts'
import { Visible } from '#renderer/ui/visible.tsx'

const KINDS: Record<TaskEvent['kind'], { icon: LucideIcon; name: string; ink: string }> = {
  state: { icon: Info, name: 'State', ink: 'text-second' },
  message: { icon: Bot, name: 'Agent', ink: 'text-text' },
  thinking: { icon: Brain, name: 'Thinking', ink: 'text-second' },
  tool: { icon: Wrench, name: 'Tool', ink: 'text-accent' },
  result: { icon: CornerDownRight, name: 'Result', ink: 'text-second' },
  asked: { icon: MessageCircleQuestion, name: 'Asked', ink: 'text-warn' },
  answered: { icon: Reply, name: 'Answered', ink: 'text-text' },
  you: { icon: User, name: 'You', ink: 'text-text' },
  note: { icon: Info, name: 'Note', ink: 'text-second' },
}
/** Longer texts are folded. */
const FOLD_CHARS = 400
const FOLD_LINES = 6

/** One step: who or what, then its text. Thinking and long results are folded. */
export function EventRow({ event }: { event: TaskEvent }) {
  const { icon, name, ink } = KINDS[event.kind]
  const Icon = event.isError ? CircleAlert : icon
  const isMono = event.kind === 'tool' || event.kind === 'result'
  return (
    <div className="flex gap-2 px-2 py-1 text-sm" title={formatInstant(event.at)}>
      <Icon size={14} aria-hidden className={cn('mt-0.5 shrink-0', event.isError ? 'text-bad' : ink)} />
      <div className="min-w-0 flex-1">
        <span className="sr-only">{event.isError ? `${name}, error` : name}: </span>
        {event.agent === null ? null : (
          <span className="mr-2 rounded-sm border border-line px-1 text-xs text-second">
            <Visible text={event.agent} />
          </span>
        )}
        {event.tool === null ? null : (
          <span className="mr-2 font-mono text-xs font-semibold">
            <Visible text={event.tool} />
          </span>
        )}
        <Text
          event={event}
          className={cn(isMono && 'font-mono text-xs', (event.kind === 'state' || event.kind === 'note') && 'text-second')}
        />
      </div>
    </div>
  )
}

function wordsOf({ kind, text }: TaskEvent): string {
  const state = kind === 'state' ? TaskState.safeParse(text) : null
  if (state?.success) return TASK_STATES[state.data].label
  return kind === 'result' && text.trim() === '' ? 'no output' : text
}

function Text({ event, className }: { event: TaskEvent; className: string }) {
  const { kind } = event
  const text = wordsOf(event)
  const whole = (
    <span className={cn('break-words whitespace-pre-wrap', className)}>
      <Visible text={text} />
    </span>
  )
  const lines = text.split('\n')
  const isLong = kind !== 'message' && kind !== 'you' && (text.length > FOLD_CHARS || lines.length > FOLD_LINES)
  if (kind !== 'thinking' && !isLong) return whole
  return (
    <details className="inline-block max-w-full align-top">
      <summary className={cn('cursor-pointer truncate', className, kind === 'thinking' && 'text-second italic')}>
        <Visible text={kind === 'thinking' ? 'Thinking' : `${lines[0]!.slice(0, FOLD_CHARS)} …`} />
      </summary>
      {whole}
    </details>
  )
}
