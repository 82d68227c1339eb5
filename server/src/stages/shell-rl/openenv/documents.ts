/** Documents in which the server describes itself. */
export const README = {
  description: 'A shell in a separate sandbox, with checks at the end that decide the reward.',
  text: `# terminal

One tool, \`terminal(command, final_answer)\`. \`reset\` takes \`setup\` and \`verify\` (commands), or the \`task_id\` of a task of this server;
commands run in one shell that stays open; \`final_answer\` ends the episode, and the checks make the reward.`,
}

const text = { type: 'string' }
const metadata = { type: 'object', additionalProperties: true }

export const SCHEMAS = {
  action: {
    title: 'CallToolAction',
    type: 'object',
    properties: {
      type: { const: 'call_tool', default: 'call_tool', type: 'string' },
      tool_name: text,
      arguments: { type: 'object', additionalProperties: true },
      metadata,
    },
    required: ['tool_name'],
  },
  observation: {
    title: 'CallToolObservation',
    type: 'object',
    properties: {
      done: { type: 'boolean' },
      reward: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      metadata,
      tool_name: text,
      result: { anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }] },
      error: { anyOf: [{ type: 'object', properties: { error_type: text, message: text } }, { type: 'null' }] },
    },
    required: ['tool_name'],
  },
  state: {
    title: 'State',
    type: 'object',
    additionalProperties: true,
    properties: { episode_id: { anyOf: [text, { type: 'null' }] }, step_count: { type: 'integer', minimum: 0 } },
  },
} as const

export function openapiOf(routes: readonly { method: string; path: string }[]): object {
  const paths = routes.map(
    ({ method, path }) =>
      [path.replace(':name', '{env_name}'), { [method]: { responses: { 200: { description: 'The answer' } } } }] as const,
  )
  return {
    openapi: '3.1.0',
    info: { title: 'terminal', version: '1.0.0', description: README.description },
    paths: Object.fromEntries(paths),
  }
}
