import type { Client } from '#contracts/derive/client.ts'
import type { RouteDecision, RouteOutcome } from '#contracts/entities/routing.ts'
import type { Routes } from '#contracts/routes/index.ts'
import { outcomeWords } from '#contracts/router-words.ts'
import { allPages, type Context, onlyOptions, UsageError } from '../command.ts'
import { formatDuration, formatNumber, formatUsd, orDash, shorten, table } from '../format.ts'

const SHOWN = 20

/** `router decisions`, and `router outcome ID right|wrong`. */
export async function routerDecisions(context: Context, client: Client<Routes>, rest: readonly string[]): Promise<void> {
  onlyOptions({ args: [...rest] }, 'router decisions')
  if (context.json) {
    const items = await allPages((query) => client.listRouteDecisions({ query }))
    context.out(items, () => '')
    return
  }
  const { items, total } = await client.listRouteDecisions({ query: { limit: SHOWN } })
  context.out(items, () =>
    items.length === 0
      ? 'Nothing has passed the router in the last 30 days.'
      : [
          table([
            ['id', 'answered by', 'confidence', 'first byte', 'whole', 'tokens', 'cost', 'outcome', 'why'],
            ...items.map((decision) => [
              decision.id ?? '',
              answeredBy(decision),
              orDash(decision.confidence, (value) => value.toFixed(2)),
              orDash(decision.firstTokenMs, formatDuration),
              orDash(decision.latencyMs, formatDuration),
              orDash(decision.tokens, formatNumber),
              orDash(decision.costUsd, formatUsd),
              outcomeWords(decision.outcome),
              shorten(decision.error ?? decision.reason, 70),
            ]),
          ]),
          ...(total > items.length ? [`${total - items.length} more: --json lists all.`] : []),
        ].join('\n'),
  )
}

const answeredBy = ({ selectedModel, student, model, fallback }: RouteDecision): string =>
  selectedModel === 'student' ? student!.name : `${model ?? 'nobody'}${fallback ? ` instead of ${student!.name}` : ''}`

export async function routerOutcome(context: Context, client: Client<Routes>, [id, result, ...rest]: readonly string[]): Promise<void> {
  if (id === undefined || result === undefined || rest.length > 0)
    throw new UsageError('Which decision, and was it right? router outcome ID right|wrong; router decisions shows the ids.')
  if (result !== 'right' && result !== 'wrong') throw new UsageError(`The outcome is right or wrong, not "${result}".`)
  const value = result === 'right' ? 1 : 0
  await client.reportRouteOutcomes({ body: { decisionId: id, successRate: value } })
  const outcome: RouteOutcome = { value, from: 'report' }
  context.out({ decisionId: id, outcome }, () => `Decision ${id}: ${outcomeWords(outcome)}`)
}
