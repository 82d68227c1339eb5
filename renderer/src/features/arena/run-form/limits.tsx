import { Choices } from '#renderer/ui/choices.tsx'
import { LinesRow, NumberRow } from '#renderer/ui/form-rows.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Fold } from '../create-fold.tsx'
import { linesOf, NEW_RUN, type RunForm, type RunFormProps } from './form.ts'

type NumberField = 'turns' | 'tokens' | 'costUsd' | 'minutes' | 'checkTimeoutSec' | 'memoryMb' | 'cpus'

export const RunNumber = ({
  name,
  label,
  hint,
  form,
  problems,
  set,
}: RunFormProps & { name: NumberField; label: string; hint: string }) => (
  <NumberRow
    label={label}
    hint={hint}
    error={problems[name]}
    value={form[name]}
    placeholder={NEW_RUN[name] === '' ? 'none' : NEW_RUN[name]}
    onChange={(text) => set({ [name]: text })}
  />
)

/** What ends a run. */
export const LimitsFold = (props: RunFormProps & { title?: string }) => {
  const { problems, title = 'Limits' } = props
  return (
    <Fold
      title={title}
      summary={limitsInWords(props.form)}
      hasProblem={Boolean(problems.turns ?? problems.tokens ?? problems.costUsd ?? problems.minutes)}
    >
      <RunNumber {...props} name="minutes" label="Time" hint="Minutes of work, without waiting for a place." />
      <RunNumber {...props} name="turns" label="Turns" hint="Answers of the model, those of sub-agents too." />
      <RunNumber {...props} name="tokens" label="Tokens" hint="Input and output of all requests together. Empty: no limit." />
      <RunNumber {...props} name="costUsd" label="Cost" hint="US dollars. Empty: no limit. Needs a model whose price is known." />
    </Fold>
  )
}

/** What the agent knows beside the repository. */
export const ContextChoice = ({ form, set }: Pick<RunFormProps, 'form' | 'set'>) => (
  <Choices
    label="Context"
    value={form.context}
    options={[
      { value: 'clean', label: 'Clean', meaning: 'Only what is in the repository: the same for everybody who repeats it.' },
      { value: 'mine', label: 'Like mine', meaning: 'With your CLAUDE.md, skills, agents and MCP servers, never your hooks.' },
    ]}
    onChange={(context) => set({ context })}
  />
)

/** The machine that a run has. */
export const SandboxFold = (props: RunFormProps) => {
  const { form, problems, set } = props
  const addresses = linesOf(form.network).length
  return (
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
      <RunNumber {...props} name="memoryMb" label="Memory" hint="Megabytes, for all of its processes." />
      <RunNumber {...props} name="cpus" label="Processor" hint="Cores." />
    </Fold>
  )
}

const limitsInWords = ({ minutes, turns, tokens, costUsd }: RunForm): string =>
  [
    plural(Number(minutes), 'minute'),
    plural(Number(turns), 'turn'),
    tokens.trim() === '' ? null : plural(Number(tokens), 'token'),
    costUsd.trim() === '' ? 'no cost limit' : `$${costUsd}`,
  ]
    .filter(Boolean)
    .join(', ')

export const contextWord = ({ context }: RunForm): string => (context === 'clean' ? 'clean context' : 'context like yours')
