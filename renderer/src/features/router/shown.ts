import type { RouteDecisionFilter } from '#contracts/entities/routing.ts'
import { formatInstant } from '#renderer/ui/format.ts'

/** Which requests are listed, as words of the address. */
export type Shown = RouteDecisionFilter

const BY = ['teacher', 'student', 'fallback'] as const
const BY_WORDS = {
  teacher: 'answered by Claude',
  student: 'answered by your model',
  fallback: 'answered by Claude after your model gave no answer',
}
export const NAMES = ['from', 'to', 'by', 'model', 'tenth'] as const

export function shownIn(search: URLSearchParams): Shown {
  const text = (name: string) => search.get(name) ?? undefined
  const time = (name: string) => (Number.isNaN(Date.parse(text(name) ?? '')) ? undefined : new Date(text(name)!).toISOString())
  const [from, to, by, model] = [time('from'), time('to'), BY.find((one) => one === text('by')), text('model')]
  const tenth = /^\d$/.test(text('tenth') ?? '') ? Number(text('tenth')) : undefined
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(by === undefined ? {} : { by }),
    ...(model === undefined ? {} : { model }),
    ...(tenth === undefined ? {} : { tenth }),
  }
}

export const decisionsHref = (shown: Shown): string =>
  `/router?${new URLSearchParams(Object.entries(shown).map(([name, value]) => [name, String(value)])).toString()}`

/** Empty: all are listed. */
export function shownWords({ from, to, by, model, tenth }: Shown): string {
  return [
    by === undefined ? '' : BY_WORDS[by],
    model === undefined ? '' : `by ${model}`,
    tenth === undefined ? '' : `with a confidence of ${tenth * 10} to ${tenth * 10 + 10} % and a known result`,
    from === undefined ? '' : `from ${formatInstant(from)}`,
    to === undefined ? '' : `to ${formatInstant(to)}`,
  ]
    .filter(Boolean)
    .join(' ')
}
