import { CircleX } from 'lucide-react'
import type { Run } from '#contracts/entities/run.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { formatCount } from '#renderer/ui/format.ts'

/** Why a run failed: the sentence, the row, the end of the log, and what can be done. */
export function Failure({ run: { error, state, canResume } }: { run: Run }) {
  if (error === null || state !== 'failed') return null
  return (
    <section aria-label="Why it failed" className="flex flex-col gap-2 rounded border border-bad bg-panel p-3 text-sm">
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
          ? 'Run again with changes takes its settings over.'
          : error.code === 'diverged'
            ? 'Resume would take the same steps again and come to the same end. Run again with changes takes its settings over.'
            : 'Resume goes on from its newest checkpoint.'}
      </p>
      {error.logTail.trim() === '' ? null : (
        <details>
          <summary className="py-1">The end of its log</summary>
          <CodeBlock label="end of the log" text={error.logTail} wrap className="max-h-72 *:max-h-72" />
        </details>
      )}
    </section>
  )
}
