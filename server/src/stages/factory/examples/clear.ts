import type { ExampleDetail, ToolSchema } from '#contracts/entities/example.ts'
import { openGate, type Cleared, type Gate, type GateInput } from '#server/stages/privacy/index.ts'
import type { BuiltExample, ExamplesOutput } from './types.ts'

export type ClearedExample = Cleared<Omit<ExampleDetail, 'createdAt'>>

/**
 * Examples as an export would hold them: every text through the gate, with what it found by type. Only examples of
 * `wanted` when given, the gate being the slow part.
 */
export function clearExamples({ trace, examples }: ExamplesOutput, input: GateInput, wanted?: string): ClearedExample[] {
  const gate = openGate(input)
  const tools = new Map<ToolSchema[], ToolSchema[]>() // the examples of a session share theirs
  const chosen = wanted === undefined ? examples : examples.filter(({ id }) => id === wanted)
  return chosen.map((example) => {
    if (!tools.has(example.tools)) tools.set(example.tools, gate.clear(example.tools))
    return clearOne(gate, { ...example, tools: [] }, tools.get(example.tools)!, trace.repo)
  })
}

function clearOne(gate: Gate, example: BuiltExample, tools: ToolSchema[], project: string | null): ClearedExample {
  const before = gate.report().findingsByType
  const { messages, original, prompt, stepIds } = example
  const stepOf = (path: readonly (string | number)[]) => (typeof path[1] === 'number' ? (stepIds[path[1]] ?? null) : null)
  const replaced = new Map<string, string>()
  const onReplaced = (type: string, text: string) => void replaced.set(text, type)
  const cleared = gate.clear({ messages, prompt }, { traceId: example.traceId, project, stepOf, onReplaced })
  const findings = difference(gate.report().findingsByType, before)
  const rest = original === null ? null : gate.clear(original, { traceId: example.traceId, project })
  const { sourceHash: _hash, ...shown } = example
  const replacements = [...replaced].map(([text, type]) => ({ type, text }))
  const flags = Object.keys(findings).length > 0 ? [...example.flags, 'findings'].toSorted() : example.flags
  return {
    ...shown,
    ...cleared,
    flags,
    findings,
    tools,
    original: rest,
    replacements,
    parentId: example.parentId ?? null,
    generatedBy: example.generatedBy ?? null,
  }
}

function difference(after: Record<string, number>, before: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([type, count]) => (count > (before[type] ?? 0) ? [[type, count - (before[type] ?? 0)]] : [])),
  )
}
