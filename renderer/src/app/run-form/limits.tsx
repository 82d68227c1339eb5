import { Choices } from '#renderer/ui/choices.tsx'
import { LinesRow } from '#renderer/ui/form-rows.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Fold } from '#renderer/ui/fold.tsx'
import { linesOf, NEW_RUN, type RunForm, type RunFormProps } from './form.ts'
import { numberRows } from './number-rows.tsx'

/** Limits at which a run is stopped. */
export const LimitsFold = ({ title = 'Limits', ...props }: RunFormProps & { title?: string }) => {
  const { problems } = props
  const number = numberRows({ ...props, defaults: NEW_RUN })
  return (
    <Fold
      title={title}
      summary={limitsInWords(props.form)}
      hasProblem={Boolean(problems.turns ?? problems.tokens ?? problems.costUsd ?? problems.minutes)}
    >
      {number('minutes', 'Time', 'Minutes of work, not counting time in the queue.')}
      {number('turns', 'Turns', 'Answers of the model, including those of sub-agents.')}
      {number('tokens', 'Tokens', 'Input and output of all requests together. Empty: no limit.')}
      {number('costUsd', 'Cost', 'US dollars. Empty: no limit. Needs a model with a known price.')}
    </Fold>
  )
}

/** Chooses what the agent gets in addition to the repository. */
export const ContextChoice = ({ form, set }: Pick<RunFormProps, 'form' | 'set'>) => (
  <Choices
    label="Context"
    value={form.context}
    options={[
      { value: 'clean', label: 'Clean', meaning: 'Only what is in the repository, so others get the same result.' },
      {
        value: 'mine',
        label: 'Like mine',
        meaning: 'With your CLAUDE.md, skills, agents and MCP servers, never your hooks. Asks for a confirmation outside the browser.',
      },
    ]}
    onChange={(context) => set({ context })}
  />
)

export const SandboxFold = (props: RunFormProps) => {
  const { form, problems, set } = props
  const number = numberRows({ ...props, defaults: NEW_RUN })
  const addresses = linesOf(form.network).length
  return (
    <Fold
      title="Sandbox"
      summary={`${form.memoryMb} MB memory, ${plural(Number(form.cpus), 'core')}, ${addresses === 0 ? 'no network' : `network to ${plural(addresses, 'address', 'addresses')}`}`}
      hasProblem={Boolean(problems.network ?? problems.memoryMb ?? problems.cpus)}
    >
      <LinesRow
        label="Allowed addresses"
        hint="Addresses that set-up and programs may reach, one host:port per line. The model is always reachable, through Bash Gym."
        error={problems.network}
        value={form.network}
        placeholder={'api.example.com:443\nfiles.example.com:443'}
        onChange={(network) => set({ network })}
      />
      {number('memoryMb', 'Memory', 'Megabytes, for all processes together.')}
      {number('cpus', 'Processor', 'Cores.')}
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
