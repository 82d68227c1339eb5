import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { STAYS_INSIDE, VOUCHED, WAYS_OUT } from './ways-out.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const STAGES = 'server/src/stages'
/** Stages that need not pass the gate. Everything that other stages and adapters write or send must pass it. */
const EXEMPT_STAGES = new Set(['capture', 'traces', 'scoring', 'privacy'])

const sources = (folder: string): string[] =>
  (fs.readdirSync(path.join(root, folder), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts') && !/(\.test|testing[\w-]*)\.ts$|fixtures/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const checkedFiles = [
  ...fs
    .readdirSync(path.join(root, STAGES), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !EXEMPT_STAGES.has(entry.name))
    .flatMap(({ name }) => sources(path.posix.join(STAGES, name))),
  ...sources('server/src/adapters'),
]

/** Code that writes a file or uses the network. */
const WRITES_OR_SENDS =
  /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|writeSync|createWriteStream|copyFile|copyFileSync|writeFileAtomic|createLineFile|writeNewFile)\b|from '(?:write-file-atomic|undici|node:https?|node:net|openai|@anthropic-ai\/sdk|hyparquet-writer)'|\b(?:fetch|httpRequest)\(/

it('every module that writes files or uses the network is listed', () => {
  const listed = new Set([...WAYS_OUT, ...STAYS_INSIDE].map(({ module }) => module))
  expect(checkedFiles.filter((file) => WRITES_OR_SENDS.test(read(file)) && !listed.has(file))).toEqual([])
})

it('every listed module accepts only cleared values', () => {
  expect(
    WAYS_OUT.filter(({ module, enforcedBy }) => !/\bCleared(?:<|Request\b)/.test(read(enforcedBy ?? module))).map(({ module }) => module),
  ).toEqual([])
})

const ON_THIS_MACHINE = [
  'server/src/stages/judge/exam/models.ts',
  'server/src/system/task-models.ts',
  'server/src/adapters/trainer-tools/chat.ts',
]

it('models receive only cleared requests', () => {
  const all = [...sources(STAGES), ...sources('server/src/system'), 'server/src/pipeline.ts', 'server/src/app.ts']
  expect(all.filter((file) => /\bcreateModelClient\b/.test(read(file)))).toEqual([
    'server/src/system/providers.ts',
    'server/src/system/task-models.ts',
  ])
  const named = all.filter((file) => /\bModelClient<(?!ClearedRequest\b)/.test(read(file)))
  expect(named).toEqual([])
  expect(all.filter((file) => /\bModelClient<ClearedRequest>/.test(read(file))).length).toBeGreaterThan(0)
  const outsideOfClient = sources('server/src').filter((file) => !file.startsWith('server/src/adapters/llm/'))
  expect(
    outsideOfClient.filter((file) => /\bcreateLoopbackClient\b/.test(read(file))).toSorted(),
    'these modules use a model server on this machine, so nothing has to be cleared',
  ).toEqual(ON_THIS_MACHINE.toSorted())
  expect(
    outsideOfClient.filter((file) => /\bsealOf\b/.test(read(file))),
    'only the gate may seal a request',
  ).toEqual(['server/src/stages/privacy/gate.ts'])
})

it('every listed module exists, and writes files or uses the network', () => {
  const all = [...WAYS_OUT, ...STAYS_INSIDE].map(({ module }) => module)
  expect(all.filter((module) => !fs.existsSync(path.join(root, module)))).toEqual([])
  expect(all.filter((module) => fs.existsSync(path.join(root, module)) && !WRITES_OR_SENDS.test(read(module)))).toEqual([])
  expect(new Set(all).size).toBe(all.length)
})

it('only the gate and listed modules create cleared values', () => {
  const casts = [...sources(STAGES), ...sources('server/src/adapters'), ...sources('server/src/cli')].filter((file) =>
    /\bas (?:unknown as )?(?:readonly )?Cleared(?:Request)?\b|<Cleared(?:Request)?<[^>]*>>\s*[({[]/.test(read(file)),
  )
  const allowed = new Set(['server/src/stages/privacy/gate.ts', ...VOUCHED.map(({ module }) => module)])
  expect(casts).toContain('server/src/stages/privacy/gate.ts')
  expect(casts.filter((file) => !allowed.has(file))).toEqual([])
  expect(
    [...allowed].filter((file) => !casts.includes(file)),
    'these modules no longer need an entry in VOUCHED',
  ).toEqual([])
})
