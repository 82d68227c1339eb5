import { CircleX } from 'lucide-react'
import type { Run } from '#contracts/entities/run.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { formatCount } from '#renderer/ui/format.ts'

/** Why a run failed: the error, the row, the last log lines, and what to do. */
export function Failure({ run: { error, state, canResume } }: { run: Run }) {
  if (error === null || state !== 'failed') return null
  return (
    <section aria-label="Error" className="flex flex-col gap-2 rounded border border-bad bg-panel p-3 text-sm">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <CircleX size={16} aria-hidden className="text-bad" />
        It failed
      </h2>
      <p className="break-words">
        <CodeText text={error.message} />
        {error.row === null ? null : <span className="text-second"> Row {formatCount(error.row)} of the data.</span>}
      </p>
      <p className="text-second">
        {!canResume
          ? '“Run again with changes” starts from its settings.'
          : error.code === 'diverged'
            ? 'Resume would repeat the same steps and fail again. “Run again with changes” starts from its settings.'
            : 'Resume continues from its latest checkpoint.'}
      </p>
      {error.logTail.trim() === '' ? null : (
        <details>
          <summary className="py-1">Last log lines</summary>
          <CodeBlock label="last log lines" text={error.logTail} wrap className="max-h-72 *:max-h-72" />
        </details>
      )}
    </section>
  )
}
