import type { Saved, Savings } from '#contracts/entities/savings.ts'
import { plural } from '#contracts/plural.ts'
import { KEPT_WORDS, SAVINGS_KIND_WORDS } from '#contracts/savings-words.ts'
import { formatDuration, formatNumber, formatPercent, formatUsd, orDash, shorten, table } from '../format.ts'

const SHOWN = 20

/** Below zero, it would have taken more. */
const signed = (format: (value: number) => string) => (value: number) => (value < 0 ? `-${format(-value)}` : format(value))
const FORMS = {
  usd: signed(formatUsd),
  tokens: signed((value: number) => formatNumber(Math.round(value))),
  ms: signed(formatDuration),
}
const range = (saved: Saved | null, form: keyof typeof FORMS): string =>
  orDash(saved, ({ value, low, high }) => `${FORMS[form](value)} (${FORMS[form](low)} to ${FORMS[form](high)})`)

const timeWords = ({ value, low, high }: Saved): string => {
  const [one, other] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b).map((ms) => formatDuration(ms))
  const span = one === other || low < 0 !== high < 0 ? '' : ` (${one} to ${other})`
  return `would have taken ${formatDuration(Math.abs(value))}${span} ${value < 0 ? 'longer' : 'less'}`
}

export function savingsLines({ proof, note, sums, items, total }: Savings): string {
  if (!proof || !sums) return note
  const { share, passed, items: asked, sessions, name } = proof
  return [
    `${name}: ${passed} of ${asked} right in ${plural(sessions, 'session')}, ${formatPercent(share.low)} to ${formatPercent(share.high)} with 95 % confidence.`,
    `It may have taken ${plural(sums.conversations, 'conversation')} with ${plural(sums.steps, 'step')} in ${sums.withSteps} of ${plural(sums.sessions, 'session')}.`,
    `That would have saved ${range(sums.usd, 'usd')} of ${orDash(sums.costUsd, formatUsd)}, and ${range(sums.tokens, 'tokens')} tokens.`,
    `Time: ${sums.ms === null ? 'not measured' : timeWords(sums.ms)}.`,
    ...(sums.unpriced > 0 ? [`${plural(sums.unpriced, 'conversation')} with an unknown cost left out.`] : []),
    ...sums.byKind.map(
      ({ kind, conversations, steps, usd }) =>
        `  ${SAVINGS_KIND_WORDS[kind]}: ${conversations}, ${plural(steps, 'step')}, would have saved ${range(usd, 'usd')}`,
    ),
    ...sums.kept.map(({ reason, conversations }) => `  with Claude all the same: ${conversations} ${KEPT_WORDS[reason]}`),
    note,
    ...(items.length === 0
      ? []
      : [
          '',
          table([
            ['session', 'cost', 'would have saved', 'steps', 'title'],
            ...items.map(({ traceId, costUsd, usd, steps, title }) => [
              traceId,
              orDash(costUsd, formatUsd),
              range(usd, 'usd'),
              String(steps),
              shorten(title ?? '', 50),
            ]),
          ]),
          ...(total > items.length ? [`${total - items.length} more: --json lists all.`] : []),
        ]),
  ].join('\n')
}

/** The first page, or all of it for a program. */
export async function allSavings(
  read: (query: { limit: number; cursor?: string }) => Promise<Savings>,
  isWhole: boolean,
): Promise<Savings> {
  const first = await read({ limit: isWhole ? 100 : SHOWN })
  if (!isWhole) return first
  const items = [...first.items]
  let cursor = first.nextCursor
  while (cursor !== null) {
    const page = await read({ limit: 100, cursor })
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return { ...first, items, nextCursor: null }
}
