import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { newFolder } from '#server/testing/folders.ts'
import { KEY, promptOf, startAugmentServer, wording } from './testing-server.ts'

const SECRET = 'ghp_Zq8vN4tY2mK7wR5xL9cB3dF6hJ1sA0pQeUiO'
const EMAIL = 'ada.lovelace@analytical-engines.io'
const PROMPT = `Please fix the failing test for our customer ${EMAIL} and push it with GITHUB_TOKEN=${SECRET} when all of it is green.`

const filesUnder = (folder: string) =>
  fs
    .globSync('**/*', { cwd: folder })
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).isFile())
    .map((file) => fs.readFileSync(file, 'latin1'))
    .join('\n')

it('sends only cleared text, undoes replacements in the answer, and stores no secret', async () => {
  const samples = newFolder()
  fs.cpSync(path.resolve(import.meta.dirname, '../../../../../samples/claude-code/older/2.1.50/fix-test/projects'), samples, {
    recursive: true,
  })
  for (const name of fs.globSync('**/*.jsonl', { cwd: samples })) {
    const file = path.join(samples, name)
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('Please fix the failing test.', PROMPT))
  }
  const stub = await startStub(wording)
  const server = await startAugmentServer(stub.url, { paths: [samples], key: null })
  try {
    const plan = { make: 'variants' as const, source: { ids: server.examples }, variants: 2 }
    await expect(server.client.estimateSynthetic({ body: plan })).rejects.toMatchObject({
      code: 'provider_unavailable',
      message: expect.stringContaining('ANTHROPIC_API_KEY') as string,
    })
    await expect(server.client.generateSynthetic({ body: { ...plan, budgetUsd: 1 } })).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
    expect((await server.client.listProviders()).items[0]).toMatchObject({ id: 'anthropic', ready: false, keyFrom: null })
    expect(await server.client.setProviderKey({ params: { id: 'anthropic' }, body: { key: KEY } })).toMatchObject({
      ready: true,
      missing: null,
      keyFrom: 'file',
    })

    const estimate = await server.client.estimateSynthetic({ body: plan })
    const job = await server.client.generateSynthetic({ body: { ...plan, budgetUsd: 1 } })
    expect(await server.done(job.id)).toMatchObject({ state: 'completed', kept: 2 * server.examples.length })
    const sent = stub.received.map(({ raw }) => raw)
    for (const text of [...sent, ...estimate.samples.map(({ body }) => body)]) {
      expect(text).toContain('failing test')
      expect(text).not.toContain(SECRET)
      expect(text).not.toContain(EMAIL)
      expect(text).not.toContain(KEY)
    }
    const standIn = /[\w.+-]+@[\w.-]+\.\w+/.exec(promptOf(stub.received[0]!))![0]

    const rows = server.app.core.db.prepare<[], { prompt: string }>('SELECT prompt FROM example_variants').all()
    for (const { prompt } of rows) {
      expect(prompt).toContain(EMAIL) // as in its solution; both are cleared together on export
      expect(prompt).not.toContain(standIn)
      expect(prompt).not.toContain(SECRET)
    }
    const { items } = await server.client.listExamples({ query: { flag: 'generated' } })
    const details = await Promise.all(items.map(({ id }) => server.client.getExample({ params: { id } })))
    const runs = await server.client.listSyntheticRuns({ query: {} })
    for (const text of [items, details, runs, await server.client.getSettings(), await server.client.listProviders()].map((value) =>
      JSON.stringify(value),
    ))
      for (const hidden of [SECRET, EMAIL, KEY]) expect(text).not.toContain(hidden)

    const logs = filesUnder(path.join(server.config.dataDir, 'logs'))
    expect(logs.length).toBeGreaterThan(0)
    for (const hidden of [SECRET, EMAIL, KEY]) expect(logs).not.toContain(hidden)
    const keyFile = server.app.core.paths.providerKeys
    expect(fs.statSync(keyFile).mode & 0o777).toBe(0o600)
    const backup = path.join(server.config.dataDir, 'backup.tar')
    const backupJob = await server.client.createBackup({ body: { file: backup } })
    if ('id' in backupJob) await server.app.core.jobs.wait((backupJob as { id: string }).id)
    expect(fs.readFileSync(backup, 'latin1')).not.toContain(KEY)
    expect((await server.client.deleteProviderKey({ params: { id: 'anthropic' } })).keyFrom).toBeNull()
    expect(server.contractViolations).toEqual([])
  } finally {
    await server.close()
    await stub.close()
  }
})
