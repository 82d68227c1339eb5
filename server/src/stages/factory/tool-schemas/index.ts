import { lookup } from '#contracts/lookup.ts'
import type { ToolSchema } from '#contracts/entities/example.ts'
import v1 from './claude-code-1.0.128.json' with { type: 'json' }
import v21 from './claude-code-2.1.50.json' with { type: 'json' }
import v21late from './claude-code-2.1.329.json' with { type: 'json' }

type Schema = Record<string, unknown>
interface KnownTool {
  name: string
  description: string
  parameters: Schema
}

/**
 * Structure recorded from requests of the real client, with descriptions of our own; oldest first. A tool given only by name is
 * the same as in the previous recording; `onDemand`: known to the model by name only, until it looks for them.
 */
const RECORDINGS: readonly { client: string; onDemand?: readonly string[]; tools: readonly (KnownTool | string)[] }[] = [v1, v21, v21late]
const RECORDED: { client: string; onDemand: readonly string[]; tools: KnownTool[] }[] = []
for (const { client, onDemand = [], tools } of RECORDINGS) {
  const previous = new Map(RECORDED.at(-1)?.tools.map((tool) => [tool.name, tool]))
  RECORDED.push({ client, onDemand, tools: tools.map((tool) => (typeof tool === 'string' ? previous.get(tool)! : tool)) })
}

/** Schemas of the newest recorded client that is not newer than `version` (null: the newest; too old: the oldest). */
export function knownTools(version: string | null): ReadonlyMap<string, ToolSchema> {
  const recording = recordedFor(version)
  // Optional tools may be missing in this recording, so the other recordings complete it.
  const otherRecordings = RECORDED.filter((one) => one !== recording)
  return new Map([...otherRecordings, recording].flatMap(({ tools }) => tools.map((tool) => [tool.name, toSchema(tool)])))
}

const recordedFor = (version: string | null) =>
  version === null ? RECORDED.at(-1)! : (RECORDED.findLast(({ client }) => compareVersions(client, version) <= 0) ?? RECORDED[0]!)

/** Names of the tools that the client offers by default, without those that its model has to look for first. */
export function toolsOfClient(version: string | null): string[] {
  const { tools, onDemand } = recordedFor(version)
  return tools.flatMap(({ name }) => (onDemand.includes(name) ? [] : name))
}

const toSchema = ({ name, description, parameters }: KnownTool): ToolSchema => ({
  type: 'function',
  function: { name, description, parameters },
})

export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((one) => one.split('.').map((part) => Number.parseInt(part, 10) || 0))
  for (let index = 0; index < 3; index += 1) {
    const difference = (left![index] ?? 0) - (right![index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Structural keys of a schema. Descriptions are dropped, because they are long and belong to the vendor. */
const STRUCTURE = new Set(['type', 'enum', 'const', 'required', 'items', 'anyOf', 'oneOf', 'allOf', 'propertyNames', '$ref'])

export function structureOf(schema: unknown): Schema {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return {}
  const result: Schema = lookup()
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' || key === '$defs') {
      result[key] = Object.fromEntries(Object.entries((value ?? {}) as Schema).map(([name, inner]) => [name, structureOf(inner)]))
    } else if (key === 'additionalProperties' && typeof value === 'object') result[key] = structureOf(value)
    else if (STRUCTURE.has(key)) result[key] = structureValue(key, value)
  }
  return result
}

const structureValue = (key: string, value: unknown): unknown =>
  key === 'items' || key === 'propertyNames'
    ? structureOf(value)
    : Array.isArray(value) && key.endsWith('Of')
      ? value.map(structureOf)
      : value
