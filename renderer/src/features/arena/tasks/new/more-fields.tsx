import { Choices } from '#renderer/ui/choices.tsx'
import { LinesRow, NumberRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Fold } from '../../create-fold.tsx'
import { NEW_TASK, type Problems, type TaskForm } from './form.ts'

interface Props {
  form: TaskForm
  problems: Problems
  set: (part: Partial<TaskForm>) => void
}

/** What few people change, and in words what holds without opening it. */
export function MoreFields({ form, problems, set }: Props) {
  const number = (
    name: 'turns' | 'tokens' | 'costUsd' | 'minutes' | 'checkTimeoutSec' | 'memoryMb' | 'cpus',
    label: string,
    hint: string,
  ) => (
    <NumberRow
      label={label}
      hint={hint}
      error={problems[name]}
      value={form[name]}
      placeholder={NEW_TASK[name] === '' ? 'none' : NEW_TASK[name]}
      onChange={(text) => set({ [name]: text })}
    />
  )
  const addresses = form.network.split('\n').filter((line) => line.trim() !== '').length
  return (
    <section aria-label="More settings" className="flex flex-col">
      <Fold
        title="Limits"
        summary={limitsInWords(form)}
        hasProblem={Boolean(problems.turns ?? problems.tokens ?? problems.costUsd ?? problems.minutes)}
      >
        {number('minutes', 'Time', 'Minutes of work, without waiting for a place.')}
        {number('turns', 'Turns', 'Answers of the model, those of sub-agents too.')}
        {number('tokens', 'Tokens', 'Input and output of all requests together. Empty: no limit.')}
        {number('costUsd', 'Cost', 'US dollars. Empty: no limit. Needs a model whose price is known.')}
      </Fold>
      <Fold title="Permissions and context" summary={contextInWords(form)}>
        <div className="flex flex-col gap-4 py-3">
          <Choices
            label="Permissions"
            value={form.permissions}
            options={[
              { value: 'sandbox', label: 'All inside the sandbox', meaning: 'The agent may do what its sandbox may, and does not ask.' },
              { value: 'ask', label: 'Ask me', meaning: 'The agent asks before it acts, and waits for your answer.' },
            ]}
            onChange={(permissions) => set({ permissions })}
          />
          <Choices
            label="Context"
            value={form.context}
            options={[
              { value: 'clean', label: 'Clean', meaning: 'Only what is in the repository: the same for everybody who repeats it.' },
              { value: 'mine', label: 'Like mine', meaning: 'With your CLAUDE.md, skills, agents and MCP servers, never your hooks.' },
            ]}
            onChange={(context) => set({ context })}
          />
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
          hint="Command that must succeed. Empty: the tests that the project names."
          value={form.verify}
          placeholder="npm test"
          mono
          onChange={(verify) => set({ verify })}
        />
        {number('checkTimeoutSec', 'Time limit of the checks', 'Seconds. What takes longer has no result.')}
        <div className="py-3">
          <Choices
            label="Set-up"
            value={form.setup}
            options={[
              { value: 'found', label: 'As found', meaning: 'What the lock files and settings of the repository ask for.' },
              { value: 'none', label: 'None', meaning: 'Nothing is installed before the agent begins.' },
              { value: 'own', label: 'Own commands', meaning: 'Run in this order; the first that fails ends the start.' },
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
      <Fold
        title="Sandbox"
        summary={`${form.memoryMb} MB memory, ${plural(Number(form.cpus), 'core')}, ${addresses === 0 ? 'no network' : `network to ${plural(addresses, 'address', 'addresses')}`}`}
        hasProblem={Boolean(problems.network ?? problems.memoryMb ?? problems.cpus)}
      >
        <LinesRow
          label="Allowed addresses"
          hint="That set-up and programs may reach, one host:port per line. The model is always reached, through Bash Gym."
          error={problems.network}
          value={form.network}
          placeholder={'api.example.com:443\nfiles.example.com:443'}
          onChange={(network) => set({ network })}
        />
        {number('memoryMb', 'Memory', 'Megabytes, for all of its processes.')}
        {number('cpus', 'Processor', 'Cores.')}
      </Fold>
      <Fold title="Title" summary={form.title.trim() === '' ? 'first line of the task' : form.title}>
        <TextRow label="Title" hint="How the task is listed." value={form.title} onChange={(title) => set({ title })} />
      </Fold>
    </section>
  )
}

const limitsInWords = ({ minutes, turns, tokens, costUsd }: TaskForm): string =>
  [
    plural(Number(minutes), 'minute'),
    plural(Number(turns), 'turn'),
    tokens.trim() === '' ? null : plural(Number(tokens), 'token'),
    costUsd.trim() === '' ? 'no cost limit' : `$${costUsd}`,
  ]
    .filter(Boolean)
    .join(', ')

const contextInWords = ({ permissions, context }: TaskForm): string =>
  `${permissions === 'sandbox' ? 'all inside the sandbox' : 'asks you'}, ${context === 'clean' ? 'clean context' : 'context like yours'}`
