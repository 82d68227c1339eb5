import { Choices } from '#renderer/ui/choices.tsx'
import { LinesRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { Fold } from '#renderer/ui/fold.tsx'
import { ContextChoice, contextWord, LimitsFold, SandboxFold } from '#renderer/app/run-form/limits.tsx'
import { numberRows } from '#renderer/app/run-form/number-rows.tsx'
import { SystemFold } from './system-fold.tsx'
import { NEW_TASK, type TaskFormProps } from './form.ts'

/** Collapsed groups of settings that are rarely changed, each with a summary of its values. */
export function MoreFields({ form, problems, set }: TaskFormProps) {
  const run = { form, problems, set }
  return (
    <section aria-label="More settings" className="flex flex-col">
      <LimitsFold {...run} />
      <Fold
        title="Permissions and context"
        summary={`${form.permissions === 'sandbox' ? 'all inside the sandbox' : 'asks you'}, ${contextWord(form)}`}
      >
        <div className="flex flex-col gap-4 py-3">
          <Choices
            label="Permissions"
            value={form.permissions}
            options={[
              {
                value: 'sandbox',
                label: 'All inside the sandbox',
                meaning: 'The agent may do anything that the sandbox allows, without asking.',
              },
              { value: 'ask', label: 'Ask me', meaning: 'The agent asks before each action and waits for your answer.' },
            ]}
            onChange={(permissions) => set({ permissions })}
          />
          <ContextChoice {...run} />
        </div>
      </Fold>
      <Fold
        title="Checks and set-up"
        summary={[
          form.verify.trim() === '' ? 'checks as found' : 'own check',
          form.setup === 'found' ? 'set-up as found' : form.setup === 'none' ? 'no set-up' : 'own set-up',
        ].join(', ')}
        hasProblem={problems.checkTimeoutSec !== undefined}
      >
        <TextRow
          label="Check"
          hint="Command that must succeed. Empty: the tests that the project defines."
          value={form.verify}
          placeholder="npm test"
          mono
          onChange={(verify) => set({ verify })}
        />
        {numberRows({ ...run, defaults: NEW_TASK })(
          'checkTimeoutSec',
          'Time limit of the checks',
          'Seconds. Checks that take longer have no result.',
        )}
        <div className="py-3">
          <Choices
            label="Set-up"
            value={form.setup}
            options={[
              { value: 'found', label: 'As found', meaning: 'What the lock files and settings of the repository require.' },
              { value: 'none', label: 'None', meaning: 'Nothing is installed before the agent begins.' },
              { value: 'own', label: 'Own commands', meaning: 'Run in this order; if one fails, the task does not start.' },
            ]}
            onChange={(setup) => set({ setup })}
          />
        </div>
        {form.setup === 'own' ? (
          <LinesRow
            label="Set-up commands"
            hint="One per line."
            value={form.setupCommands}
            placeholder="npm ci"
            onChange={(setupCommands) => set({ setupCommands })}
          />
        ) : null}
      </Fold>
      <SystemFold image={form.image} set={set} />
      <SandboxFold {...run} />
      <Fold title="Title" summary={form.title.trim() === '' ? 'first line of the task' : form.title}>
        <TextRow label="Title" hint="Name of the task in lists." value={form.title} onChange={(title) => set({ title })} />
      </Fold>
    </section>
  )
}
