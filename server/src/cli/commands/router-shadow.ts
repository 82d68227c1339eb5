import { type ShadowAnswer, type ShadowFigures, ShadowVerdict } from '#contracts/entities/routing.ts'
import { plural } from '#contracts/plural.ts'
import { actionOf, type Context, oneOf, onlyOptions, UsageError } from '../command.ts'
import { shorten, table } from '../format.ts'

/** The answers in the shadow with their verdicts; `judge` says what the user thinks of one. */
export async function routerShadow(context: Context, args: string[]): Promise<void> {
  const [action, ...rest] = actionOf({ ...context, args }, 'router shadow', ['list', 'judge'], 'list')
  const { client } = await context.connect({ reads: action === 'list' })
  if (action === 'judge') {
    const [id = '', word = '', ...more] = rest
    if (id === '' || word === '' || more.length > 0) throw new UsageError('router shadow judge ID better|worse|same')
    const answer = await client.decideShadowAnswer({ params: { id }, body: { verdict: oneOf(ShadowVerdict, word, 'the verdict') } })
    context.out(answer, () => `${answer.id}: the answer of ${answer.model} is ${wordOf(answer)}.`)
    return
  }
  onlyOptions({ args: rest }, 'router shadow')
  const [list, { shadow }] = await Promise.all([client.listShadowAnswers({ query: {} }), client.getRouteStats({})])
  context.out({ ...list, figures: shadow }, () =>
    list.items.length === 0
      ? 'No answers in the shadow yet. Router → Ask in the shadow.'
      : [...(shadow ? [figuresLine(shadow)] : []), table(list.items.map(rowOf))].join('\n'),
  )
}

const wordOf = ({ verdict, verdictBy }: ShadowAnswer): string =>
  verdict === null ? 'not judged' : `${verdict}${verdictBy === null ? '' : ` (${verdictBy})`}`

const rowOf = (one: ShadowAnswer): string[] => [
  one.id,
  one.at,
  shorten(one.teacher, 40),
  shorten(one.student ?? one.error ?? '', 40),
  wordOf(one),
  one.refusal === null ? 'a row' : `no row: ${one.refusal}`,
]

const figuresLine = ({ judged: { better, worse, same }, rows }: ShadowFigures): string =>
  `${better} better than Claude's, ${worse} worse, ${same} the same; ${plural(rows, 'row')} for a data set: bashgym dataset build --kind dpo --recipe '{"pairSources":["shadow"]}'`
