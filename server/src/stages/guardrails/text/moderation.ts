import type { GuardCheck, TextDirection } from '#contracts/entities/guardrail.ts'
import type { GuardrailSettings } from '#contracts/settings/guardrails.ts'
import type { ClearedRequest } from '#server/adapters/llm/cleared.ts'
import { checkRails } from '#server/adapters/nemo/index.ts'
import { MODERATION_RULE, type TextFinding } from './check.ts'

export type Moderation = NonNullable<GuardCheck['moderation']>

/** Clears a text that leaves the process by itself; null if it could not be searched. */
export type ClearText = (text: string, signal: AbortSignal) => Promise<ClearedRequest | null>

const LONGEST = 100_000
const NO_SERVICE = 'No NeMo Guardrails service is set up under Guardrails → Rules.'

/** What the service of the user says about a text. Whatever goes wrong with it is "not checked", and never an error. */
export async function moderate(
  text: string,
  direction: TextDirection,
  { contentModeration, service }: Pick<GuardrailSettings, 'contentModeration' | 'service'>,
  clear: ClearText,
  signal: AbortSignal,
): Promise<Moderation> {
  if (service.url === '') return notChecked(NO_SERVICE)
  if (!contentModeration) return notChecked('It is switched off under Guardrails → Rules.')
  if (text.length > LONGEST) return notChecked(`A text of more than ${LONGEST.toLocaleString('en')} characters is not sent to the service.`)
  const request = await clear(text, signal).catch(() => null)
  signal.throwIfAborted()
  if (request === null) return notChecked('It could not be searched for secrets, so it was not sent to the service.')
  const answer = await checkRails({ ...service, request, rails: direction === 'output' ? 'output' : 'input', signal })
  if (answer.status === null) return notChecked(answer.problem)
  const by = answer.rail === null ? 'The NeMo Guardrails service' : `The rail "${answer.rail}" of the NeMo Guardrails service`
  if (answer.status === 'blocked') return { verdict: 'block', reason: `${by} blocked this text.` }
  if (answer.status === 'modified') return { verdict: 'warn', reason: `${by} would change this text.` }
  return { verdict: 'allow', reason: `No ${direction === 'output' ? 'output' : 'input'} rail of the NeMo Guardrails service stopped it.` }
}

const notChecked = (reason: string): Moderation => ({ verdict: 'not_checked', reason })

export const findingOf = ({ verdict, reason }: Moderation): TextFinding[] =>
  verdict === 'block' || verdict === 'warn' ? [{ verdict, rule: MODERATION_RULE, type: 'moderation', spans: [], score: null, reason }] : []
