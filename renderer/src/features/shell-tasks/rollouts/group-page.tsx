import { useState } from 'react'
import type { Episode, EpisodeTurn } from '#contracts/entities/rollout.ts'
import { rolloutTitle } from '#contracts/rollout-title.ts'
import { useEpisode, useGroupEpisodes, useRolloutSet } from '#renderer/api/rollouts.ts'
import { rolloutsHref } from '#renderer/app/links.ts'
import { Fetched, FetchedPage } from '#renderer/ui/fetched.tsx'
import { formatDuration, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { FactsLine } from '#renderer/app/collections.tsx'
import { ALL_ROLLOUTS } from './all-rollouts.ts'
import { outcomeOf, rewardWord } from './words.ts'

/** The attempts at one task, two side by side, turn by turn. */
export default function GroupPage({ id, group }: { id: string; group: number }) {
  const set = useRolloutSet(id)
  const episodes = useGroupEpisodes(id, group)
  const first = useEpisode(id, episodes.data?.items[0]?.id ?? null)
  return (
    <FetchedPage query={set} what="attempts" named="set of rollouts" all={ALL_ROLLOUTS}>
      {({ name }) => (
        <FetchedPage query={episodes} what="attempts" named="set of rollouts" all={ALL_ROLLOUTS}>
          {({ items }) => (
            <Page
              title={first.data ? rolloutTitle(first.data.task) : `Task ${group + 1}`}
              summary={
                <FactsLine
                  facts={[
                    <TextLink key="set" href={rolloutsHref(id)}>
                      <Visible text={name} />
                    </TextLink>,
                    `${plural(items.length, 'attempt')} ended`,
                  ]}
                />
              }
            >
              {items.length === 0 ? (
                <p className="text-sm text-second">No attempt at this task has ended yet.</p>
              ) : (
                <SideBySide id={id} episodes={items} />
              )}
            </Page>
          )}
        </FetchedPage>
      )}
    </FetchedPage>
  )
}

function SideBySide({ id, episodes }: { id: string; episodes: readonly Episode[] }) {
  const [leftId, setLeftId] = useState(episodes[0]!.id)
  const [rightId, setRightId] = useState((episodes[1] ?? episodes[0]!).id)
  return (
    <div className="grid grid-cols-1 gap-4 min-[1000px]:grid-cols-2">
      <Attempt id={id} label="Left attempt" chosenIdId={leftId} episodes={episodes} choose={setLeftId} />
      {episodes.length > 1 ? <Attempt id={id} label="Right attempt" chosenIdId={rightId} episodes={episodes} choose={setRightId} /> : null}
    </div>
  )
}

interface AttemptProps {
  id: string
  label: string
  chosenIdId: string
  episodes: readonly Episode[]
  choose: (id: string) => void
}

function Attempt({ id, label, chosenIdId, episodes, choose }: AttemptProps) {
  const episode = episodes.find((one) => one.id === chosenIdId)!
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-3 rounded border border-line bg-panel p-3">
      <Select
        label={label}
        value={chosenIdId}
        options={episodes.map((one) => ({
          value: one.id,
          label: `Attempt ${one.attempt}: ${outcomeOf(one).label}, ${rewardWord(one.reward)}`,
        }))}
        onChange={choose}
      />
      <Outcome episode={episode} />
      <Fetched query={useEpisode(id, chosenIdId)} what="turns" bars={['h-40 w-full']}>
        {({ task, turns, isWhole }) => (
          <>
            <p className="text-sm break-words whitespace-pre-wrap">
              <Visible text={task.task} />
            </p>
            <ol className="flex flex-col gap-2">
              {turns.map((turn) => (
                <Turn key={turn.no} turn={turn} />
              ))}
            </ol>
            {isWhole ? null : <p className="text-sm text-second">Only the first turns are shown; the export has all of them.</p>}
          </>
        )}
      </Fetched>
    </section>
  )
}

function Outcome({ episode }: { episode: Episode }) {
  const { icon: Icon, ink, label } = outcomeOf(episode)
  const { terms, reward, advantage, turns, durationMs, error, check } = episode
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-x-3">
        <span className={`inline-flex items-center gap-1 font-semibold ${ink}`}>
          <Icon size={14} aria-hidden />
          {label}
        </span>
        <span>Reward {rewardWord(reward)}</span>
        <span>Advantage {rewardWord(advantage)}</span>
        <span className="text-second">
          {plural(turns, 'turn')}, {formatDuration(durationMs)}
        </span>
      </p>
      {terms === null ? null : (
        <p className="font-mono text-xs text-second">
          success {rewardWord(terms.success_term)} − exits {rewardWord(terms.exit_penalty)} − fail {rewardWord(terms.fail_penalty)} · length
          factor {rewardWord(terms.length_factor)}
        </p>
      )}
      {error === null ? null : (
        <p className="break-words text-warn">
          <Visible text={error.message} />
        </p>
      )}
      {check === null ? null : (
        <p className="text-xs text-second">
          Check: exit code {check.exitCode}
          {check.timedOut ? ', timed out' : ''}
        </p>
      )}
    </div>
  )
}

const Turn = ({ turn: { no, command, output, exitCode, thinking, timedOut, truncated } }: { turn: EpisodeTurn }) => (
  <li className="flex min-w-0 flex-col gap-1 border-t border-line pt-2">
    <p className="flex justify-between text-xs text-second">
      <span>Turn {no}</span>
      <span className={exitCode === 0 ? undefined : 'text-bad'}>
        exit code {exitCode}
        {timedOut ? ', timed out' : ''}
        {truncated ? ', output shortened' : ''}
      </span>
    </p>
    {thinking === '' ? null : (
      <p className="text-xs break-words whitespace-pre-wrap text-second">
        <Visible text={thinking} />
      </p>
    )}
    <pre className="font-mono text-xs break-words whitespace-pre-wrap">
      <Visible text={command} />
    </pre>
    {output === '' ? null : (
      <pre className="max-h-72 overflow-y-auto rounded bg-raised p-2 font-mono text-xs break-words whitespace-pre-wrap">
        <Visible text={output} />
      </pre>
    )}
  </li>
)
