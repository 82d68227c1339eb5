import { arrowShare, LOOP_LABELS, stageCount } from '#contracts/loop-words.ts'
import { plural } from '#contracts/plural.ts'
import type { Command } from '../command.ts'
import { table } from '../format.ts'

export const status: Command = {
  name: 'status',
  usage: 'status',
  takesNoArguments: true,
  summary: 'how far your sessions got on their way to a model in use, and the one next step',
  async run(context) {
    const loop = await (await context.connect({ reads: true })).client.getLoop({})
    context.out(loop, () => {
      const { stages, arrows, next } = loop
      const rows = stages.map((stage) => {
        const arrow = arrows.find(({ to }) => to === stage.id)
        const { things } = stage
        return [
          LOOP_LABELS[stage.id],
          stage.sessions === null ? stageCount(stage) : `${stageCount(stage)} ${stage.sessions === 1 ? 'session' : 'sessions'}`,
          arrow === undefined ? '' : `${arrowShare(arrow)}${arrow.isNarrowest ? ' (narrowest)' : ''}`,
          things === null ? '' : plural(things.count, things.noun),
          stage.newestAt === null ? '' : `newest ${stage.newestAt.slice(0, 10)}`,
        ]
      })
      return [
        table(rows),
        ...stages.flatMap(({ note }) => note ?? []),
        next === null ? 'Next: nothing. New sessions move the loop on.' : `Next: ${next.title}. ${next.detail}`,
      ].join('\n')
    })
  },
}
