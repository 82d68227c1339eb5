import type { ToolSchema } from '#contracts/entities/example.ts'

/** What the calls of one tool have shown of its arguments. */
interface Seen {
  calls: number
  properties: Map<string, { calls: number; types: Set<string> }>
}

/** Gathers calls of tools whose schema nobody recorded: MCP servers, other agents. */
export class SeenTools {
  private readonly tools = new Map<string, Seen>()

  add(tool: string, input: Readonly<Record<string, unknown>>): void {
    const seen = this.tools.get(tool) ?? { calls: 0, properties: new Map<string, { calls: number; types: Set<string> }>() }
    this.tools.set(tool, seen)
    seen.calls += 1
    for (const [name, value] of Object.entries(input)) {
      const property = seen.properties.get(name) ?? { calls: 0, types: new Set<string>() }
      seen.properties.set(name, property)
      property.calls += 1
      property.types.add(typeOf(value))
    }
  }

  names(): string[] {
    return [...this.tools.keys()].toSorted()
  }

  /** A property is required when every call had it. */
  schema(tool: string): ToolSchema {
    const { calls, properties } = this.tools.get(tool)!
    const named = [...properties].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const required = named.flatMap(([name, property]) => (property.calls === calls ? [name] : []))
    return {
      type: 'function',
      function: {
        name: tool,
        description: `Arguments inferred from ${calls} recorded ${calls === 1 ? 'call' : 'calls'}.`,
        parameters: {
          type: 'object',
          properties: Object.fromEntries(named.map(([name, { types }]) => [name, typed([...types].toSorted())])),
          ...(required.length > 0 && { required }),
        },
      },
    }
  }
}

const typed = (types: readonly string[]) => (types.length === 1 ? { type: types[0] } : { type: types })

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
