import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RunLogLine } from '#contracts/entities/run.ts'
import { readPrinted } from '#contracts/printed-line.ts'
import { runLog } from '#contracts/streams.ts'
import { api } from '#renderer/api/client.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { onMessage } from '#renderer/api/socket.ts'
import { openStream } from '#renderer/api/streams.ts'
import { createLineReader, matches, NEWEST, withLines } from './log-lines.ts'

/** What the server has stored, then what comes: printed lines by the stream of the log file, sentences of events by messages. */
export function useLog(id: string, q: string) {
  const stored = useQuery({
    queryKey: runKeys.log(id, q),
    queryFn: ({ signal }) => api.getRunLogs({ params: { id }, query: { limit: NEWEST, ...(q === '' ? {} : { q }) }, signal }),
    placeholderData: (before) => before,
    refetchOnMount: 'always',
    staleTime: 0, // what came since is only on the page that showed it
  })
  const page = stored.isPlaceholderData ? undefined : stored.data
  const [live, setLive] = useState<{ since: object; lines: readonly RunLogLine[]; total: number } | null>(null)
  const heard = useRef<RunLogLine[]>([]) // a sentence may come before the page that it follows
  useEffect(() => {
    heard.current = []
    return onMessage('training:log', ({ runId, lines }) => {
      if (runId === id) heard.current = [...heard.current, ...lines].slice(-NEWEST)
    })
  }, [id])
  useEffect(() => {
    if (!page) return undefined
    let lines: readonly RunLogLine[] = page.lines
    let { total } = page
    const add = (more: readonly Omit<RunLogLine, 'n'>[]) => {
      if (more.length === 0) return
      const found = more.filter(({ text }) => matches(text, q))
      lines = withLines(lines, found)
      total += more.length
      setLive({ since: page, lines, total })
    }
    const isNew = ({ n }: RunLogLine) => n > page.total
    add(heard.current.filter(isNew))
    const unlisten = onMessage('training:log', (message) => {
      if (message.runId === id) add(message.lines.filter(isNew))
    })
    const linesOf = createLineReader()
    const stream = openStream({
      kind: runLog,
      id,
      from: page.logBytes,
      async onBytes(bytes) {
        const at = new Date().toISOString()
        const printed = linesOf(bytes).flatMap((line) => readPrinted(line) ?? [])
        add(printed.map((line) => ({ ...line, at, stream: 'log' })))
        await nextFrame() // a log that floods is read as fast as it can be shown
      },
    })
    return () => {
      unlisten()
      stream.close()
    }
  }, [id, q, page])
  return { ...stored, data: live && live.since === stored.data ? live : stored.data }
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
