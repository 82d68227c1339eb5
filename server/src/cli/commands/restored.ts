import { RESTORED_KIND_NAMES, type RestoredItem } from '#contracts/entities/restored.ts'
import { nameHidden } from '#contracts/hidden-signs.ts'
import { type Command, UsageError } from '../command.ts'

const PAGE = 100

export const restoredCommand: Command = {
  name: 'restored',
  usage: 'restored [use ID [--yes]]',
  summary: 'list what a restored backup does not run or send until you allow it, with what each names; use ID allows one',
  options: { yes: { type: 'boolean' } },
  async run(context) {
    const [verb, id, ...more] = context.args
    if (verb === undefined) {
      const { client } = await context.connect()
      const items: RestoredItem[] = []
      let cursor: string | undefined
      do {
        const page = await client.listRestoredItems({ query: { limit: PAGE, ...(cursor !== undefined && { cursor }) } })
        items.push(...page.items)
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return context.out({ items }, () =>
        items.length === 0 ? 'Nothing of a restored backup is waiting.' : items.map((item) => describe(item)).join('\n'),
      )
    }
    if (verb !== 'use' || id === undefined || more.length > 0) throw new UsageError('Expected `restored`, or `restored use ID`.')
    const { client } = await context.connect({ needsServer: true }) // it may start work, which a command would end
    if (context.values['yes'] !== true) {
      const { items } = await client.getRestoredItem({ params: { id } })
      context.note(items.map((item) => describe(item)).join('\n'))
      if (!(await context.ask('Use this again?'))) {
        context.note('Nothing was changed.')
        return 1
      }
    }
    const result = await client.allowRestoredItem({ params: { id }, body: {} })
    return context.out(result, () => (result.started ? 'It is used again, and starts now.' : 'It is used again.'))
  },
}

function describe({ id, kind, title, wasActive, names }: RestoredItem): string {
  const state = wasActive && kind !== 'privacy-decision' ? ', was queued or running' : ''
  const head = `${id}  ${RESTORED_KIND_NAMES[kind][0]}${state}: ${nameHidden(title)}`
  return [head, ...names.map(({ what, value }) => `    ${what}: ${nameHidden(value)}`)].join('\n')
}
