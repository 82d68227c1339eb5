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

const SIMULATION = [
  ['/reset', 'post'],
  ['/step', 'post'],
  ['/state', 'get'],
] as const
const ALWAYS = [
  ['/health', 'get'],
  ['/metadata', 'get'],
  ['/schema', 'get'],
  ['/mcp', 'post'],
  ['/list_environments', 'get'],
  ['/{env_name}/splits', 'get'],
  ['/{env_name}/tasks', 'post'],
  ['/{env_name}/num_tasks', 'post'],
  ['/{env_name}/task', 'post'],
  ['/{env_name}/task_range', 'post'],
] as const

export function openapiOf(mode: 'simulation' | 'production'): object {
  const routes = [...(mode === 'simulation' ? SIMULATION : []), ...ALWAYS]
  return {
    openapi: '3.1.0',
    info: { title: 'terminal', version: '1.0.0', description: README.description },
    paths: Object.fromEntries(routes.map(([path, method]) => [path, { [method]: { responses: { 200: { description: 'The answer' } } } }])),
  }
}
