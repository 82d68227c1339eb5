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
 * Recorded from requests of the real client; names, types, required fields and choices are its, the sentences are ours. Oldest
 * first. A tool that has only its name is as in the recording before.
 */
const RECORDINGS: readonly { client: string; tools: readonly (KnownTool | string)[] }[] = [v1, v21, v21late]
const RECORDED: { client: string; tools: KnownTool[] }[] = []
for (const { client, tools } of RECORDINGS) {
  const before = new Map(RECORDED.at(-1)?.tools.map((tool) => [tool.name, tool]))
  RECORDED.push({ client, tools: tools.map((tool) => (typeof tool === 'string' ? before.get(tool)! : tool)) })
}

/** Schemas of the newest recorded client that is not newer than `version`; of the oldest for older ones, of the newest where it is unknown. */
export function knownTools(version: string | null): ReadonlyMap<string, ToolSchema> {
  const fitting = recordedFor(version)
  // A tool that this client has and the recorded one has not (optional tools): as the nearest other client knows it.
  const others = RECORDED.filter((one) => one !== fitting)
  return new Map([...others, fitting].flatMap(({ tools }) => tools.map((tool) => [tool.name, toSchema(tool)])))
}

const recordedFor = (version: string | null) =>
  version === null ? RECORDED.at(-1)! : (RECORDED.findLast(({ client }) => compareVersions(client, version) <= 0) ?? RECORDED[0]!)

/** Names of the tools that such a client offers its model by itself. */
export const toolsOfClient = (version: string | null): string[] => recordedFor(version).tools.map(({ name }) => name)

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

/** What a schema says of structure; its prose is left out, which is the vendor's and many times as long. */
const STRUCTURE = new Set(['type', 'enum', 'const', 'required', 'items', 'anyOf', 'oneOf', 'allOf', 'propertyNames', '$ref'])

export function structureOf(schema: unknown): Schema {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return {}
  const kept: Schema = lookup()
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties' || key === '$defs') {
      kept[key] = Object.fromEntries(Object.entries((value ?? {}) as Schema).map(([name, inner]) => [name, structureOf(inner)]))
    } else if (key === 'additionalProperties' && typeof value === 'object') kept[key] = structureOf(value)
    else if (STRUCTURE.has(key)) kept[key] = structureValue(key, value)
  }
  return kept
}

const structureValue = (key: string, value: unknown): unknown =>
  key === 'items' || key === 'propertyNames'
    ? structureOf(value)
    : Array.isArray(value) && key.endsWith('Of')
      ? value.map(structureOf)
      : value
