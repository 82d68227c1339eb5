import { ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import type { CheckedTest, CheckReport } from '#contracts/entities/check.ts'
import { useChecks, useFoundChecks } from '#renderer/api/checks.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { CHECK_WORDS, checkCounts } from '#renderer/app/words/checks.ts'
import { progressSentence, progressShare } from '#renderer/app/words/jobs.ts'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { formatDuration } from '#renderer/ui/format.ts'
import { JobLine } from '#renderer/ui/job-line.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Table } from '#renderer/ui/table.tsx'

const MOST_SECONDS = 3600

/** `/arena/checks`: a project's own tests, on a copy of it in a sandbox. */
export function Checks() {
  const [folder, setFolder] = useState('')
  const [asked, ask] = useState('')
  const [command, setCommand] = useState('')
  const [timeout, setTimeout] = useState('')
  const offline = useOfflineReason()
  const found = useFoundChecks(asked)
  const checks = useChecks()
  const directory = folder.trim()
  const timeoutSec = timeout.trim() === '' ? null : Number(timeout)
  const badTime = timeoutSec !== null && !(Number.isInteger(timeoutSec) && timeoutSec >= 1 && timeoutSec <= MOST_SECONDS)
  const badFolder = directory !== '' && !directory.startsWith('/')
  const [first, ...others] = asked === directory ? (found.data?.items ?? []) : []
  const run = () => {
    ask(directory)
    checks.start({ directory, ...(command.trim() !== '' && { command: command.trim() }), ...(timeoutSec !== null && { timeoutSec }) })
  }
  return (
    <Page
      title="Check a project"
      summary="Runs the project's own tests on a copy of it, in a sandbox without network. The project itself is not changed."
      actions={
        <TextLink href="/arena" className="flex items-center gap-1 text-sm">
          <ChevronLeft size={14} aria-hidden /> All sandboxes
        </TextLink>
      }
    >
      <form
        className="max-w-[760px]"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <TextRow
          label="Folder"
          hint={
            first === undefined
              ? 'The whole path of the project.'
              : `Found: ${first.command} (${first.because})${others.length > 0 ? `; also ${others.map(({ runner }) => runner).join(', ')}` : ''}`
          }
          error={badFolder ? 'Write the whole path, as in /home/you/project.' : undefined}
          value={folder}
          placeholder="/home/you/project"
          mono
          onChange={setFolder}
        />
        <TextRow
          label="Command"
          hint="Optional; otherwise what the project names: verify.sh, the test script of package.json, tests of Python, Bats, Go, Cargo, a make target."
          value={command}
          placeholder="pytest -q"
          mono
          onChange={setCommand}
        />
        <NumberRow
          label="Time limit"
          hint="Seconds. What takes longer is stopped, and has no result."
          error={badTime ? `A whole number from 1 to ${MOST_SECONDS}.` : undefined}
          value={timeout}
          placeholder="600"
          onChange={setTimeout}
        />
        <div className="flex gap-2 py-3">
          <Button
            type="submit"
            look="primary"
            busy={checks.busy}
            reason={
              offline ??
              (directory === '' || badFolder ? 'Name the folder of a project first.' : badTime ? 'The time limit is not right.' : null)
            }
          >
            Run checks
          </Button>
        </div>
      </form>
      <div role="status" className="flex flex-col gap-2 empty:hidden">
        {checks.running ? (
          <JobLine
            name="Checks"
            sentence={progressSentence(checks.running)}
            share={progressShare(checks.running)}
            actions={
              <Button size="small" onClick={checks.cancel}>
                Stop
              </Button>
            }
          />
        ) : null}
        {checks.error ? <ErrorState title="The checks did not run" error={checks.error} /> : null}
        {checks.wasStopped ? <p className="text-sm text-second">The checks were stopped.</p> : null}
      </div>
      {checks.report && !checks.busy ? <Report report={checks.report} /> : null}
    </Page>
  )
}

const SHOWN = 200

function Report({ report }: { report: CheckReport }) {
  const { status, reason, runner, command, tests, exitCode, outputTail, durationMs, isolation } = report
  const { word, tone, says } = CHECK_WORDS[status]
  return (
    <Section title="Result" note={`${formatDuration(durationMs)}${isolation === null ? '' : `, in ${isolation}`}`}>
      <div className="flex flex-col gap-3">
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Badge tone={tone}>{word}</Badge>
          <span>{reason ?? says}</span>
          {runner === null ? null : <span className="text-second">{checkCounts(report)}</span>}
        </p>
        {command === null ? null : (
          <p className="text-sm text-second">
            <code className="font-mono text-xs">{command}</code>
            {exitCode === null ? null : ` ended with exit code ${exitCode}`}
          </p>
        )}
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
        {outputTail.trim() === '' ? null : <CodeBlock text={outputTail} label="End of the output" />}
      </div>
    </Section>
  )
}

const TONES: Record<CheckedTest['outcome'], Tone> = { passed: 'ok', failed: 'bad', error: 'warn', skipped: 'neutral' }
