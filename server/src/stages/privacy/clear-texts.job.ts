import { type GateInput, type KeyedText, openGate } from './gate.ts'
import type { LabelNumbers } from './replace/index.ts'

export interface ClearTextsInput {
  texts: readonly KeyedText[]
  gate: GateInput & { labels: LabelNumbers }
}

/** Clears texts in a worker. */
export default function clearTexts({ texts, gate }: ClearTextsInput): { texts: string[]; labels: LabelNumbers; unscanned: number } {
  const opened = openGate(gate)
  return { texts: opened.clearTexts(texts), labels: gate.labels, unscanned: opened.report().unscanned }
}
