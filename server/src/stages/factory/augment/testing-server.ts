import { hash } from 'node:crypto'
import path from 'node:path'
import type { AugmentRun } from '#contracts/entities/augment.ts'
import type { Received, Reply } from '#server/adapters/llm/testing-stub.ts'
import { resultOf } from '#server/testing/core.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'

const SAMPLES = path.resolve(import.meta.dirname, '../../../../../samples/claude-code')
export const KEY = 'sk-ant-api03-not-a-real-key-0123456789abcdef'

/** The prompt inside a received request. */
export const promptOf = ({ body }: Received): string => /<request>\n([\s\S]*)\n<\/request>/.exec(body.messages.at(-1)!.content)![1]!
/** Words that depend on the seed, so that no two wordings are similar. */
const soup = (seed: string): string =>
  Array.from({ length: 12 }, (_, index) => hash('sha256', `${seed} ${index}`).replaceAll(/[0-9]/g, '').slice(0, 7)).join(' ')
/** An acceptable variant. */
export const wording = (request: Received, index: number): Reply => ({
  text: `Wording: ${soup(`${request.body.model} ${index}`)}, and with that ${promptOf(request)}`,
})

export interface AugmentServer extends TestServer {
  /** Ids of accepted examples. */
  examples: string[]
  done(jobId: string): Promise<AugmentRun>
}

/** A server that uses the stub at `url` as provider, with accepted examples of the sample sessions. */
export async function startAugmentServer(url: string, options: { paths?: string[]; key?: string | null } = {}): Promise<AugmentServer> {
  const { paths, key = KEY } = options
  const config = testConfig({
    providers: { augmentation: null, nimEndpoint: null, anthropicBaseUrl: null, keys: { anthropic: key, nim: null } },
  })
  const server = await startTestServer({ config })
  const examples = await prepare(server, url, paths)
  return { ...server, examples, done: (id) => resultOf<AugmentRun>(server.app.core, { id }) }
}

/** Imports sessions, accepts their examples, and configures the stub. Returns the ids of the examples. */
export async function prepare(server: TestServer, url: string, paths: string[] = [SAMPLES]): Promise<string[]> {
  const { client } = server
  await client.patchSettings({
    body: {
      providers: {
        anthropic: { baseUrl: url, model: 'claude-haiku-4-5-20251001' },
        openai: { baseUrl: url, model: 'local-model' },
        concurrency: 2,
        requestsPerMinute: 10_000,
      },
    },
  })
  await resultOf(server.app.core, await client.startImport({ body: { paths } }))
  await resultOf(server.app.core, await client.buildExamples({ body: { selection: { filter: {} }, minQuality: 0, unverified: true } }))
  const { items } = await client.listExamples({ query: { limit: 100 } })
  const examples = items.filter(({ flags }) => !flags.includes('carried_prompt')).map(({ id }) => id)
  await client.reviewExamples({ body: { selection: { ids: examples }, state: 'accepted' } })
  return examples
}
