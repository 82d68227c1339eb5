import type { ReportedCost } from '#contracts/entities/profile.ts'
import type { ReportedRequest } from '#server/spans/index.ts'
import type { SessionTiming, TimingResponse } from '#server/stages/traces/index.ts'
import type { CostOf } from './spans.ts'

/**
 * What Claude Code reported for the requests of a session, beside ours for the same ones. They are joined by request id: the key of a
 * stored response is a hash of both ids of the API. Null if it reported no cost.
 */
export function compareCosts(
  { entries, responses, messageOf, keyOf }: Pick<SessionTiming, 'entries' | 'responses' | 'messageOf' | 'keyOf'>,
  requests: readonly ReportedRequest[],
  costOf: CostOf,
): { total: ReportedCost; bySpan: Map<string, number> } | null {
  const priced = requests.flatMap((one) => (one.costUsd === null ? [] : [{ ...one, costUsd: one.costUsd }]))
  if (priced.length === 0) return null
  const messages = new Map(entries.flatMap(({ messageId }) => (messageId === null ? [] : [[messageOf(messageId), messageId] as const])))
  const groupOf = ({ input, output }: Pick<TimingResponse, 'input' | 'output'>) => `${input} ${output}`
  const open = Map.groupBy(responses, groupOf)
  const bySpan = new Map<string, number>()
  const total: ReportedCost = { requests: 0, missing: 0, costUsd: 0, ownUsd: 0 }
  for (const request of priced) {
    const sameFigures = open.get(groupOf(request)) ?? []
    const index = sameFigures.findIndex(({ message, key }) => {
      const id = message === null ? undefined : messages.get(message)
      return id !== undefined && keyOf(id, request.requestId) === key
    })
    const [response] = index === -1 ? [] : sameFigures.splice(index, 1)
    if (!response) {
      total.missing += 1
      continue
    }
    const own = costOf(response)
    total.requests += 1
    total.costUsd += request.costUsd
    total.ownUsd = own === null || total.ownUsd === null ? null : total.ownUsd + own
    bySpan.set(`llm:${messages.get(response.message!)!}`, request.costUsd)
  }
  return { total, bySpan }
}
