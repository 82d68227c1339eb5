import { useQueries } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { TimelineRow } from '#contracts/entities/step.ts'
import { DiffCount } from '#renderer/ui/diff-lines.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { transcriptPage } from '../queries.ts'
import { shortPath } from './clip.ts'
import { diffSession, EDIT_TOOLS, type SessionFile } from './diff-model.ts'
import { DiffView } from './diff-view.tsx'
import { isCall, pageOf } from './rows.ts'

/** Pages of calls that the diff reads; it says so if a session has more. */
const MAX_PAGES = 60

/** What the session changed, file by file, in the order of the first change of each. */
export function SessionDiff({
  traceId,
  rows,
  cwd,
  onStep,
}: {
  traceId: string
  rows: readonly TimelineRow[]
  cwd: string | null
  onStep: (id: string) => void
}) {
  const pages = useMemo(
    () => [...new Set(rows.flatMap((row, index) => (isCall(row) && (row.edits || EDIT_TOOLS.has(row.tool ?? '')) ? [pageOf(index)] : [])))],
    [rows],
  )
  const readPages = pages.slice(0, MAX_PAGES)
  const result = useQueries({
    queries: readPages.map((page) => transcriptPage(traceId, rows, page)),
    combine: (results) => ({
      done: results.filter(({ data }) => data).length,
      error: results.find(({ error }) => error)?.error ?? null,
      steps: results.flatMap(({ data }) => data?.items ?? []).flatMap((item) => (item.kind === 'step' ? [item.step] : [])),
    }),
  })
  const files = useMemo(() => diffSession(result.steps), [result.steps])
  if (pages.length === 0 || (result.done === readPages.length && files.length === 0 && !result.error)) {
    return <EmptyState title="No files changed">File changes of this session appear here as diffs. None of its edits succeeded.</EmptyState>
  }
  return (
    <div data-zone="diff" className="relative flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 py-3">
      {result.error ? <ErrorState title="Couldn't load some changes" error={result.error} /> : null}
      <p className="text-xs text-second">
        {plural(files.length, 'file')} changed
        {pages.length > MAX_PAGES
          ? `; the first ${formatCount(MAX_PAGES)} of ${formatCount(pages.length)} parts with edits are shown; the rest is in the transcript`
          : ''}
      </p>
      {files.length > 1 ? <FileList files={files} cwd={cwd} /> : null}
      {files.map((file) => (
        <FileChanges key={file.file} file={file} cwd={cwd} onStep={onStep} />
      ))}
      {result.done < readPages.length ? (
        <Loading label="Loading the changes">
          <Skeleton className="h-24" />
        </Loading>
      ) : null}
    </div>
  )
}

/** The combined change of a file; each single change if the user asks for it or they cannot be combined. */
function FileChanges({ file, cwd, onStep }: { file: SessionFile; cwd: string | null; onStep: (id: string) => void }) {
  const [oneByOne, setOneByOne] = useState(false)
  const name = shortPath(file.file, cwd)
  return (
    <details open id={domIdOf(file.file)} className="min-w-0 scroll-mt-2">
      <summary className="flex min-h-7 items-center gap-3 text-sm">
        <MiddleCut text={name} end={24} className="flex-1 font-mono text-xs" />
        <DiffCount added={file.added} removed={file.removed} />
      </summary>
      <div className="flex flex-col gap-2 pt-1">
        {file.edits.length > 1 ? (
          <p className="flex flex-wrap items-center gap-x-3 text-xs text-second">
            {file.net === null
              ? `${plural(file.edits.length, 'change')}, shown one by one because the file was changed in between or the lines were not recorded.`
              : `${plural(file.edits.length, 'change')}, combined.`}
            {file.net === null ? null : (
              <button type="button" onClick={() => setOneByOne(!oneByOne)} className="min-h-6 text-accent underline">
                {oneByOne ? 'Show the result' : 'Show each change'}
              </button>
            )}
          </p>
        ) : null}
        {file.net !== null && !oneByOne ? (
          file.net.hunks.length === 0 ? (
            <p className="text-xs text-second">All changes were reverted; the file ends as it began.</p>
          ) : (
            <DiffView diff={file.net} label={`Changes to ${name}`} />
          )
        ) : (
          file.edits.map(({ step, diff }, index) => (
            <div key={step.id}>
              <button type="button" onClick={() => onStep(step.id)} className="min-h-6 text-xs text-accent underline">
                Change {index + 1} of {file.edits.length}, {step.tool}
              </button>
              <DiffView diff={diff} label={`Change ${index + 1} to ${name}`} />
            </div>
          ))
        )}
      </div>
    </details>
  )
}

const domIdOf = (file: string) => `diff-${file}`

/** Every file with its lines added and removed, and a link to its diff. */
const FileList = ({ files, cwd }: { files: readonly SessionFile[]; cwd: string | null }) => (
  <nav aria-label="Files changed" className="shrink-0">
    <ul className="max-h-48 overflow-y-auto rounded border border-line">
      {files.map(({ file, added, removed }) => (
        <li key={file}>
          <button
            type="button"
            onClick={() => document.getElementById(domIdOf(file))?.scrollIntoView({ block: 'start' })}
            className="focus-inset flex min-h-7 w-full items-center gap-3 px-2 text-left hover:bg-raised"
          >
            <MiddleCut text={shortPath(file, cwd)} end={24} className="flex-1 font-mono text-xs" />
            <DiffCount added={added} removed={removed} />
          </button>
        </li>
      ))}
    </ul>
  </nav>
)
