import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { TraceDetail } from '#contracts/entities/trace.ts'
import { traceKeys } from '#renderer/api/traces.ts'
import { api } from '#renderer/api/client.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatBytes, formatCount, formatInstant } from '#renderer/ui/format.ts'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { VirtualList } from '#renderer/ui/lists/virtual-list.tsx'
import { toggled } from '#renderer/ui/toggled.ts'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { rawHead } from './raw-line.ts'
import { rawUrl } from './trace-header.tsx'

/** Bytes of a source that the page draws; the download has all of them. */
const SHOWN_BYTES = 4_000_000
/** Characters of one line that the page draws. */
const SHOWN_CHARS = 500
/** Characters of an opened line. */
const OPEN_CHARS = 100_000

/** The archived bytes, unchanged, line by line. */
export function RawView({ trace }: { trace: TraceDetail }) {
  const newest = trace.sources.find(({ kind }) => kind === 'main')?.name ?? trace.sources[0]?.name ?? ''
  const [chosenSource, setChosen] = useState<string | null>(null)
  const source = chosenSource ?? newest
  const [openLines, setOpenLines] = useState<readonly number[]>([])
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
            onChange={(name) => {
              setChosen(name)
              setOpenLines([])
            }}
            options={trace.sources.map(({ name, kind }) => ({ value: name, label: kind === 'main' ? 'main' : name }))}
            className="max-w-120 [&>span:first-child]:truncate"
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
        <VirtualList items={raw.data.lines} estimate={24} measured keyOf={(_, index) => String(index)} label="Raw lines">
          {(line, index) => (
            <RawLine
              line={line}
              number={index + 1}
              isOpen={openLines.includes(index)}
              onToggle={() => setOpenLines((before) => toggled(before, index))}
            />
          )}
        </VirtualList>
      ) : null}
    </div>
  )
}

/** What a line says; pressed, the line as it was recorded. */
function RawLine({ line, number, isOpen, onToggle }: { line: string; number: number; isOpen: boolean; onToggle: () => void }) {
  const { type, at, content } = useMemo(() => rawHead(line), [line])
  const start = content.slice(0, SHOWN_CHARS)
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="focus-inset flex h-6 w-full items-center gap-3 px-4 text-left font-mono text-xs whitespace-nowrap hover:bg-raised"
      >
        <span className="w-10 shrink-0 text-right text-second">{formatCount(number)}</span>
        <span className="w-16 shrink-0 text-second" title={at === null ? 'No time recorded.' : formatInstant(at)}>
          {at === null ? '–' : formatInstant(at).slice(-8)}
        </span>
        <span className="w-40 shrink-0 truncate text-second" title={type === null ? 'Unknown type.' : visible(type)}>
          {type === null ? '–' : <Visible text={type} />}
        </span>
        <span className="truncate">
          <Visible text={start} />
        </span>
      </button>
      {isOpen ? (
        <pre className="max-h-96 overflow-auto border-y border-line bg-panel px-4 py-2 font-mono text-xs break-all whitespace-pre-wrap">
          <Visible text={line.slice(0, OPEN_CHARS)} />
          {line.length > OPEN_CHARS ? `\n… ${formatBytes(line.length - OPEN_CHARS)} more in the download` : null}
        </pre>
      ) : null}
    </>
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
