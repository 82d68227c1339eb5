import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { traceKeys } from '#renderer/api/traces.ts'
import { api } from '#renderer/api/client.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatBytes, formatCount, formatInstant, middleCut } from '#renderer/ui/format.ts'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { VirtualList } from '#renderer/ui/lists/virtual-list.tsx'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { rawHead } from './raw-line.ts'
import { rawUrl } from './trace-header.tsx'

/** Bytes of a source that the page draws; the download has all of them. */
const SHOWN_BYTES = 4_000_000
/** Characters of one line that the page draws. */
const SHOWN_CHARS = 2000

/** The archived bytes, unchanged, line by line. */
export function RawView({ trace }: { trace: TraceDetail }) {
  const newest = trace.sources.find(({ kind }) => kind === 'main')?.name ?? trace.sources[0]?.name ?? ''
  const [chosenSource, setChosen] = useState<string | null>(null)
  const source = chosenSource ?? newest
  const bytes = trace.sources.find(({ name }) => name === source)?.bytes ?? null
  const raw = useQuery({
    queryKey: [...traceKeys.parts(trace.id), 'raw', source],
    queryFn: async ({ signal }) =>
      readStart(await api.getRaw({ params: { id: trace.id }, query: chosenSource === null ? {} : { source }, signal })),
  })
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-1.5 text-xs text-second">
        {trace.sources.length > 1 ? (
          <Select
            label="Source"
            value={source}
            onChange={setChosen}
            options={trace.sources.map(({ name, kind }) => ({ value: name, label: kind === 'main' ? 'main' : middleCut(name, 40) }))}
          />
        ) : null}
        <span>{formatBytes(bytes ?? trace.raw.bytes)}</span>
        {raw.data?.cut ? <span>the first {formatBytes(SHOWN_BYTES)} are shown</span> : null}
        <Button
          size="small"
          icon={Download}
          className="ml-auto"
          onClick={() => location.assign(rawUrl(trace.id, chosenSource ?? undefined))}
        >
          Download
        </Button>
      </div>
      {raw.error ? (
        <ErrorState title="Couldn't read the archived transcript" error={raw.error} retry={() => void raw.refetch()} className="m-4" />
      ) : null}
      {raw.isPending ? (
        <Loading label="Loading the archived transcript" className="flex flex-col gap-2 p-4">
          <Skeleton />
          <Skeleton />
          <Skeleton />
        </Loading>
      ) : null}
      {raw.data ? (
        <VirtualList items={raw.data.lines} estimate={24} keyOf={(_, index) => String(index)} label="Raw lines">
          {(line, index) => <RawLine line={line} number={index + 1} />}
        </VirtualList>
      ) : null}
    </div>
  )
}

function RawLine({ line, number }: { line: string; number: number }) {
  const { type, at } = useMemo(() => rawHead(line), [line])
  const start = line.slice(0, SHOWN_CHARS)
  return (
    <div className="flex h-6 items-center gap-3 px-4 font-mono text-xs whitespace-nowrap">
      <span className="w-12 shrink-0 text-right text-second select-none">{formatCount(number)}</span>
      <span className="w-36 shrink-0 text-second" title={at === null ? 'No time recorded.' : undefined}>
        {at === null ? '–' : formatInstant(at)}
      </span>
      <span className="w-48 shrink-0 truncate" title={type === null ? 'Unknown type.' : visible(type)}>
        {type === null ? '–' : <Visible text={type} />}
      </span>
      <span className="truncate text-second" title={visible(start)}>
        <Visible text={start} />
      </span>
    </div>
  )
}

/** The first lines of a stream; a source of 400 MB must not end up in the page. */
async function readStart(response: Response): Promise<{ lines: string[]; cut: boolean }> {
  const reader = response.body?.getReader()
  if (!reader) return { lines: [], cut: false }
  const decoder = new TextDecoder()
  let text = ''
  let read = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    read += value.byteLength
    text += decoder.decode(value, { stream: true })
    if (read < SHOWN_BYTES) continue
    await reader.cancel()
    return { lines: text.split('\n').slice(0, -1), cut: true }
  }
  return { lines: text.replace(/\n$/, '').split('\n'), cut: false }
}
