import type { ToolSchema } from '#contracts/entities/example.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { knownTools, toolsOfClient } from './index.ts'
import type { UsedTools } from './infer.ts'
import type { RecordedRequest } from './recorded.ts'

/** The tools of a conversation: those that were recorded or that its client offers, and those that it used. */
export function offeredTools(
  { agent, clientVersion }: Pick<Trace, 'agent' | 'clientVersion'>,
  recorded: RecordedRequest | null,
  used: UsedTools,
): { tools: ToolSchema[]; inferred: Set<string> } {
  const isClaudeCode = agent === 'claude-code'
  const knownSchemas = isClaudeCode ? knownTools(clientVersion) : new Map<string, ToolSchema>()
  // a tool of which only the name is known can be offered only if it was used
  const recordedNames = [...(recorded?.tools ?? [])].flatMap(([name, schema]) => (schema || knownSchemas.has(name) ? [name] : []))
  const offered = recorded ? recordedNames : isClaudeCode ? toolsOfClient(clientVersion) : []
  const inferred = new Set<string>()
  const tools = [...new Set([...offered, ...used.names()])].toSorted().map((name) => {
    const parameters = recorded?.tools.get(name)
    const description = knownSchemas.get(name)?.function.description ?? 'As recorded by the client.'
    if (parameters) return { type: 'function' as const, function: { name, description, parameters } }
    const schema = knownSchemas.get(name)
    if (schema) return schema
    inferred.add(name)
    return used.schema(name)
  })
  return { tools, inferred }
}
