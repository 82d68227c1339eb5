import { type Context, UsageError } from '../command.ts'

export const REDACT_OPTIONS = { redact: { type: 'boolean' }, 'no-redact': { type: 'boolean' } } as const
export const REDACT_HELP =
  'Secrets in requests that leave this machine are replaced by placeholders first; --redact also replaces them for a model on this machine,\n' +
  '--no-redact sends them as they are. Requests of the shell agent and of rollouts never leave this machine with secrets.'

/** Undefined: the default. */
export function redactOf(values: Context['values']): boolean | undefined {
  const [on, off] = [values['redact'] === true, values['no-redact'] === true]
  if (on && off) throw new UsageError('Use either --redact or --no-redact.')
  return on ? true : off ? false : undefined
}
