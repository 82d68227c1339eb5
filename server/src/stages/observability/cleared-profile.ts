import type { Profile, Span } from '#contracts/entities/profile.ts'
import { type GateInput, openGate } from '#server/stages/privacy/index.ts'

/** A label is one line; it is cut after it was cleared, since half a secret would not be known as one. */
const LONGEST = 300
const short = <T extends string | null>(text: T): T => (text === null ? text : (text.slice(0, LONGEST) as T))

/** A session's title is often its first prompt, and the wait for the user has the prompt that ended it. */
const hasPrompt = ({ kind, parentId }: Span): boolean => kind === 'wait' || (kind === 'agent' && parentId === null)
export const withoutPrompts = (profile: Profile): Profile => ({
  ...profile,
  title: null,
  spans: profile.spans.map((span) => (hasPrompt(span) ? { ...span, label: null } : span)),
})

/** A profile whose texts passed the privacy policy. Ids, times and figures are not texts. */
export function clearProfile(profile: Profile, gate: GateInput): Profile {
  const { id, title, spans, repo } = profile
  const texts = {
    title,
    labels: spans.map(({ label }) => label),
    names: spans.map(({ name }) => name),
    errors: spans.map(({ error }) => error ?? null),
  }
  const cleared: typeof texts = openGate(gate).clear(texts, { traceId: id, project: repo })
  return {
    ...profile,
    title: short(cleared.title),
    spans: spans.map((span, index) => ({
      ...span,
      label: short(cleared.labels[index]!),
      name: short(cleared.names[index]!),
      ...(span.error !== undefined && { error: short(cleared.errors[index]!) }),
    })),
  }
}
