import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { soaking } from '#server/testing/soak.ts'
import { aHarness, type Harness, put, treeOf } from './testing-hand-back.ts'
import type { CarryOut } from './tree/carry-out.ts'
import { rollBack } from './tree/roll-back.ts'

const PROGRAM = fileURLToPath(new URL('./testing-killed.ts', import.meta.url))
const RANDOM_KILLS = soaking(4, 200)

let harness: Harness
afterEach(() => harness.end())

/** The job that a hand-back would send to its worker; it is not run. */
async function prepared(): Promise<CarryOut> {
  let input: CarryOut | null = null
  const lines = 'line\n'.repeat(20)
  const start = { r: lines, a: '1\n', 'd/b': Buffer.from([0, 1]), 'd/c': '1\n', x: 'x\n', l: { link: 'a' }, 'deep/er/f': '1\n', t: 't\n' }
  harness = aHarness(start)
  const { change, handBack, deps, base, user } = harness
  deps.work.carryOut = (given) => {
    fs.copyFileSync(given.contents, path.join(base, 'contents'))
    input = { ...given, contents: path.join(base, 'contents') }
    return Promise.resolve([{ path: '', reason: 'not carried out' }])
  }
  change({ r: null, 'moved/r': `edited\n${lines}`, a: '2\n', 'd/b': Buffer.from([0, 2]), 'd/c': null, d2: { x: '#!\n' }, x: { x: 'x\n' }, l: { link: 'b' }, 'deep/er/f': null, 'n/e/w': 'new\n', t: null, 't/u': 'u\n' }) // prettier-ignore
  put(user, { 'mine/f': 'untracked' })
  await harness.refusal(handBack())
  fs.writeFileSync(path.join(base, 'input.json'), JSON.stringify(input))
  return input!
}

async function run(at: number, then = '', killAfterMs: number | null = null): Promise<{ signal: string | null; calls: number }> {
  const child = spawn(process.execPath, [PROGRAM, path.join(harness.base, 'input.json'), String(at), then], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  if (killAfterMs !== null) {
    await once(child.stdout, 'data')
    await sleep(killAfterMs)
    child.kill('SIGKILL')
  }
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { signal, calls: Number(output.split('\n')[1] ?? Number.NaN) }
}

const isApplied = (folder: string) => fs.existsSync(path.join(folder, 'applied.json'))

it(
  'applies the change completely or not at all, at whichever system call a hand-back is killed',
  { timeout: soaking(300_000, 1_200_000) },
  async () => {
    const { root, folder } = await prepared()
    const before = treeOf(root)
    const copy = path.join(harness.base, 'copy')
    fs.cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
    const reset = () => {
      for (const place of [root, folder]) fs.rmSync(place, { recursive: true, force: true })
      fs.cpSync(copy, root, { recursive: true, verbatimSymlinks: true })
    }
    const whole = await run(0)
    const after = treeOf(root)
    expect([whole.signal, isApplied(folder), whole.calls > 40]).toEqual([null, true, true])

    const check = async (moment: string) => {
      const applied = isApplied(folder)
      const left = applied ? [] : await rollBack(folder)
      const found = { moment, left, tree: treeOf(root), hasJournal: fs.existsSync(folder) }
      expect(found).toEqual({ moment, left: [], tree: applied ? after : before, hasJournal: applied })
    }
    for (let at = 1; at <= whole.calls; at += 1) {
      reset()
      expect({ at, signal: (await run(at)).signal }).toEqual({ at, signal: 'SIGKILL' })
      await check(`killed at call ${at} of ${whole.calls}`)
    }
    for (let kill = 0; kill < RANDOM_KILLS; kill += 1) {
      reset()
      const wait = Math.random() * 12
      await run(0, '', wait)
      await check(`killed after ${wait} ms`)
    }
  },
)

it('is rolled back by the next start, even after a rollback was killed', { timeout: 300_000 }, async () => {
  const { root, folder } = await prepared()
  const before = treeOf(root)
  const { calls } = await run(0)
  const last = calls - 3 // before its end is written down
  put(root, { t: null })
  harness.end()
  const again = await prepared()
  expect((await run(last)).signal).toBe('SIGKILL')
  for (let at = 1; at < 40; at += 4) await run(at, 'roll-back')
  expect(await rollBack(again.folder)).toEqual([])
  expect([treeOf(again.root), fs.existsSync(again.folder)]).toEqual([before, false])
  expect(folder).not.toBe(again.folder)
})

it('does not touch files that the user has changed since, and lists them', async () => {
  const { root, folder } = await prepared()
  const { calls } = await run(0)
  fs.rmSync(harness.base, { recursive: true })
  const again = await prepared()
  await run(calls - 3)
  put(again.root, { a: 'mine\n' })
  expect(await rollBack(again.folder)).toEqual(['a'])
  expect([fs.readFileSync(path.join(again.root, 'a'), 'utf8'), fs.readFileSync(path.join(again.root, 'd/c'), 'utf8')]).toEqual([
    'mine\n',
    '1\n',
  ])
  expect([fs.existsSync(path.join(again.folder, 'kept')), root === again.root, folder === again.folder]).toEqual([true, false, false])
})
