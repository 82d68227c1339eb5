import type { RunSample } from '#contracts/entities/run.ts'
import type { PlayedEpisode } from '#contracts/trainer.ts'
import { cn } from '#renderer/ui/cn.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { Visible } from '#renderer/ui/visible.tsx'

const LIMIT_WORDS: Record<PlayedEpisode['how'], string> = {
  exited: '',
  turns: ', at the limit of turns',
  context: ', at the limit of tokens',
  corrupted: '',
  error: '',
}

function outcomeOf({ status, success, how }: PlayedEpisode, turns: number): string {
  const result =
    status === 'error' ? 'Error' : status === 'corrupted' ? 'Cut off' : success === null ? 'Unknown' : success ? 'Solved' : 'Not solved'
  return `${result}${LIMIT_WORDS[how]}: ${plural(turns, 'turn')}`
}

/** An attempt at a task, turn by turn: each command with its output. The number of turns is the one its reward used. */
export function EpisodeTurns({
  episode,
  rewards,
  isOpen = false,
}: {
  episode: PlayedEpisode
  rewards: RunSample['rewards']
  isOpen?: boolean
}) {
  const turnCount = episode.turns.length
  const turns = rewards['turns'] ?? turnCount
  return (
    <details open={isOpen} data-episode={episode.taskId ?? ''}>
      <summary className={cn('cursor-pointer', episode.success === true ? 'text-ok' : episode.status === 'error' ? 'text-bad' : '')}>
        {outcomeOf(episode, turns)}
      </summary>
      {episode.error === null ? null : <p className="pt-1 font-sans text-bad">{episode.error}</p>}
      <ol className="flex flex-col gap-1.5 pt-1.5">
        {episode.turns.map((turn, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- turns have no id
          <li key={at} className="flex min-w-0 flex-col gap-0.5 border-l-2 border-line pl-2">
            <code className="break-words whitespace-pre-wrap">
              $ <Visible text={turn.command} />
            </code>
            {turn.output === '' ? null : (
              <span
                role="region"
                aria-label={`Output of command ${at + 1}`}
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable with the keyboard
                tabIndex={0}
                className="focus-inset max-h-40 overflow-auto break-words whitespace-pre-wrap text-second"
              >
                <Visible text={turn.output} />
              </span>
            )}
            {turn.exitCode === null || turn.exitCode === 0 ? null : <span className="text-bad">exit code {turn.exitCode}</span>}
          </li>
        ))}
      </ol>
      {turns > turnCount ? (
        <p className="pt-1 font-sans text-second">
          Only the first {turnCount === 1 ? 'turn is' : `${formatCount(turnCount)} turns are`} shown.
        </p>
      ) : null}
    </details>
  )
}
