import type { Profile } from '#contracts/entities/profile.ts'
import { type GateInput, openGate } from '#server/stages/privacy/index.ts'

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
    title: cleared.title,
    spans: spans.map((span, index) => ({
      ...span,
      label: cleared.labels[index]!,
      name: cleared.names[index]!,
      ...(span.error !== undefined && { error: cleared.errors[index]! }),
    })),
  }
}
