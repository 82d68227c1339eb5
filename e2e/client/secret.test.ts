import fs from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import type { DatasetBuilt } from '#contracts/entities/dataset.ts'
import { resultOf } from '#server/testing/core.ts'
import { testConfig, startTestServer } from '#server/testing/server.ts'
import { scenarios, startStub } from './driver/index.mjs'
import { aUser, clientOrSkip } from './installed.ts'

const client = await clientOrSkip('2.1.329')

/** Made-up, well-formed values, split so that no secret scanner reports this file. */
const PLANTED = {
  token: ['ghp_', 'Zk3VqT8mWx1Rb6Ny0Lc5Hd2Ps7Jf4Ua9Ge3Q'].join(''),
  password: ['correct-', 'Horse7!battery'].join(''),
  email: ['hedwig.amsel', 'kranichfeld-werke.de'].join('@'),
  card: ['4539 1488', '0343 6467'].join(' '),
}
const PRINT = `echo 'GITHUB_TOKEN=${PLANTED.token}'; echo 'password: ${PLANTED.password}'; echo 'Owner: ${PLANTED.email}, card ${PLANTED.card}'`

it.skipIf(client.skip !== false)(
  'finds secrets that a session printed, and keeps them out of data sets, exports, responses, messages and logs',
  async () => {
    const bin = client.skip === false ? client.bin : ''
    const user = aUser(bin)
    const stub = await startStub({
      scenarios: {
        ...scenarios,
        planted: {
          about: 'a command prints planted secrets, and the answer repeats one',
          prompt: 'Show the settings.',
          steps: [
            [{ type: 'tool_use', name: 'Bash', input: { command: PRINT, description: 'Show the settings' } }],
            [{ type: 'text', text: `The owner is ${PLANTED.email}.` }],
          ],
        },
      },
    })
    const config = { ...testConfig(), dataDir: user.dataDir, claudeDir: user.claudeDir, userHome: user.userHome, claudeBin: bin }
    const server = await startTestServer({ config })
    const messages: unknown[] = []
    server.app.core.events.subscribe((message) => messages.push(message))
    const result = <T>(job: { id: string }) => resultOf<T>(server.app.core, job)
    try {
      await server.client.installHooks({ body: {} })
      const { sessionId } = await user.run({ scenario: 'planted', prompt: 'Show the settings.', stub })
      const trace = await vi.waitUntil(
        async () =>
          (await server.client.listTraces({ query: {} })).items.find((one) => one.sessionId === sessionId && one.state === 'ended'),
        { timeout: 30_000 },
      )
      const steps = await server.client.listSteps({ params: { id: trace.id }, query: {} })
      expect(steps.items[0]?.output, 'the session itself stays as it was').toContain(PLANTED.token)

      await result(await server.client.startPrivacyScan({ body: {} }))
      const findings = await server.client.listFindings({ query: { limit: 100 } })
      const types = new Set(findings.items.map(({ type }) => type))
      expect([...types]).toEqual(expect.arrayContaining(['api_key', 'password', 'email', 'credit_card']))

      const ids = [trace.id]
      await result(await server.client.buildExamples({ body: { selection: { ids } } }))
      const examples = await server.client.listExamples({ query: {} })
      const example = await server.client.getExample({ params: { id: examples.items[0]!.id } })
      expect(JSON.stringify(example)).toContain('[API_KEY_1]')
      const built = await result<DatasetBuilt>(await server.client.buildDataset({ body: { kind: 'sft', traceIds: ids, minQuality: 0 } }))
      const rows = await server.client.listDatasetRows({ params: { id: built.id }, query: {} })
      const dataset = await server.client.getDataset({ params: { id: built.id } })
      expect(dataset.privacy?.survivors?.findings).toBe(0)
      expect(built.counts.train).toBe(1)

      const exported: string[] = []
      for (const format of ['nemo', 'openai', 'trl', 'sharegpt', 'alpaca', 'parquet', 'hf'] as const) {
        const { files } = await server.client.exportDataset({ params: { id: built.id }, body: { format } })
        exported.push(...files.map((file) => file.path))
      }
      const answers = { findings, examples, example, rows, dataset, built, messages }
      const places: Record<string, Buffer> = { answers: Buffer.from(JSON.stringify(answers)) }
      for (const file of [...exported, ...filesIn(path.join(user.dataDir, 'datasets')), ...filesIn(path.join(user.dataDir, 'logs'))])
        places[file] = fs.readFileSync(file)
      places['bashgym.db'] = fs.readFileSync(path.join(user.dataDir, 'bashgym.db'))
      for (const [place, bytes] of Object.entries(places))
        for (const [name, value] of Object.entries(PLANTED)) expect(bytes.includes(value), `${name} in ${place}`).toBe(false)
      expect(Object.keys(places).length).toBeGreaterThan(12)
      expect(server.contractViolations).toEqual([])
    } finally {
      await server.close()
      await stub.close()
      user.remove()
    }
  },
)

const filesIn = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []))
