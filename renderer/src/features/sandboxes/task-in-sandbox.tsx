import type { Sandbox } from '#contracts/entities/sandbox.ts'
import type { ShellTaskCheck } from '#contracts/entities/shell-task.ts'
import { SHELL_TASK_LABEL } from '#contracts/shell-task-label.ts'
import { own } from '#contracts/lookup.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useShellTask, useShellTaskActions } from '#renderer/api/shell-tasks.ts'
import { shellTaskHref } from '#renderer/app/links.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { formatDuration } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

/** Shows the shell task that a sandbox was opened for, and runs its check. */
export function TaskInSandbox({ sandbox }: { sandbox: Sandbox }) {
  const id = own(sandbox.labels, SHELL_TASK_LABEL)
  return id === undefined ? null : <Loaded sandbox={sandbox} id={id} />
}

function Loaded({ sandbox, id }: { sandbox: Sandbox; id: string }) {
  const offline = useOfflineReason()
  const { data: task } = useShellTask(id)
  const { check } = useShellTaskActions(id)
  const isRunning = sandbox.status === 'started' || sandbox.status === 'exited'
  return (
    <Section title="Shell task" note={<TextLink href={shellTaskHref(id)}>{id}</TextLink>}>
      <div className="flex max-w-[100ch] flex-col gap-2 rounded border border-line bg-panel p-3">
        <p className="text-sm break-words whitespace-pre-wrap">{task ? <Visible text={task.task} /> : 'Loading the task …'}</p>
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            reason={offline ?? (isRunning ? null : 'The sandbox is not running.')}
            busy={check.isPending}
            onClick={() => check.mutate(sandbox.id)}
          >
            Check
          </Button>
          <span role="status" className="text-sm">
            {check.data && !check.isPending ? <Outcome result={check.data} /> : null}
          </span>
        </div>
        {check.data && check.data.outputTail.trim() !== '' ? (
          <CodeBlock label="output of the check" text={check.data.outputTail} wrap className="max-h-48" />
        ) : null}
      </div>
    </Section>
  )
}

function Outcome({ result: { solved, exitCode, timedOut, durationMs } }: { result: ShellTaskCheck }) {
  const word = solved === null ? 'No result' : solved ? 'Solved' : 'Not solved'
  return (
    <>
      <Badge tone={solved === null ? 'warn' : solved ? 'ok' : 'bad'}>{word}</Badge>{' '}
      <span className="text-second">
        {timedOut ? 'The check was stopped at its time limit.' : `Exit code ${exitCode} after ${formatDuration(durationMs)}.`}
      </span>
    </>
  )
}
