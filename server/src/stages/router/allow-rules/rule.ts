import type { GymRule } from '#contracts/entities/router.ts'
import type { GuardVerdict } from '#contracts/entities/guardrail.ts'

/** Signs with which a shell, or a rule of the client, would read more than this very command. */
const MORE_THAN_ONE = /[\n\r;&|<>$`()*?[\]{}~#!\\:'"]/

export interface RuleContext {
  /** Of the guardrails. */
  verdictOf: (command: string) => Promise<Pick<GuardVerdict, 'verdict'>>
  /** The user's own rules that ask or deny, wherever they stand. */
  asks: readonly string[]
  denies: readonly string[]
}

/** The rule that allows exactly this command, and why it is not offered, if it is not. */
export async function ruleOf({ command, because }: { command: string; because: string }, context: RuleContext): Promise<GymRule> {
  return { rule: `Bash(${command})`, command, because, refused: await whyNot(command, context) }
}

async function whyNot(command: string, { verdictOf, asks, denies }: RuleContext): Promise<string | null> {
  if (command.trim() !== command || command === '' || MORE_THAN_ONE.test(command))
    return 'It is not one plain command, and a rule for it could allow more than it says.'
  const { verdict } = await verdictOf(command)
  if (verdict !== 'allow') return `The guardrails of Bash Gym ${verdict === 'block' ? 'block' : 'warn about'} this command.`
  const denied = denies.find((rule) => covers(rule, command))
  if (denied !== undefined) return `Your rule ${denied} denies it.`
  const asked = asks.find((rule) => covers(rule, command))
  return asked === undefined ? null : `Your rule ${asked} has it asked.`
}

/** Whether a rule of the client is about a command; wider rather than narrower. */
export function covers(rule: string, command: string): boolean {
  const [, tool, content] = /^([^(]+)(?:\((.*)\))?$/s.exec(rule.trim()) ?? []
  if (tool === undefined || !/^(?:Bash|\*)$/.test(tool.trim())) return false
  if (content === undefined || content === '' || content === '*') return true
  return hasInOrder(content.replace(/:\*$/, '*').split('*'), command)
}

/** Whether a text is these parts with anything between them. No regular expression: the rule may be a stranger's, with many stars. */
function hasInOrder([first = '', ...rest]: readonly string[], text: string): boolean {
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
