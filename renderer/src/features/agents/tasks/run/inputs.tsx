import type { Task } from '#contracts/entities/task.ts'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { SetUpCommands } from '#renderer/app/run-form/plan-parts.tsx'

/** Everything that is needed to repeat the run. */
export function Inputs({ task }: { task: Task }) {
  const { request, setup, inputs } = task
  return (
    <>
      <Section title="Task">
        <CodeBlock label="task" text={request.prompt} wrap className="max-h-60 *:max-h-60" />
      </Section>
      {setup.length > 0 ? (
        <Section title="Set-up">
          <SetUpCommands setup={setup} />
        </Section>
      ) : null}
      {inputs.length > 0 ? (
        <Section title="Inputs" note="with the start of their SHA-256">
          <ul className="flex flex-col gap-1 text-xs">
            {inputs.map(({ kind, path, sha256 }) => (
              <li key={`${kind} ${path}`} className="flex min-w-0 gap-3">
                <span className="w-20 shrink-0 text-second">{kind}</span>
                <span className="min-w-0 flex-1 truncate font-mono" title={path}>
                  <Visible text={path} />
                </span>
                <span className="font-mono text-second" title={sha256 ?? undefined}>
                  {sha256?.slice(0, 12) ?? 'no hash'}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  )
}
