import type { ExampleDetail, ToolSchema } from '#contracts/entities/example.ts'
import { openGate, type Cleared, type Gate, type GateInput } from '#server/stages/privacy/index.ts'
import type { BuiltExample, ExamplesOutput } from './types.ts'

export type ClearedExample = Cleared<Omit<ExampleDetail, 'createdAt'>>

/**
 * Passes examples through the gate, and counts the findings by type. With `onlyId` it clears only that example, because the
 * gate is slow.
 */
export function clearExamples({ trace, examples }: ExamplesOutput, input: GateInput, onlyId?: string): ClearedExample[] {
  const gate = openGate(input)
  const tools = new Map<ToolSchema[], ToolSchema[]>() // the examples of a session share one list of tools
  const selected = onlyId === undefined ? examples : examples.filter(({ id }) => id === onlyId)
  return selected.map((example) => {
    if (!tools.has(example.tools)) tools.set(example.tools, gate.clear(example.tools))
    return clearOne(gate, { ...example, tools: [] }, tools.get(example.tools)!, trace.repo)
  })
}

function clearOne(gate: Gate, example: BuiltExample, tools: ToolSchema[], project: string | null): ClearedExample {
  const countsBefore = gate.report().findingsByType
  const { messages, original, prompt, stepIds } = example
  const stepOf = (path: readonly (string | number)[]) => (typeof path[1] === 'number' ? (stepIds[path[1]] ?? null) : null)
  const replaced = new Map<string, string>()
  const onReplaced = (type: string, text: string) => void replaced.set(text, type)
  const cleared = gate.clear({ messages, prompt }, { traceId: example.traceId, project, stepOf, onReplaced })
  const findings = difference(gate.report().findingsByType, countsBefore)
  const clearedOriginal = original === null ? null : gate.clear(original, { traceId: example.traceId, project })
  const { sourceHash: _hash, ...withoutHash } = example
  const replacements = [...replaced].map(([text, type]) => ({ type, text }))
  const flags = Object.keys(findings).length > 0 ? [...example.flags, 'findings'].toSorted() : example.flags
  return {
    ...withoutHash,
    ...cleared,
    flags,
    findings,
    tools,
    original: clearedOriginal,
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
