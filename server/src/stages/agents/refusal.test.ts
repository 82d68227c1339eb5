import { expect, it } from 'vitest'
import { TaskRequest } from '#contracts/entities/task.ts'
import { CODEX, createAgentCli } from '#server/adapters/agent-cli/index.ts'
import { createCodex } from './codex/index.ts'

const codex = createAgentCli(CODEX, { bin: '/none', path: '', userHome: '/' })
const driver = createCodex({ sandboxes: {} as never, codex, now: Date.now }) // nothing is started
const url = { kind: 'url', dialect: 'openai', baseUrl: 'http://127.0.0.1:1/v1' }
const requestWith = (request: object) => TaskRequest.parse({ prompt: 'x', model: 'm', endpoint: url, ...request })

it.each([
  [{}, 'anthropic', 'Responses API'],
  [{ endpoint: { kind: 'model', modelId: 'm' } }, 'openai', 'longer than the context'],
  [{ permissions: 'ask' }, 'openai', 'cannot ask for permission'],
  [{ context: 'mine' }, 'openai', 'without your own instructions'],
  [{ model: undefined }, 'openai', 'needs the name of a model'],
] as const)('refuses a request that the agent cannot do: %o with %s', (request, dialect, message) => {
  expect(driver.refuses!(requestWith({}), 'openai')).toBe(null)
  expect(driver.refuses!(requestWith(request), dialect)?.message).toContain(message)
})
