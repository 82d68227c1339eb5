import { STUDENT_NAME } from '#contracts/router-words.ts'

export interface VariableProblem {
  message: string
  /** The client's safety checks would go to a model of the user's own. */
  fails: boolean
}

const isSet = (value: string | undefined): boolean => value !== undefined && !['', '0', 'false'].includes(value)

/** Variables that change who judges whether commands are safe, or what the client sends. `where` names the place that has them. */
export function variableProblems(env: Readonly<Record<string, string | undefined>>, where: string): VariableProblem[] {
  const problems: VariableProblem[] = []
  const add = (message: string, fails = false) => problems.push({ message, fails })
  const sonnet = env['ANTHROPIC_DEFAULT_SONNET_MODEL']
  if (sonnet?.startsWith(STUDENT_NAME))
    add(
      `ANTHROPIC_DEFAULT_SONNET_MODEL in ${where} names a model of yours: Claude Code would ask it whether commands are safe. Remove it.`,
      true,
    )
  else if (isSet(sonnet)) add(`ANTHROPIC_DEFAULT_SONNET_MODEL in ${where}: Claude Code asks the model ${sonnet} whether commands are safe.`)
  if (isSet(env['CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS']))
    add(
      `CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS in ${where}: in auto mode Claude Code checks each command with a request of its own, on your bill.`,
    )
  if (env['CLAUDE_CODE_AUTO_MODE_SERVER'] !== undefined && !isSet(env['CLAUDE_CODE_AUTO_MODE_SERVER']))
    add(`CLAUDE_CODE_AUTO_MODE_SERVER=0 in ${where}: in auto mode Claude Code checks each command with a request of its own, on your bill.`)
  if (isSet(env['CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY']))
    add(`CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY in ${where}: Claude Code takes its list of models from the address that it is given.`)
  if (isSet(env['_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL']))
    add(
      `_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL in ${where}: Claude Code takes any address for Anthropic's own, and calls its other services.`,
    )
  return problems
}
