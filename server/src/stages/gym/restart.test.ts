import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { birthOf } from '#server/process/marks.ts'
import { openGym, reopened, type TestGym, upTo } from './testing-gym.ts'

let gym: TestGym
beforeAll(async () => {
  gym = await openGym()
})
afterAll(() => gym.close())

const handleOf = (id: string): { pid: number; born: string } => {
  const { handle } = gym.core.db.prepare('SELECT handle FROM runs WHERE id = ?').get(id) as { handle: string }
  return JSON.parse(handle) as { pid: number; born: string }
}
const setHandle = (id: string, handle: string) => gym.core.db.prepare('UPDATE runs SET handle = ? WHERE id = ?').run(handle, id)

it('names unfinished runs that read a model; after a kill, undoes or completes an interrupted removal', async () => {
  await gym.client.patchQueue({ body: { paused: true } })
  const body = gym.request({ steps: 3 }, { name: 'next' })
  const { id, folder } = await gym.client.startRun({ body })
  expect(gym.gym.runsReading(path.dirname(body.baseModel))).toEqual(['next'])
  expect(gym.gym.runsReading(`${body.baseModel}-other`)).toEqual([])
  await gym.client.cancelRun({ params: { id }, body: {} })
  expect(gym.gym.runsReading(body.baseModel)).toEqual([])
  await gym.client.patchQueue({ body: { paused: false } })

  const { models } = gym.core.paths
  fs.renameSync(folder, path.join(models, `.removed-${id}`))
  fs.mkdirSync(path.join(models, '.removed-gone'))
  fs.mkdirSync(path.join(models, 'never-stored'))
  fs.writeFileSync(path.join(models, 'never-stored', 'config.json'), '{}')
  gym = await reopened(gym)
  expect(fs.existsSync(path.join(folder, 'config.json'))).toBe(true)
  expect(['.removed-gone', 'never-stored'].filter((name) => fs.existsSync(path.join(models, name)))).toEqual([])
})

it('follows a running trainer after a restart without missing a point', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 60, holdAt: 5 }) })
  await gym.untilStep(id, 5)
  gym = await reopened(gym)
  expect(gym.gym.run(id).state).toBe('running')
  gym.release(id)
  await gym.until(id, 'completed')
  expect(await gym.stepsOf(id)).toEqual(upTo(60))
})

it('leaves alone a process that only reuses the pid of a trainer, and fails the run', async () => {
  const { id } = await gym.client.startRun({ body: gym.request({ steps: 3, at: 2, end: 'hang' }) })
  await gym.untilStep(id, 2)
  const { pid, born } = handleOf(id)
  gym = await reopened(gym)
  setHandle(id, JSON.stringify({ pid, born: 'another boot:1' }))
  gym = await reopened(gym)
  await gym.until(id, 'failed')
  expect(gym.gym.run(id).error).toMatchObject({
    code: 'ended',
    message: expect.stringContaining('while Bash Gym was not running') as string,
  })
  expect(birthOf(pid)).toBe(born)
  process.kill(pid, 'SIGKILL')
})

it('fails runs whose folder is missing', async () => {
  const { id, folder } = await gym.client.startRun({ body: gym.request({ steps: 9, at: 2, end: 'hang' }) })
  await gym.untilStep(id, 2)
  await gym.client.patchQueue({ body: { paused: true } })
  const next = await gym.client.startRun({ body: gym.request({ steps: 3 }) })
  const { pid } = handleOf(id)
  gym = await reopened(gym, () => {
    process.kill(pid, 'SIGKILL')
    for (const one of [folder, next.folder]) fs.rmSync(one, { recursive: true })
  })
  await gym.until(id, 'failed')
  await gym.client.patchQueue({ body: { paused: false } })
  await gym.until(next.id, 'failed')
  expect(gym.gym.run(next.id).error?.message).toBe(`The folder of this run is missing: ${next.folder}. Run it again.`)
})
