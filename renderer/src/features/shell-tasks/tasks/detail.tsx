import { Pencil, SquareTerminal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ShellTask } from '#contracts/entities/shell-task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useShellTask, useShellTaskActions } from '#renderer/api/shell-tasks.ts'
import { sandboxHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { FetchedPage } from '#renderer/ui/fetched.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { StatusBadge } from './columns.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { useValidateOne } from './validate.tsx'
import { Verdicts } from './verdicts.tsx'
import { ALL_SHELL_TASKS, DIFFICULTY_WORDS, SOURCE_WORDS } from './words.ts'

export function ShellTaskDetail({ id }: { id: string }) {
  return (
    <FetchedPage query={useShellTask(id)} what="shell task" all={ALL_SHELL_TASKS}>
      {(task) => <Loaded task={task} />}
    </FetchedPage>
  )
}

function Loaded({ task }: { task: ShellTask }) {
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const [isEditing, setEditing] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const { run, remove } = useShellTaskActions(task.id, {
    opened: ({ id }) => go(sandboxHref(id)),
    removed: () => go(ALL_SHELL_TASKS.href),
  })
  const validation = useValidateOne(task.id)
  const { id, split, isHeldOut, source, difficulty, setup, check, referenceSolution, extra } = task
  return (
    <Page
      title="Shell task"
      summary={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StatusBadge status={task.validation?.status ?? 'none'} />
          <span className="font-mono text-xs">{id}</span>
          <span>
            split {split}
            {isHeldOut ? ' (held out)' : ''}
          </span>
          <span>{SOURCE_WORDS[source]}</span>
          <span>difficulty {difficulty === null ? 'not given' : DIFFICULTY_WORDS[difficulty]}</span>
          <TextLink href={ALL_SHELL_TASKS.href}>{ALL_SHELL_TASKS.label}</TextLink>
        </span>
      }
      actions={
        <>
          {validation.button}
          <Button icon={SquareTerminal} reason={offline} busy={run.isPending} onClick={() => run.mutate()}>
            Run by hand
          </Button>
          <Button icon={Pencil} reason={offline} onClick={() => setEditing(true)}>
            Edit …
          </Button>
          <Button icon={Trash2} look="danger" reason={offline} onClick={() => setConfirming(true)}>
            Remove
          </Button>
        </>
      }
    >
      {validation.progress}
      <div className="grid min-w-0 gap-6 min-[1280px]:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <Section title="Task">
            <p className="max-w-[90ch] text-sm break-words whitespace-pre-wrap">
              <Visible text={task.task} />
            </p>
          </Section>
          <Section title="Set-up commands" note={setup.length === 0 ? 'none' : 'in one shell, in this order'}>
            {setup.length === 0 ? null : <CodeBlock label="set-up" text={setup.join('\n')} wrap />}
          </Section>
          <Section title="Check" note="exit code 0: solved">
            <CodeBlock label="check" text={check} wrap />
          </Section>
          <Section title="Reference solution" note={referenceSolution === null ? 'none' : undefined}>
            {referenceSolution === null ? null : <CodeBlock label="solution" text={referenceSolution} wrap />}
          </Section>
          {Object.keys(extra).length === 0 ? null : (
            <Section title="Other fields" note="not used by Bash Gym">
              <CodeBlock label="other fields" text={JSON.stringify(extra, null, 2)} wrap className="max-h-80" />
            </Section>
          )}
        </div>
        <Verdicts validation={task.validation} />
      </div>
      {isEditing ? <EditDialog task={task} onClose={() => setEditing(false)} /> : null}
      <Confirm
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Remove this shell task?"
        action="Remove"
        onConfirm={() => remove.mutate()}
      >
        The task and its validation are deleted. Its episodes are kept.
      </Confirm>
    </Page>
  )
}
