import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { useFolder } from '#server/testing/folders.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { CHATML, writeTokenizer } from './testing-tokenizer.ts'

const SECRET = 'a secret outside'
const base = useFolder()
const hubCache = path.join(base, 'hub')
const ROW: { messages: ChatMessage[] } = { messages: [{ role: 'user', content: 'a' }, { role: 'assistant', content: 'b' }] } // prettier-ignore
let server: TestServer
beforeAll(async () => {
  fs.writeFileSync(path.join(base, 'secret'), SECRET)
  server = await startTestServer({ config: testConfig({ hubCache }) })
})
afterAll(() => server.close())

/** A model in the cache of the Hub's libraries, whose files are links to `blobs`, as they always are there. */
function model(name: string): string {
  const repo = path.join(hubCache, `models--evil--${name}`)
  const [blobs, snapshot] = [path.join(repo, 'blobs'), path.join(repo, 'snapshots', 'abc')]
  writeTokenizer(blobs, { chat_template: CHATML, eos_token: '<|im_end|>' })
  fs.writeFileSync(path.join(blobs, 'config.json'), '{"architectures":["LlamaForCausalLM"]}')
  fs.writeFileSync(path.join(blobs, 'README.md'), '---\nlicense: mit\n---\n')
  fs.writeFileSync(path.join(blobs, 'model.safetensors'), '')
  fs.mkdirSync(snapshot, { recursive: true })
  for (const file of fs.readdirSync(blobs)) fs.symlinkSync(`../../blobs/${file}`, path.join(snapshot, file))
  return snapshot
}

type Attack = (place: string) => void
const ATTACKS: Record<string, Attack> = {
  'a link out': (place) => fs.symlinkSync(path.join(base, 'secret'), place),
  'a FIFO': (place) => execFileSync('mkfifo', [place]),
  'a huge file': (place) => fs.closeSync(fs.openSync(place, 'w')) ?? fs.truncateSync(place, 20 * 1024 ** 3),
  'a link to a device': (place) => fs.symlinkSync('/dev/zero', place),
}
const FILES = ['tokenizer.json', 'tokenizer_config.json', 'chat_template.jinja', 'config.json', 'README.md', 'model.safetensors']

it('reads a model as the libraries of the Hub store it', async () => {
  const tokenizer = model('good')
  const { items } = await server.client.listBaseModels({ query: { q: 'evil/good' } })
  expect(items).toMatchObject([{ license: 'mit', architecture: 'LlamaForCausalLM', hasTemplate: true }])
  expect(await server.client.previewRow({ body: { tokenizer, row: ROW } })).toMatchObject({ exact: true, refused: null })
})

it.each(FILES.flatMap((file) => Object.keys(ATTACKS).map((attack) => [file, attack] as const)))(
  'reads nothing outside a model and waits for nothing if its %s is %s',
  async (file, attack) => {
    const name = `${file}-${attack}`.replaceAll(/[^a-z]/g, '')
    const tokenizer = model(name)
    fs.rmSync(path.join(tokenizer, file), { force: true })
    ATTACKS[attack]!(path.join(tokenizer, file))
    const answers = await Promise.all([
      server.client.listBaseModels({ query: { q: `evil/${name}` } }),
      server.client.listTokenizers({}),
      server.client.previewRow({ body: { tokenizer, row: ROW } }).catch((error: unknown) => String(error)),
      server.client.getHealth({}),
    ])
    expect(answers[0].items).toHaveLength(1)
    expect(JSON.stringify(answers)).not.toContain('secret outside')
    fs.rmSync(path.join(hubCache, `models--evil--${name}`), { recursive: true })
  },
)
