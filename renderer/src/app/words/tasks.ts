import {
  Ban,
  CheckCheck,
  CircleSlash,
  CircleX,
  Clock,
  FileDiff,
  FlaskConical,
  Hourglass,
  Loader,
  MessageCircleQuestion,
  PauseCircle,
  type LucideIcon,
} from 'lucide-react'
import { RESTING_STATES, type Task, type TaskAgent, type TaskBoundary, type TaskState } from '#contracts/entities/task.ts'
import type { Tone } from '#renderer/ui/badge.tsx'
import { formatCompact, formatCount, formatDuration, formatOrdinal, formatRelative, formatUsd } from '#renderer/ui/format.ts'

interface StateWords {
  label: string
  tone: Tone
  icon: LucideIcon
  /** Class of the bar at the start of the row. */
  bar: string
  ink: string
  description: string
}

const BARS: Record<Tone, string> = { neutral: 'bg-edge', accent: 'bg-accent', ok: 'bg-ok', warn: 'bg-warn', bad: 'bg-bad' }
const INKS: Record<Tone, string> = { neutral: 'text-second', accent: 'text-accent', ok: 'text-ok', warn: 'text-warn', bad: 'text-bad' }
const words = (label: string, tone: Tone, icon: LucideIcon, description: string, bar = BARS[tone]): StateWords => ({
  label,
  tone,
  icon,
  bar,
  ink: INKS[tone],
  description,
})

/** The state of an agent run: the same word, colour and sign on every screen. */
export const TASK_STATES: Record<TaskState, StateWords> = {
  queued: words('Queued', 'neutral', Clock, 'It waits for a place.'),
  preparing: words('Preparing', 'accent', Loader, 'Its sandbox is set up.'),
  working: words('Working', 'accent', Loader, 'The agent is working.'),
  needs_you: words('Needs you', 'warn', MessageCircleQuestion, 'The agent asked a question and is waiting for your answer.'),
  waiting: words('Waiting', 'neutral', Hourglass, 'It waits for a sub-agent, or for a limit of the provider to pass.'),
  verifying: words('Verifying', 'accent', FlaskConical, 'The checks of the project run on what the agent left.'),
  paused: words('Paused', 'warn', PauseCircle, 'Its files and the conversation of its agent are kept. It goes on when you resume it.'),
  review: words('To review', 'ok', FileDiff, 'The checks passed. Its change waits for your review.'),
  done: words('Done', 'ok', CheckCheck, 'Changes applied, or nothing was changed.'),
  failed: words('Failed', 'bad', CircleX, 'The checks failed, or the agent could not work.'),
  stopped: words('Stopped', 'neutral', Ban, 'It was stopped before its end.', 'bg-pending'),
  unverified: words('Not verified', 'warn', CircleSlash, "Not verified: the checks couldn't run, or there are none."),
}

const RESTING: ReadonlySet<TaskState> = new Set(RESTING_STATES)
/** Whether nothing of it works: it has ended or is paused. */
export const hasEnded = ({ state }: Pick<Task, 'state'>): boolean => RESTING.has(state)

/** "Queued, 2nd in line". */
export function stateLine({ state, queuePosition }: Pick<Task, 'state' | 'queuePosition'>): string {
  const { label } = TASK_STATES[state]
  return state === 'queued' && queuePosition !== null ? `${label}, ${formatOrdinal(queuePosition)} in line` : label
}

/** Explains the state in a sentence. */
export const stateDetail = ({ state, detail, waitingUntil }: Pick<Task, 'state' | 'detail' | 'waitingUntil'>): string =>
  `${detail ?? TASK_STATES[state].description}${state === 'waiting' && waitingUntil !== null ? ` It continues ${formatRelative(waitingUntil)}.` : ''}`

export const TASK_AGENTS: Record<TaskAgent, { label: string; meaning: string }> = {
  'claude-code': { label: 'Claude Code', meaning: 'Speaks the Anthropic protocol.' },
  opencode: { label: 'OpenCode', meaning: 'Speaks the OpenAI and the Anthropic protocol.' },
  codex: { label: 'Codex', meaning: 'Speaks the Responses API of OpenAI.' },
  shell: { label: 'Shell loop', meaning: 'No agent program: each message of the model is one command.' },
  gym: { label: 'Gym agent', meaning: 'No agent program: your own model with the prompt and tools of its training.' },
}

/** What a failure is attributed to. */
export const TASK_BOUNDARIES: Record<TaskBoundary, string> = {
  provider: 'The endpoint of the model failed',
  harness: 'The agent program failed',
  sandbox: 'The sandbox failed',
  task: 'The work failed',
  ours: 'Bash Gym failed',
}

/** Input and output together; null if both are unknown. */
export const tokenSum = ({ tokens: { input, output, cacheRead, cacheWrite } }: Pick<Task, 'tokens'>): number | null => {
  const known = [input, output, cacheRead, cacheWrite].filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** How long the run has taken so far, or took. */
export const elapsedMs = ({ durationMs, startedAt, endedAt }: Pick<Task, 'durationMs' | 'startedAt' | 'endedAt'>, now: number) =>
  durationMs ?? (startedAt === null ? null : Math.max(0, (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt)))

/** The use of each limit, and the limit; null: not measured, or not limited. */
export function usageOf(task: Task, now: number): { id: string; label: string; used: string; of: string | null; share: number | null }[] {
  const { caps } = task.request
  const tokens = tokenSum(task)
  const elapsed = elapsedMs(task, now)
  const share = (used: number | null, limit: number | null) => (used === null || limit === null ? null : used / limit)
  return [
    {
      id: 'time',
      label: 'Time',
      used: formatDuration(elapsed),
      of: limitOfTime(caps.timeSec),
      share: share(elapsed, caps.timeSec * 1000),
    },
    { id: 'turns', label: 'Turns', used: formatCount(task.turns), of: formatCount(caps.turns), share: share(task.turns, caps.turns) },
    {
      id: 'tokens',
      label: 'Tokens',
      used: formatCompact(tokens),
      of: caps.tokens === null ? null : formatCompact(caps.tokens),
      share: share(tokens, caps.tokens),
    },
    {
      id: 'cost',
      label: 'Cost',
      used: formatUsd(task.costUsd),
      of: caps.costUsd === null ? null : formatUsd(caps.costUsd),
      share: share(task.costUsd, caps.costUsd),
    },
  ]
}

const limitOfTime = (seconds: number) =>
  seconds % 3600 === 0 ? `${seconds / 3600} h` : seconds >= 60 ? `${Math.round(seconds / 60)} min` : `${seconds} s`

/** The last part of the folder or address that the run worked on. */
export const repositoryWord = ({ directory, repositoryUrl }: Pick<Task['request'], 'directory' | 'repositoryUrl'>): string | null =>
  (directory ?? repositoryUrl)
    ?.replace(/\/+$/, '')
    .split('/')
    .at(-1)
    ?.replace(/\.git$/, '') ?? null
