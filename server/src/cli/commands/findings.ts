import { type FoundValue, PiiType, PrivacyAction } from '#contracts/entities/privacy.ts'
import { nameHidden } from '#contracts/hidden-signs.ts'
import { type Command, type Connection, numberOf, textOf, UsageError } from '../command.ts'
import { waitFor } from '../wait.ts'
import { formatNumber, table } from '../format.ts'

const PAGE = 100

/** Findings by value, and decisions that apply to all places of one. */
export const findingsCommand: Command = {
  name: 'findings',
  usage: `findings [--type T,…] [--limit N] | findings ${PrivacyAction.options.join('|')} VALUE`,
  summary:
    'scan what is new in the archive and list the secrets and personal data found, one line for each value, masked; keep VALUE says that it is neither, for all its places',
  options: { type: { type: 'string' }, limit: { type: 'string' } },
  async run(context) {
    const [verb, value, ...more] = context.args
    if (verb === undefined) {
      const limit = numberOf(context.values, 'limit', { min: 1, max: 10_000, isWhole: true }) ?? 50
      const types = (textOf(context.values, 'type')?.split(',') ?? []).map((name) => {
        const type = PiiType.safeParse(name)
        if (!type.success) throw new UsageError(`--type must be one of ${PiiType.options.join(', ')}, not "${name}".`)
        return type.data
      })
      const connection = await context.connect()
      const { client } = connection
      const { outstanding, jobId } = await client.getPrivacy({})
      if (outstanding > 0 && jobId === null) await waitFor(context, connection, await client.startPrivacyScan({ body: { all: false } }))
      const { items, total, places } = await listed(client, types, limit)
      const lines = await Promise.all(items.map(({ example }) => lineOf(client, example.id)))
      return context.out({ items: items.map((item, at) => ({ ...item, line: lines[at]! })), total, places }, () =>
        [
          table([
            ['value', 'type', 'places', 'sessions', 'action', 'line'],
            ...items.map((item, at) => rowOf(item, lines[at] ?? item.example.preview)),
          ]),
          `${items.length} of ${formatNumber(total)} values, in ${formatNumber(places)} places`,
        ].join('\n'),
      )
    }
    const action = PrivacyAction.safeParse(verb)
    if (!action.success || value === undefined || more.length > 0)
      throw new UsageError(
        `Expected \`findings\`, or one of ${PrivacyAction.options.map((one) => `\`findings ${one} VALUE\``).join(', ')}.`,
      )
    const { client } = await context.connect()
    const { total } = await client.listFindings({ query: { value, limit: 1 } })
    if (total === 0) throw new UsageError(`No finding has the value "${value}". \`findings\` lists the values.`)
    const decision = await client.decidePrivacy({ body: { on: { scope: 'value', value }, action: action.data } })
    return context.out({ decision, places: total }, () => `${WORDS[action.data]} in ${formatNumber(total)} places.`)
  },
}

const WORDS: Record<PrivacyAction, string> = { keep: 'Kept', redact: 'Redacted', replace: 'Replaced' }

async function listed(client: Connection['client'], type: PiiType[], limit: number) {
  const items: FoundValue[] = []
  let [total, places] = [0, 0]
  let cursor: string | undefined
  do {
    const query = { limit: Math.min(PAGE, limit - items.length), ...(type.length > 0 && { type }), ...(cursor !== undefined && { cursor }) }
    const page = await client.listFoundValues({ query })
    items.push(...page.items)
    ;({ total, places } = page)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && items.length < limit)
  return { items, total, places }
}

/** Null if the session changed since it was scanned. */
async function lineOf(client: Connection['client'], id: string): Promise<string | null> {
  try {
    const { before, masked, after } = await client.getFindingLine({ params: { id } })
    return `${before}${masked}${after}`.trim()
  } catch {
    return null
  }
}

function rowOf({ places, sessions, actions, example }: FoundValue, line: string): string[] {
  const decided = PrivacyAction.options.filter((action) => actions[action] > 0)
  const action = decided.length === 1 ? decided[0]! : decided.map((one) => `${one} ${actions[one]}`).join(', ')
  return [example.value, example.type, formatNumber(places), formatNumber(sessions), action, nameHidden(line)]
}
