import type { RunSample } from '#contracts/entities/run.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatValue, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { EpisodeTurns } from './episode-turns.tsx'

/** Answers sampled during training, each with the terms of its reward. */
export function Rollouts({
  items,
  total,
  hasMore,
  onMore,
}: {
  items: readonly RunSample[]
  total: number
  hasMore: boolean
  onMore: () => void
}) {
  const terms = [...new Set(items.flatMap(({ rewards }) => Object.keys(rewards)))].toSorted()
  return (
    <Section title="Rollouts" note={items.length === 0 ? undefined : `${plural(total, 'answer')} sampled, newest first`}>
      {items.length === 0 ? (
        <p className="text-sm text-second">None received yet.</p>
      ) : (
        <div
          role="region"
          aria-label="Sampled answers"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable with the keyboard
          tabIndex={0}
          className="focus-inset max-h-96 overflow-auto rounded border border-line"
        >
          <table className="w-full border-collapse text-xs">
            <thead className="sticky top-0 bg-panel text-left text-second">
              <tr>
                <th scope="col" className="p-2 text-right font-normal">
                  Step
                </th>
                <th scope="col" className="p-2 font-normal">
                  Prompt
                </th>
                <th scope="col" className="p-2 font-normal">
                  Answer
                </th>
                {terms.map((term) => (
                  <th key={term} scope="col" className="p-2 text-right font-normal whitespace-nowrap">
                    {term.replaceAll('_', ' ')}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {items.map((sample, at) => (
                // a prompt has several answers at the same step, so only the position is unique
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={`${sample.step} ${sample.index} ${at}`} className="border-t border-line align-top">
                  <td className="p-2 text-right font-mono">{sample.step}</td>
                  <td className="max-w-60 p-2">
                    <span className="line-clamp-2 break-words text-second" title={visible(sample.prompt)}>
                      <Visible text={sample.prompt} />
                    </span>
                  </td>
                  <td className="max-w-96 p-2 font-mono">
                    {sample.episode ? (
                      <EpisodeTurns episode={sample.episode} rewards={sample.rewards} />
                    ) : (
                      <span className="line-clamp-3 break-words whitespace-pre-wrap" title={visible(sample.text)}>
                        <Visible text={sample.text} />
                      </span>
                    )}
                  </td>
                  {terms.map((term) => (
                    <td key={term} className="p-2 text-right font-mono">
                      {formatValue(sample.rewards[term])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasMore ? (
        <div>
          <Button size="small" onClick={onMore}>
            Show earlier answers
          </Button>
        </div>
      ) : null}
    </Section>
  )
}
