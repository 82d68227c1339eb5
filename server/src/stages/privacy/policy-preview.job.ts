import { SECRET_TYPES, type Finding, type PrivacyReport } from '#contracts/entities/privacy.ts'
import { detect, inTime } from './detector.ts'
import { openGate, type GateInput } from './gate.ts'

export interface PreviewInput {
  text: string
  gate: GateInput
}

/** Applies a policy to a text; runs in a worker, because a scan can take seconds. */
export default function preview({ text, gate: input }: PreviewInput): { findings: Finding[]; after: string; report: PrivacyReport } {
  const gate = openGate(input)
  const after: string = gate.clear(text)
  const { types, customRules, allowed } = input.policy
  const options = {
    types: [...new Set([...types, ...SECRET_TYPES])],
    customRules,
    allowed: new Set(allowed),
    ...(input.names && { names: input.names }),
  }
  const report = gate.report()
  const findings = report.unscanned > 0 ? null : inTime(() => detect(text, options)) // a scan that timed out once would time out again
  return { findings: findings ?? [], after, report }
}
