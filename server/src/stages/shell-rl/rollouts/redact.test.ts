import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { useServer, useStub } from '#server/testing/use.ts'

const TOKEN = 'ghp_Zq8vN4tY2mK7wR5xL9cB3dF6hJ1sA0pQeUiO'
const COMMANDS = ['cat config', 'echo "GITHUB_TOKEN=[API_KEY_1]" > copy; cat copy config', 'exit 0']

describe.skipIf(findBubblewrap() === null)('rollouts with a model on this machine', () => {
  const stub = useStub(({ body }) => ({ text: COMMANDS[body.messages.filter(({ role }) => role === 'assistant').length] ?? 'exit 1' }))
  const server = useServer()
  const task = { task: 'Copy the key.', setup: [`echo "GITHUB_TOKEN=${TOKEN}" > config`], check: 'true', difficulty: 1 }
  const ended = async (more: object) => {
    const before = stub.received.length
    const endpoint = { kind: 'url', dialect: 'openai', baseUrl: `${stub.url}/v1`, model: 'm' } as const
    const { id } = await server.client.createRollouts({ body: { tasks: [task], endpoint, rolloutsPerTask: 1, ...more } })
    const get = () => server.client.getRollouts({ params: { id }, query: {} })
    await expect.poll(async () => (await get()).state, { timeout: 120_000 }).toBe('done')
    return { set: await get(), sent: stub.received.slice(before).map(({ raw }) => raw) }
  }

  it('send no secret if they are asked to, with the same placeholder in every turn', async () => {
    const { set, sent } = await ended({ redact: true })
    expect(sent).toHaveLength(3)
    for (const raw of sent) expect(raw).not.toContain(TOKEN)
    expect(sent[2]!.match(/GITHUB_TOKEN=\[API_KEY_\d+\]/g)).toEqual(Array.from({ length: 4 }, () => 'GITHUB_TOKEN=[API_KEY_1]'))
    expect([set.settings.redact, set.redacted]).toEqual([true, { api_key: 1 }])
  })

  it('send everything as it is by default', async () => {
    const { set, sent } = await ended({})
    expect(sent[1]).toContain(TOKEN)
    expect([set.settings.redact, set.redacted]).toEqual([false, {}])
  })
})
