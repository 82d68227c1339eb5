import type { CheckedPart, CheckedTest, CheckReport } from '#contracts/entities/check.ts'
import { CHECK_WORDS, checkCounts, checkReason } from '#renderer/app/words/checks.ts'
import { Compared } from '#renderer/app/compared-checks.tsx'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { formatDuration } from '#renderer/ui/format.ts'
import { Table } from '#renderer/ui/table.tsx'

/** Duration and isolation of the checks. */
export const checkNote = ({ durationMs, isolation }: CheckReport): string =>
  `${formatDuration(durationMs)}${isolation === null ? '' : `, in ${isolation}`}`

const SHOWN = 200

/** The result of checks: verdict, command, tests, end of the output. */
export function CheckResult({ report }: { report: CheckReport }) {
  const { status, runner, command, tests, exitCode, outputTail, parts, others } = report
  const { word, tone } = CHECK_WORDS[status]
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={tone}>{word}</Badge>
        <span>{checkReason(report)}</span>
        {runner === null ? null : <span className="text-second">{checkCounts(report)}</span>}
      </p>
      {parts.length > 0 ? <Parts parts={parts} /> : null}
      {command === null || parts.length > 0 ? null : (
        <p className="text-sm text-second">
          <code className="font-mono text-xs">{command}</code>
          {exitCode === null ? null : ` ended with exit code ${exitCode}`}
        </p>
      )}
      <Compared report={report} />
      {tests.length > 0 ? (
        <Table
          caption="Tests"
          rows={tests.slice(0, SHOWN).map((test, index) => ({ ...test, index }))}
          keyOf={({ index }) => String(index)}
          columns={[
            { id: 'outcome', label: 'Outcome', cell: ({ outcome }) => <Badge tone={TONES[outcome]}>{outcome}</Badge> },
            {
              id: 'name',
              label: 'Test',
              cell: ({ name, message }) => (
                <>
                  <span className="font-mono text-xs break-words">{name}</span>
                  {message === null ? null : (
                    <p className="mt-1 line-clamp-6 text-xs break-words whitespace-pre-wrap text-second">{message}</p>
                  )}
                </>
              ),
            },
            {
              id: 'time',
              label: 'Time',
              numeric: true,
              cell: (test) => (test.durationMs === null ? 'not measured' : formatDuration(test.durationMs)),
            },
          ]}
        />
      ) : null}
      {tests.length > SHOWN ? (
        <p className="text-sm text-second">The first {SHOWN} are shown; those that did not pass come first.</p>
      ) : null}
      {others.length > 0 ? (
        <div className="text-sm text-second">
          <p>Found and not run:</p>
          <ul className="flex flex-col">
            {others.map(({ command: other, because, folder, reason }) => (
              <li key={`${folder} ${because} ${other}`} className="break-words">
                <code className="font-mono text-xs">{other}</code> ({because}){reason === null ? '' : `: ${reason}`}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {outputTail.trim() === '' ? null : <CodeBlock text={outputTail} label="End of the output" />}
    </div>
  )
}

/** The result in each folder. */
function Parts({ parts }: { parts: readonly CheckedPart[] }) {
  return (
    <Table
      caption="Folders"
      rows={parts}
      keyOf={({ folder }) => folder}
      columns={[
        {
          id: 'result',
          label: 'Result',
          cell: ({ status }) => <Badge tone={CHECK_WORDS[status].tone}>{CHECK_WORDS[status].word}</Badge>,
        },
        {
          id: 'folder',
          label: 'Folder',
          cell: ({ folder, command, reason }) => (
            <>
              <span className="font-mono text-xs break-words">{folder === '' ? '.' : folder}</span>
              <p className="mt-1 text-xs break-words text-second">
                <code className="font-mono">{command}</code>
                {reason === null ? null : `: ${reason}`}
              </p>
            </>
          ),
        },
        { id: 'tests', label: 'Tests', cell: checkCounts },
      ]}
    />
  )
}

const TONES: Record<CheckedTest['outcome'], Tone> = { passed: 'ok', failed: 'bad', error: 'warn', skipped: 'neutral' }
