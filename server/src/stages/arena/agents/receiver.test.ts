import { expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { runAgainst, useServer } from '../testing-use.ts'

const server = useServer(() => ({
  providers: { augmentation: null, nimEndpoint: null, anthropicBaseUrl: 'https://gateway.example', keys: { anthropic: 'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa', nim: null } }, // prettier-ignore
}))

it.skipIf(findBubblewrap() === null)('a plan says who gets the files, and when secrets in them are not replaced', async () => {
  const planned = async (...args: string[]) => {
    const { out } = await runAgainst(server, ['task', 'Mend it.', '--plan', '--json', ...args])
    return (JSON.parse(out) as { privacy: string }).privacy
  }
  const here = ['--base-url', 'http://127.0.0.1:9/v1', '--dialect', 'openai', '--model', 'm']
  const away = ['--base-url', 'https://models.example/v1', '--dialect', 'openai', '--model', 'm']
  expect(await planned()).toMatch(/go to Anthropic \(gateway\.example\) as they are: secrets and personal data in them are not replaced/)
  expect(await planned('--agent', 'shell')).toMatch(/Anthropic \(gateway\.example\)\. Secrets and personal data in them are replaced first/)
  expect(await planned('--agent', 'shell', ...here)).toMatch(/the server at 127\.0\.0\.1:9 on this machine as they are/)
  expect(await planned('--agent', 'shell', ...away)).toMatch(/go to models\.example\. Secrets .* are replaced first/)
  expect(await planned('--agent', 'codex', ...away)).toMatch(/go to models\.example as they are/)
  expect((await runAgainst(server, ['task', 'Mend it.', '--plan'])).out).toContain('Who gets what: The prompt, and what the agent reads')
  expect((await server.client.listTasks({ query: {} })).items).toEqual([])
})
