import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { birthOf, isAlive, type ProcessMark } from '#server/process/marks.ts'
import { newFolder } from '#server/testing/folders.ts'
import { openToys } from './testing-toys.ts'

type Toys = Awaited<ReturnType<typeof openToys>>
let toys: Toys
afterEach(async () => {
  await toys.close()
  fs.rmSync(toys.dataDir, { recursive: true })
})
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)
const markOf = (id: string) => toys.run(id).handle as unknown as ProcessMark
const ended = ({ endedAt }: ReturnType<Toys['run']>) => endedAt !== null
/** The app is closed, something happens, and it starts again. */
const restarted = async (between: () => void | Promise<void> = () => undefined) => {
  await toys.close()
  await between()
  toys = await openToys({ dataDir: toys.dataDir })
}

it('reads every line once, and the printed text, up to the last event', async () => {
  toys = await openToys()
  toys.start('a', { numbers: 500 })
  await toys.until('a', ended)
  expect(toys.run('a')).toMatchObject({ state: 'completed', error: null, handle: null, live: { n: 500 } })
  expect(toys.numbers('a')).toEqual(upTo(500))
  expect(toys.printed('a')).toEqual(['started'])
})

it('killed in the middle of a line, the server finds the program again and reads every line exactly once', async () => {
  const dataDir = newFolder()
  const server = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-killed.ts'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  server.kill('SIGKILL')
  await once(server, 'close')

  toys = await openToys({ dataDir })
  expect([toys.run('first').state, toys.run('second').state]).toEqual(['running', 'queued'])
  expect(isAlive(markOf('first'))).toBe(true)
  expect(toys.numbers('first')).toEqual(upTo(19))
  toys.letGo('first')
  await toys.until('second', ended)
  expect([toys.run('first').state, toys.run('second').state]).toEqual(['completed', 'completed'])
  expect(toys.numbers('first')).toEqual(upTo(40))
  expect(toys.printed('first')).toEqual(['started'])
  expect(toys.run('second').startedAt).toBeGreaterThanOrEqual(toys.run('first').endedAt!)
})

it('says of a program that was killed while the server was away that nobody saw how it ended', async () => {
  toys = await openToys()
  toys.start('a', { numbers: 9, holdAt: 5 })
  await toys.until('a', ({ live }) => live.n === 4)
  const { pid } = markOf('a')
  await restarted(async () => {
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => birthOf(pid)).toBeNull()
  })
  await toys.until('a', ended)
  expect(toys.run('a')).toMatchObject({ state: 'failed', error: 'no last event, code null, signal null', live: { n: 4 } })
})

it('keeps a pause that the program has not answered over a restart, and the run continues afterwards', async () => {
  toys = await openToys()
  toys.start('a', { numbers: 9, holdAt: 5 })
  await toys.until('a', ({ live }) => live.n === 4)
  await toys.runner.ask('a', 'pause')
  const control = path.join(toys.folderOf('a'), 'control.json')
  await restarted(() => fs.rmSync(control))
  expect(toys.run('a')).toMatchObject({ state: 'pausing', requestedAction: 'pause' })
  expect(fs.existsSync(control)).toBe(true)
  toys.letGo('a')
  await toys.until('a', ({ state }) => state === 'paused')
  expect(toys.run('a')).toMatchObject({ requestedAction: null, endedAt: null })
  toys.resume('a')
  await toys.until('a', ended)
  expect(toys.run('a').state).toBe('completed')
  expect(toys.numbers('a')).toEqual(upTo(9))
})

it('cancels: nothing of the process is left when that is stored', async () => {
  toys = await openToys()
  toys.start('a', { numbers: 9, holdAt: 5 })
  await toys.until('a', ({ live }) => live.n === 4)
  const mark = markOf('a')
  let wasGone = false
  await toys.runner.kill('a', () => (wasGone = !isAlive(mark)))
  expect([wasGone, toys.run('a')]).toEqual([true, expect.objectContaining({ state: 'cancelled', handle: null, requestedAction: null })])
})

it('says how a program without a last event ended, and skips an incomplete last line', async () => {
  toys = await openToys({ places: 2 })
  toys.start('silent', { numbers: 3, end: 'silent' })
  toys.start('torn', { numbers: 3, end: 'torn' })
  await Promise.all(['silent', 'torn'].map((id) => toys.until(id, ended)))
  expect(toys.run('silent')).toMatchObject({ state: 'failed', error: 'no last event, code 3, signal null' })
  expect(toys.run('torn')).toMatchObject({ state: 'failed', error: 'no last event, code null, signal SIGKILL', live: { n: 3, end: null } })
})

it('starts as many runs as there are places, the others in the order of the user', async () => {
  toys = await openToys({ places: 2 })
  for (const id of ['a', 'b', 'c', 'd']) toys.start(id, { numbers: 9, holdAt: 5 })
  expect(toys.queue.state().order).toEqual(['c', 'd'])
  toys.queue.patch({ order: ['d', 'c'] })
  toys.letGo('a')
  await toys.until('d', ({ state }) => state === 'running')
  expect(toys.queue.state().order).toEqual(['c'])
  for (const id of ['b', 'c', 'd']) toys.letGo(id)
  await toys.until('c', ended)
})

it('a failure stops the queue on request, until the user resumes it', async () => {
  toys = await openToys()
  toys.queue.patch({ continueAfterFailure: false })
  toys.start('a', { numbers: 3, end: 'silent' })
  toys.start('b', { numbers: 3 })
  await toys.until('a', ended)
  expect(toys.queue.state()).toMatchObject({ paused: true, pausedBy: 'a', order: ['b'] })
  toys.queue.patch({ paused: false })
  await toys.until('b', ended)
  expect(toys.run('b').state).toBe('completed')
})
