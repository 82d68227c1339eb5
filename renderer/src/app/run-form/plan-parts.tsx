import type { ReactNode } from 'react'
import type { TaskAgent, TaskPlan } from '#contracts/entities/task.ts'
import { TASK_AGENTS } from '../words/tasks.ts'
import { CodeText } from '#renderer/ui/code-text.tsx'
import { formatPrice, plural } from '#renderer/ui/format.ts'
import { NoteLine } from '#renderer/ui/note-line.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

export const PayerPart = ({ plan: { payer, model, price } }: { plan: Pick<TaskPlan, 'payer' | 'model' | 'price'> }) => (
  <Part title="Who pays">
    <p className="break-words">{payer}</p>
    <p className="text-second">
      {model === null ? (
        'The model is not known yet.'
      ) : (
        <>
          Model <code className="font-mono text-xs break-all">{model}</code>.
        </>
      )}{' '}
      {price === null
        ? 'Its price is not known, so no cost is shown.'
        : `${formatPrice(price.inputPerMTok)} per million input tokens, ${formatPrice(price.outputPerMTok)} output.`}
    </p>
  </Part>
)

export const PrivacyPart = ({ privacy }: Pick<TaskPlan, 'privacy'>) => (
  <Part title="Who gets what">
    <p className="break-words">{privacy}</p>
  </Part>
)

export const RepositoryPart = ({ repository, hasFolder }: Pick<TaskPlan, 'repository'> & { hasFolder: boolean }) => (
  <Part title="Repository">
    {repository === null ? (
      <p className="text-second">
        {hasFolder ? 'None: the files of the folder are copied without history.' : 'None: the agent starts in an empty folder.'}
      </p>
    ) : (
      <>
        <p>
          {repository.branch === null ? '' : `${repository.branch}, `}
          {repository.commit === null ? (
            'no commit yet'
          ) : (
            <>
              commit <code className="font-mono text-xs">{repository.commit.slice(0, 10)}</code>
            </>
          )}
          , {plural(repository.files, 'file')}
        </p>
        <p className="text-second">
          {repository.uncommitted === 0
            ? 'Nothing is uncommitted.'
            : `${plural(repository.uncommitted, 'uncommitted file')} ${repository.uncommitted === 1 ? 'is' : 'are'} copied too.`}
        </p>
      </>
    )}
  </Part>
)

export const SetUpPart = ({ setup }: Pick<TaskPlan, 'setup'>) => (
  <Part title="Set-up">
    {setup.length === 0 ? <p className="text-second">None found.</p> : null}
    <SetUpCommands setup={setup} />
  </Part>
)

export const SetUpCommands = ({ setup }: Pick<TaskPlan, 'setup'>) => (
  <Commands rows={setup.map(({ command, because, cached }) => ({ command, note: `${because}${cached ? ', from the cache' : ''}` }))} />
)

/** `remedy`: what the user can do if no checks are found. */
export const ChecksPart = ({ checks, checksLack, remedy }: Pick<TaskPlan, 'checks' | 'checksLack'> & { remedy: string }) => (
  <Part title="Checks">
    {checks.length === 0 ? <p className="text-warn">None found, so the result will not be verified. {remedy}</p> : null}
    {checksLack === null ? null : (
      <p className="text-warn">{checksLack} is missing in the sandbox, so the checks can't run and the result will not be verified.</p>
    )}
    <Commands rows={checks.map(({ command, because }) => ({ command, note: because }))} />
  </Part>
)

export const AgentPart = ({
  plan: { agent, isolation },
  selectedAgent,
}: {
  plan: Pick<TaskPlan, 'agent' | 'isolation'>
  selectedAgent: TaskAgent
}) => (
  <Part title="Agent">
    <p className={agent.missing === null ? undefined : 'text-bad'}>
      {agent.missing === null ? (
        `${TASK_AGENTS[selectedAgent].label}, ${agent.version === null ? 'version not known' : `version ${agent.version}`}`
      ) : (
        <CodeText text={agent.missing} />
      )}
    </p>
    <p className="text-second">{isolation === null ? 'No sandbox engine is known.' : `Isolated by ${isolation}.`}</p>
  </Part>
)

export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-0.5">
    <h3 className="font-semibold">{title}</h3>
    {children}
  </section>
)

const Commands = ({ rows }: { rows: readonly { command: string; note: string }[] }) =>
  rows.length === 0 ? null : (
    <ul className="flex flex-col gap-1">
      {rows.map(({ command, note }) => (
        <li key={command} className="min-w-0">
          <code className="font-mono text-xs break-words">
            <Visible text={command} />
          </code>{' '}
          <span className="text-xs text-second">{note}</span>
        </li>
      ))}
    </ul>
  )

/** Why the run can't start, and what to do. */
export const Refusals = ({ refusals }: { refusals: TaskPlan['refusals'] }) =>
  refusals.length === 0 ? null : (
    <ul aria-label="Prevents the start" className="flex flex-col gap-2">
      {refusals.map(({ message, hint }) => (
        <NoteLine key={message} level="refusal" message={message} hint={hint} />
      ))}
    </ul>
  )
