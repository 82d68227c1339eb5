import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { newFolder } from '#server/testing/folders.ts'
import { runAgainst, useServer } from '#server/testing/use.ts'

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
  expect(await planned()).toMatch(
    /go to Anthropic \(gateway\.example\)\. Secrets that Bash Gym recognises in them are replaced first, personal data is not/,
  )
  expect(await planned('--no-redact')).toMatch(/\(gateway\.example\) as they are: secrets and personal data in them are not replaced/)
  expect(await planned('--agent', 'shell')).toMatch(/Anthropic \(gateway\.example\)\. Secrets and personal data in them are replaced first/)
  expect(await planned('--agent', 'shell', ...here)).toMatch(/the server at 127\.0\.0\.1:9 on this machine as they are/)
  expect(await planned('--agent', 'shell', ...here, '--redact')).toMatch(/on this machine\. Secrets that .* are replaced first/)
  expect(await planned('--agent', 'shell', ...away, '--no-redact')).toMatch(
    /go to models\.example\. Secrets and personal data .* are replaced first/,
  )
  expect(await planned('--agent', 'shell', ...away)).toMatch(/go to models\.example\. Secrets .* are replaced first/)
  expect(await planned('--agent', 'codex', ...away)).toMatch(/go to models\.example\. Secrets .* are replaced first/)
  expect((await runAgainst(server, ['task', 'Mend it.', '--plan'])).out).toContain('Who gets what: The prompt, and what the agent reads')
  expect((await server.client.listTasks({ query: {} })).items).toEqual([])
})

it.skipIf(findBubblewrap() === null)('--plan of a batch and of rollouts says what they would do, and starts nothing', async () => {
  const folder = newFolder()
  const project = path.join(folder, 'project')
  fs.mkdirSync(project)
  const tasks = path.join(folder, 'tasks.jsonl')
  fs.writeFileSync(tasks, ['Mend it.', 'Test it.'].map((prompt) => `${JSON.stringify({ prompt, directory: project, verify: 'true' })}\n`).join('')) // prettier-ignore
  const batch = await runAgainst(server, ['batch', tasks, '--agent', 'shell', '--attempts', '3', '--plan'])
  expect([batch.code, batch.out]).toEqual([0, expect.stringMatching(/^Runs: 6 \(2 tasks, each 3 times\)\nEstimate: none/)])
  for (const line of [
    'Who pays: You, through your',
    'Who gets what: The prompt',
    'Checks: true',
    `Copied: ${fs.realpathSync(project)} (2 tasks)`,
  ])
    expect(batch.out).toContain(line)

  const shellTasks = path.join(folder, 'shell-tasks.jsonl')
  fs.writeFileSync(shellTasks, `${JSON.stringify({ task: 'Make a file.', setup: [], check: 'test -e file', difficulty: 1 })}\n`)
  const asked = ['rollouts', 'run', '--tasks', shellTasks, '--per-task', '4', '--max-turns', '2', '--max-new-tokens', '10', '--plan']
  const rollouts = await runAgainst(server, [...asked, '--provider', 'anthropic'])
  expect([rollouts.code, rollouts.out]).toEqual([
    0,
    expect.stringMatching(/^Episodes: 4 \(1 task\), with at most 80 output tokens\nWho pays: You/),
  ])
  expect(rollouts.out).toMatch(/Who gets what: .*gateway\.example.* replaced first/)
  const refused = await runAgainst(server, [...asked, '--model', 'no-such-model'])
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('It would not start: There is no such model in the registry.')])

  expect((await server.client.listBatches({ query: {} })).items).toEqual([])
  expect((await server.client.listRollouts({ query: {} })).items).toEqual([])
})
