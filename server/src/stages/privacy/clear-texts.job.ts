import { type GateInput, type KeyedText, openGate } from './gate.ts'
import type { KnownSecrets } from './known-secrets.ts'
import type { LabelNumbers } from './replace/index.ts'

export interface ClearTextsInput {
  texts: readonly KeyedText[]
  gate: GateInput & { labels: LabelNumbers; known: KnownSecrets }
}

/** Clears texts in a worker. */
export default function clearTexts({ texts, gate }: ClearTextsInput): {
  texts: string[]
  labels: LabelNumbers
  known: KnownSecrets
  unscanned: number
} {
  const opened = openGate(gate)
  return { texts: opened.clearTexts(texts), labels: gate.labels, known: opened.known(), unscanned: opened.report().unscanned }
}
