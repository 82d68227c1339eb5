import { type GateInput, openGate } from '../../privacy/index.ts'

export interface ClearInput {
  texts: readonly (string | null)[]
  gate: GateInput
}

/** Clears texts, each as a record of its own. */
export default function clearAll({ texts, gate: input }: ClearInput): { texts: (string | null)[]; findings: Record<string, number> } {
  const gate = openGate(input)
  return { texts: texts.map((text) => (text === null ? null : gate.clear({ text }).text)), findings: gate.report().findingsByType }
}
