import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Confirmation } from '#contracts/entities/confirmation.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { overHttp } from '#server/cli/connect.ts'
import { endOf } from './testing-end.ts'
import { makeRepository } from './testing-repository.ts'
import { refusalOf, useServer, useStub } from '#server/testing/use.ts'

describe.skipIf(findBubblewrap() === null)('a stored run', () => {
  const server = useServer()
  let answer: { text: string } | Promise<{ text: string }> = { text: 'exit 0' }
  const stub = useStub(({ body }) => {
    const answers = body.messages.filter(({ role }) => role === 'assistant').length
    return answers === 0 ? { text: 'echo stolen > made.txt' } : answer
  })
  const browser = async () => {
    const { url } = await server.client.createSignInLink()
    const { key } = await server.client.openSession({ body: { secret: new URL(url).hash.replace('#secret=', '') } })
    return overHttp(server.url, key).client
  }
  const userHome = (...names: string[]) => path.join(server.config.userHome, ...names)
  const repositoryIn = (folder: string) => {
    fs.mkdirSync(folder, { recursive: true })
    return makeRepository(folder, { 'a.txt': 'a\n' })
  }
  const request = (directory: string) => ({
    prompt: 'Make a file.',
    agent: 'shell' as const,
    model: 'some',
    endpoint: { kind: 'url' as const, dialect: 'openai' as const, baseUrl: stub.url },
    directory,
  })
  const run = async (directory: string, client = server.client) =>
    endOf(server.client, await client.createTask({ body: request(directory) }))

  it('that the command line started on a hidden folder is driven by a browser only after a confirmation', async () => {
    const hidden = repositoryIn(userHome('.config'))
    const task = await run(hidden)
    const client = await browser()
    const params = { id: task.id }
    const calls = [
      () => client.messageTask({ params, body: { text: 'Print the keys.' } }),
      () => client.answerTask({ params, body: { questionId: 'x', value: 'yes' } }),
      () => client.handBackTask({ params, body: { how: 'apply' } }),
    ]
    for (const call of calls) expect((await refusalOf(call())).code).toBe('confirmation_required')
    expect(fs.existsSync(path.join(hidden, 'made.txt'))).toBe(false)

    const { details } = await refusalOf(client.handBackTask({ params, body: { how: 'apply' } }))
    const { confirmation } = details as { confirmation: Confirmation }
    expect(confirmation.changes).toEqual([{ what: 'Write the change of an agent into a folder', from: null, to: hidden }])
    await server.client.confirmChange({ params: { id: confirmation.id } })
    await client.handBackTask({ params, body: { how: 'apply' } })
    expect(fs.readFileSync(path.join(hidden, 'made.txt'), 'utf8')).toBe('stolen\n')
    expect((await refusalOf(client.undoHandBack({ params }))).code).toBe('confirmation_required')
    await server.client.undoHandBack({ params })
    expect(fs.existsSync(path.join(hidden, 'made.txt'))).toBe(false)
  }, 120_000)

  it('writes nothing where a link leads that took the place of its folder, whoever asks', async () => {
    const [project, keys] = [repositoryIn(userHome('work')), userHome('.ssh')]
    fs.mkdirSync(keys)
    const client = await browser()
    const task = await run(project, client)
    fs.renameSync(project, `${project}-moved`)
    fs.symlinkSync(keys, project)
    const params = { id: task.id }
    expect((await refusalOf(client.handBackTask({ params, body: { how: 'apply' } }))).code).toBe('confirmation_required')
    expect((await refusalOf(server.client.handBackTask({ params, body: { how: 'apply' } }))).code).toBe('path_refused')
    expect((await refusalOf(client.createTask({ body: request(project) }))).code).toBe('confirmation_required')
    expect(fs.readdirSync(keys)).toEqual([])
  }, 120_000)

  it('that waited copies nothing from where a link leads that took the place of its folder', async () => {
    await server.client.patchSettings({ body: { arena: { running: 1 } } })
    const [project, keys] = [repositoryIn(userHome('work')), userHome('.gnupg')]
    fs.mkdirSync(keys)
    fs.writeFileSync(path.join(keys, 'secret'), 'a key')
    const { promise, resolve } = Promise.withResolvers<{ text: string }>()
    answer = promise
    const client = await browser()
    const first = await client.createTask({ body: request(repositoryIn(userHome('work'))) })
    const second = await client.createTask({ body: request(project) })
    expect(second.state).toBe('queued')
    fs.renameSync(project, `${project}-moved`)
    fs.symlinkSync(keys, project)
    resolve({ text: 'exit 0' })
    answer = { text: 'exit 0' }
    await endOf(server.client, first)
    const ended = await endOf(server.client, second)
    expect(ended).toMatchObject({ state: 'failed', change: null })
    expect(ended.error?.message).toContain('was replaced: a link now leads to')
  }, 120_000)

  it('that reads a whole repository is asked for if that is the home folder', async () => {
    const project = userHome('dots', 'inner')
    fs.mkdirSync(project, { recursive: true })
    fs.mkdirSync(userHome('.git'))
    expect((await refusalOf((await browser()).planTask({ body: request(project) }))).code).toBe('confirmation_required')
    fs.rmSync(userHome('.git'), { recursive: true })
  })
})
