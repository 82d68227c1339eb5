import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RunLogLine } from '#contracts/entities/run.ts'
import { readPrinted } from '#contracts/printed-line.ts'
import { runLog } from '#contracts/streams.ts'
import { api } from '#renderer/api/client.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { onMessage } from '#renderer/api/socket.ts'
import { openStream } from '#renderer/api/streams.ts'
import { createLineReader, matches, MAX_LINES, withLines } from './log-lines.ts'

/** The stored log, continued with printed lines from the stream of the log file and with the lines of event messages. */
export function useLog(id: string, q: string) {
  const stored = useQuery({
    queryKey: runKeys.log(id, q),
    queryFn: ({ signal }) => api.getRunLogs({ params: { id }, query: { limit: MAX_LINES, ...(q === '' ? {} : { q }) }, signal }),
    placeholderData: (before) => before,
    refetchOnMount: 'always',
    staleTime: 0, // the cached page lacks the lines that arrived after it
  })
  const page = stored.isPlaceholderData ? undefined : stored.data
  const [live, setLive] = useState<{ since: object; lines: readonly RunLogLine[]; total: number } | null>(null)
  const recentLines = useRef<RunLogLine[]>([]) // a message may arrive before the stored page that it continues
  useEffect(() => {
    recentLines.current = []
    return onMessage('training:log', ({ runId, lines }) => {
      if (runId === id) recentLines.current = [...recentLines.current, ...lines].slice(-MAX_LINES)
    })
  }, [id])
  useEffect(() => {
    if (!page) return undefined
    let lines: readonly RunLogLine[] = page.lines
    let { total } = page
    const add = (newLines: readonly Omit<RunLogLine, 'n'>[]) => {
      if (newLines.length === 0) return
      const matching = newLines.filter(({ text }) => matches(text, q))
      lines = withLines(lines, matching)
      total += newLines.length
      setLive({ since: page, lines, total })
    }
    const isNew = ({ n }: RunLogLine) => n > page.total
    add(recentLines.current.filter(isNew))
    const stopListening = onMessage('training:log', (message) => {
      if (message.runId === id) add(message.lines.filter(isNew))
    })
    const linesOf = createLineReader()
    const stream = openStream({
      kind: runLog,
      id,
      from: page.logBytes,
      async onBytes(bytes) {
        const at = new Date().toISOString()
        const parsedLines = linesOf(bytes).flatMap((line) => readPrinted(line) ?? [])
        add(parsedLines.map((line) => ({ ...line, at, stream: 'log' })))
        await nextFrame() // reads a fast log no faster than it can be shown
      },
    })
    return () => {
      stopListening()
      stream.close()
    }
  }, [id, q, page])
  return { ...stored, data: live && live.since === stored.data ? live : stored.data }
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
