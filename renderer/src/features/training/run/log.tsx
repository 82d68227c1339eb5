import { ArrowDownToLine } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import type { Run } from '#contracts/entities/run.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { formatInstant, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { VirtualList, type VirtualListHandle } from '#renderer/ui/lists/virtual-list.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { useLog } from './use-log.ts'

const LINE_PX = 18
const LEVELS = { info: 'text-second', warning: 'text-warn', error: 'text-bad' } as const

/** The log of a run: the newest lines, with a search on the server. */
export function RunLog({ run: { id } }: { run: Run }) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const [following, setFollowing] = useState(true)
  const log = useLog(id, q)
  const list = useRef<VirtualListHandle>(null)
  const input = useRef<HTMLInputElement>(null)
  const lines = log.data?.lines ?? []
  const count = lines.length
  useKeys({ filter: () => input.current?.focus() })
  useEffect(() => {
    if (following && count > 0) list.current?.scrollToIndex(count - 1, 'end')
  }, [following, count])
  return (
    <Section
      title="Log"
      note={log.data ? `${plural(count, 'line')}${count < log.data.total ? ` of ${log.data.total.toLocaleString('en')}` : ''}` : undefined}
      actions={
        <span className="flex items-center gap-2">
          <TextInput
            ref={input}
            type="search"
            aria-label="Search log"
            placeholder="Search log"
            className="h-7! w-56 text-xs!"
            value={typed}
            onChange={setTyped}
          />
          <Button
            size="small"
            icon={ArrowDownToLine}
            aria-pressed={following}
            className={cn(following && 'border-accent! text-accent')}
            onClick={() => setFollowing(!following)}
          >
            Follow
          </Button>
        </span>
      }
    >
      {log.error ? <ErrorState title="Couldn't load the log" error={log.error} retry={() => void log.refetch()} /> : null}
      {log.isPending ? (
        <Loading label="Loading the log">
          <Skeleton className="h-40 w-full" />
        </Loading>
      ) : null}
      {log.data && count === 0 ? <p className="text-sm text-second">{q === '' ? 'Nothing logged yet.' : 'No lines match.'}</p> : null}
      {count > 0 ? (
        <div className="flex h-72 flex-col rounded border border-line bg-bg">
          <VirtualList
            ref={list}
            items={lines}
            estimate={LINE_PX}
            keyOf={({ n }) => String(n)}
            label="Lines of the log"
            className="py-1 font-mono text-xs"
          >
            {(line) => (
              <div className="flex h-full gap-3 px-3 leading-[18px] whitespace-pre" title={visible(line.text)}>
                <span className="shrink-0 text-second">{line.at === null ? '' : formatInstant(line.at).slice(11)}</span>
                <span
                  className={cn(
                    'truncate',
                    line.stream === 'event' ? 'text-text' : LEVELS[line.level],
                    line.level !== 'info' && LEVELS[line.level],
                  )}
                >
                  {line.level === 'info' ? '' : `${line.level}: `}
                  <Visible text={line.text} />
                </span>
              </div>
            )}
          </VirtualList>
        </div>
      ) : null}
    </Section>
  )
}
