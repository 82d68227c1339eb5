import type { ToolSchema } from '#contracts/entities/example.ts'

/** Arguments in the calls of one tool. */
interface ToolUse {
  calls: number
  properties: Map<string, { calls: number; types: Set<string> }>
}

/** Infers schemas of tools without a recorded one (MCP servers, other agents) from their calls. */
export class UsedTools {
  private readonly tools = new Map<string, ToolUse>()

  add(tool: string, input: Readonly<Record<string, unknown>>): void {
    const use = this.tools.get(tool) ?? { calls: 0, properties: new Map<string, { calls: number; types: Set<string> }>() }
    this.tools.set(tool, use)
    use.calls += 1
    for (const [name, value] of Object.entries(input)) {
      const property = use.properties.get(name) ?? { calls: 0, types: new Set<string>() }
      use.properties.set(name, property)
      property.calls += 1
      property.types.add(typeOf(value))
    }
  }

  names(): string[] {
    return [...this.tools.keys()].toSorted()
  }

  /** A property is required if every call has it. */
  schema(tool: string): ToolSchema {
    const { calls, properties } = this.tools.get(tool)!
    const sortedProperties = [...properties].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const required = sortedProperties.flatMap(([name, property]) => (property.calls === calls ? [name] : []))
    return {
      type: 'function',
      function: {
        name: tool,
        description: `Arguments inferred from ${calls} recorded ${calls === 1 ? 'call' : 'calls'}.`,
        parameters: {
          type: 'object',
          properties: Object.fromEntries(sortedProperties.map(([name, { types }]) => [name, typeSchema([...types].toSorted())])),
          ...(required.length > 0 && { required }),
        },
      },
    }
  }
}

const typeSchema = (types: readonly string[]) => (types.length === 1 ? { type: types[0] } : { type: types })

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}
