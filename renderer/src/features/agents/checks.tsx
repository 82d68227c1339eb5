import { useState } from 'react'
import { useChecks, useFoundChecks } from '#renderer/api/checks.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { FolderInput } from '#renderer/app/folder-input.tsx'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { ChoiceRow, NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { CheckResult, checkNote } from './check-result.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import { AGENT_TABS } from './tabs.ts'

const MAX_SECONDS = 3600

/** `/agents/checks`: runs the tests of a project on a copy in a sandbox. */
export default function Checks() {
  const [folder, setFolder] = useState('')
  const [searchedFolder, setSearchedFolder] = useState('')
  const [command, setCommand] = useState('')
  const [timeout, setTimeout] = useState('')
  const offline = useOfflineReason()
  const foundChecks = useFoundChecks(searchedFolder)
  const checks = useChecks()
  const directory = folder.trim()
  const timeoutSec = timeout.trim() === '' ? null : Number(timeout)
  const isTimeInvalid = timeoutSec !== null && !(Number.isInteger(timeoutSec) && timeoutSec >= 1 && timeoutSec <= MAX_SECONDS)
  const isFolderInvalid = directory !== '' && !directory.startsWith('/')
  const [first, ...others] = searchedFolder === directory ? (foundChecks.data?.items ?? []) : []
  const run = () => {
    setSearchedFolder(directory)
    checks.start({ directory, ...(command.trim() !== '' && { command: command.trim() }), ...(timeoutSec !== null && { timeoutSec }) })
  }
  return (
    <Page
      title="Check a project"
      summary="Runs the project's own tests on a copy of it, in a sandbox without network. The project itself is not changed."
      tabs={<TabLinks {...AGENT_TABS} current="checks" />}
    >
      <form
        className="max-w-[760px]"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <ChoiceRow
          label="Folder"
          hint={
            first === undefined
              ? 'Absolute path of the project.'
              : `Found: ${first.command} (${first.because})${others.length > 0 ? `; also ${others.map(({ runner, folder, because }) => (folder === '' ? runner : because)).join(', ')}` : ''}`
          }
          error={isFolderInvalid ? 'Enter an absolute path, such as /home/you/project.' : undefined}
        >
          {(id) => (
            <FolderInput id={id} aria-invalid={isFolderInvalid} value={folder} placeholder="/home/you/project" onChange={setFolder} />
          )}
        </ChoiceRow>
        <TextRow
          label="Command"
          hint="Empty: found in the project, such as verify.sh, the test script of package.json, or tests of Python, Bats, Go, Cargo or make."
          value={command}
          placeholder="pytest -q"
          mono
          onChange={setCommand}
        />
        <NumberRow
          label="Time limit"
          hint="Seconds. Checks that take longer are stopped and have no result."
          error={isTimeInvalid ? `Enter a whole number from 1 to ${MAX_SECONDS}.` : undefined}
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
              (directory === '' || isFolderInvalid
                ? 'Enter the folder of a project first.'
                : isTimeInvalid
                  ? 'The time limit is not valid.'
                  : null)
            }
          >
            Run checks
          </Button>
        </div>
      </form>
      <div role="status" className="flex flex-col gap-2 empty:hidden">
        {checks.running ? <JobProgress name="Checks" job={checks.running} /> : null}
        {checks.error ? <ErrorState title="The checks did not run" error={checks.error} /> : null}
        {checks.wasStopped ? <p className="text-sm text-second">The checks were stopped.</p> : null}
      </div>
      {checks.report && !checks.busy ? (
        <Section title="Result" note={checkNote(checks.report)}>
          <CheckResult report={checks.report} />
        </Section>
      ) : null}
    </Page>
  )
}
