import fs from 'node:fs'
import path from 'node:path'
import { isUnverified, Policy, ScoreDocument } from '#contracts/entities/score.ts'
import { AppError } from '#contracts/errors.ts'
import { formatScore } from '#contracts/score-figure.ts'
import { allPages, type Command, enumOf, oneArgument } from '../command.ts'
import { orDash, table } from '../format.ts'

/** Scores a transcript or a steps file. Passed in by the composition root; needs no data directory or lock. */
export type ScoreFile = (file: string, policy: Policy) => Promise<ScoreDocument>

export const scoreCommand = (scoreFile: ScoreFile): Command => ({
  name: 'score',
  usage: 'score PATH|ID [--policy thresholds|verified_first]',
  summary: 'show the metrics, quality, tier and evidence of a transcript, a steps file or a stored session',
  options: { policy: { type: 'string' } },
  async run(context) {
    const target = oneArgument(context, 'A path or trace id')
    const policy = enumOf(context.values, 'policy', Policy.options)
    const file = path.resolve(target)
    if (fs.existsSync(file)) {
      const scored = await scoreFile(file, policy ?? 'thresholds')
      context.out(scored, () => describe(scored))
      return
    }
    if (!/^[a-z2-7]{26}$/.test(target))
      throw new AppError('path_refused', {
        message: `No file at ${file}, and no trace has the id "${target}".`,
        hint: 'Check the path, or run `bashgym traces` to list the ids.',
      })
    const { client } = await context.connect()
    const { score } = await client.getTrace({ params: { id: target } })
    if (score === null) throw new AppError('trace_not_found', { message: 'This trace has not been scored yet.' })
    const tier = policy === undefined ? score.tier : score.tierByPolicy[policy]
    const stored = policy === undefined ? score : { ...score, policy, tier, unverified: isUnverified(tier, score.verification) }
    const steps = await allPages((page) => client.listSteps({ params: { id: target }, query: page }))
    const scored = ScoreDocument.parse(stored)
    context.out(scored, () => describe(scored, new Map(steps.map(({ id, seq }) => [id, seq]))))
  },
})

/** `numbers` are the steps as `show` numbers them; those of a file have only their id. */
const describe = (
  { metrics, quality, tier, unverified, policy, scoreVersion, evidence }: ScoreDocument,
  numbers: ReadonlyMap<string, number> = new Map(),
) =>
  [
    `${tier}${unverified ? ', unverified' : ''} · quality ${orDash(quality, formatScore)} · policy ${policy} · score version ${scoreVersion}`,
    table(Object.entries(metrics).map(([name, value]) => [name, orDash(value, formatScore)])),
    ...(evidence.length === 0 ? ['No test, build or lint was found, so the verification is neither passed nor failed.'] : []),
    ...evidence.map(
      ({ step, command, kind, result, why, decides }) =>
        `${decides ? '→' : ' '} ${kind} ${result.replace('_', ' ')}: ${command} (${why}; step ${numbers.get(step) ?? step})`,
    ),
  ].join('\n')
