import path from 'node:path'
import { GuardProfile, type GuardVerdict } from '#contracts/entities/guardrail.ts'
import { type Command, enumOf, oneArgument, textOf } from '../command.ts'

/** Passed in by the composition root; needs no data directory or lock. */
export type EvaluateCommand = (command: string, profile: GuardProfile, cwd: string) => Promise<GuardVerdict>

export const guardCommand = (evaluateCommand: EvaluateCommand): Command => ({
  name: 'guard',
  usage: `guard "CMD" [--profile ${GuardProfile.options.join('|')}] [--cwd DIR]`,
  summary: 'show whether guardrails allow a shell command, without running it; exits 1 if it is blocked',
  options: { profile: { type: 'string' }, cwd: { type: 'string' } },
  async run(context) {
    const command = oneArgument(context, 'The command')
    const profile = enumOf(context.values, 'profile', GuardProfile.options) ?? 'native'
    const result = await evaluateCommand(command, profile, path.resolve(textOf(context.values, 'cwd') ?? '.'))
    context.out(result, () => describe(command, result))
    return result.verdict === 'block' ? 1 : 0
  },
})

const describe = (command: string, { verdict, rule, span, reason, alternatives }: GuardVerdict) =>
  [
    rule === null ? verdict : `${verdict}: ${reason} (rule ${rule})`,
    ...(span ? [`  ${command.slice(span.start, span.end)}`] : []),
    ...alternatives.map((alternative) => `Instead: ${alternative}`),
  ].join('\n')
