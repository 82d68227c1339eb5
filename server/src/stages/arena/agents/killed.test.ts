import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Task } from '#contracts/entities/task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { groupsOf } from '#server/adapters/bubblewrap/testing-groups.ts'
import { type Received, startStub } from '#server/adapters/llm/testing-stub.ts'
import { descendantsOf, kinOf, processes } from '#server/process/marks.ts'
import { soaking } from '#server/testing/soak.ts'
import { useOwnServer } from '../testing-use.ts'

const own = useOwnServer()
const KILLS = Number(process.env['BASHGYM_KILLS'] ?? soaking(5, 200))
/** More than the agent can do before the last kill. */
const STEPS = 2 * KILLS + 2
const SEED = Number(process.env['BASHGYM_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const taskOf = (url: string, prompt: string) => ({
  prompt,
  agent: 'shell' as const,
  endpoint: { kind: 'url' as const, dialect: 'openai' as const, baseUrl: url },
  model: 'some',
})
const get = (id: string) => own.server.client.getTask({ params: { id } })
const resume = (id: string) => own.server.client.resumeTask({ params: { id } })
const boxes = () => {
  const folder = path.join(own.root, 'home', 'boxes')
  return fs.existsSync(folder) ? fs.readdirSync(folder) : []
}
const stateBecomes = async (id: string, states: readonly Task['state'][]) =>
  await expect.poll(async () => states.includes((await get(id)).state), { timeout: 60_000 }).toBe(true)
const patchOf = async (id: string) => (await own.server.client.readTaskPatch({ params: { id } })).text()
/** How many commands of the agent are in the conversation of a request. */
const commandsIn = ({ body }: Received) => body.messages.filter(({ role }) => role === 'assistant').length

describe.skipIf(findBubblewrap() === null)('an agent whose server ends', () => {
  it('keeps its files, also those that git ignores, and its conversation, and goes on with both', async () => {
    const mark = `97${process.pid}`
    const sleeping = () => [...processes()].filter(({ argv }) => argv[0] === 'sleep' && argv[1] === mark)
    const script = [`echo "*.bin" > .gitignore; echo built > a.bin; echo one > one.txt`, `sleep ${mark}`, 'cat a.bin > two.txt; exit 0']
    const stub = await startStub((request) => ({ text: script[commandsIn(request) + (isAgain ? 1 : 0)]! }))
    let isAgain = false
    try {
      await own.server.client.patchSettings({ body: { arena: { running: 1 } } })
      const { id } = await own.server.client.createTask({ body: taskOf(stub.url, 'Build it.') })
      const waits = await own.server.client.createTask({ body: taskOf(stub.url, 'Wait.') })
      await expect.poll(sleeping, { timeout: 60_000 }).toHaveLength(1)
      expect(await get(waits.id)).toMatchObject({ state: 'queued', queuePosition: 1 })
      const { pid } = own.server
      await own.server.client.cancelTask({ params: { id: waits.id } })

      await own.server.end('SIGKILL')
      await expect.poll(sleeping).toEqual([])
      await own.restart()
      expect(await get(id)).toMatchObject({ state: 'paused', error: null })
      await expect.poll(async () => (await get(id)).change?.files, { timeout: 60_000 }).toBe(2)
      expect(await patchOf(id)).toContain('+one')
      expect(groupsOf(pid)).toEqual([])

      isAgain = true
      await resume(id)
      await stateBecomes(id, ['unverified'])
      expect(await patchOf(id)).toContain('+built')
      const last = stub.received.at(-1)!.body.messages
      expect(last.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
      expect(last.at(-1)!.content).toContain('You were interrupted')
      const { turns, traceId } = await get(id)
      const { tools } = await own.server.client.getTrace({ params: { id: traceId! } })
      expect([turns, tools]).toEqual([2, { Bash: 2 }])
      await expect.poll(boxes).toEqual([])
    } finally {
      await stub.close()
    }
  })

  it('goes on after an orderly end too, starts again what had not begun, and can be handed back as it is', async () => {
    const stub = await startStub((request) => (commandsIn(request) === 0 ? { text: 'echo half > half.txt' } : 'hang'))
    try {
      await own.server.client.patchSettings({ body: { arena: { running: 1 } } })
      const one = await own.server.client.createTask({ body: taskOf(stub.url, 'Half.') })
      const two = await own.server.client.createTask({ body: taskOf(stub.url, 'Half.') })
      await expect.poll(() => stub.received.length, { timeout: 60_000 }).toBe(2)
      await own.server.end()
      await own.restart()
      expect((await get(one.id)).state).toBe('paused')
      await expect.poll(() => stub.received.length, { timeout: 60_000 }).toBe(4)
      expect((await get(two.id)).state).toBe('working')
      expect((await own.server.client.pauseTask({ params: { id: two.id } })).state).toBe('paused')
      await expect.poll(async () => (await get(two.id)).change?.files, { timeout: 60_000 }).toBe(1)
      const ended = await own.server.client.cancelTask({ params: { id: one.id } })
      expect(ended).toMatchObject({ state: 'stopped', change: { files: 1 } })
      expect(await patchOf(one.id)).toContain('+half')
      await own.server.client.removeTask({ params: { id: two.id }, query: { force: 'true' } })
      await expect.poll(boxes).toEqual([])
    } finally {
      await stub.close()
    }
  })

  it('counts a request that was open, with the most that it can use', async () => {
    const stub = await startStub(() => 'hang')
    try {
      const caps = { turns: 5, tokens: 5000, costUsd: null, timeSec: 60 }
      const { id } = await own.server.client.createTask({ body: { ...taskOf(stub.url, 'Wait.'), caps } })
      await expect.poll(() => stub.received.length, { timeout: 60_000 }).toBe(1)
      await own.server.end('SIGKILL')
      await own.restart()
      const { state, charged } = await get(id)
      expect([state, charged!.requests, charged!.input + charged!.output]).toEqual(['paused', 1, 5000])
      expect(stub.received[0]!.body.max_tokens).toBe(charged!.output)
      await expect(resume(id)).rejects.toMatchObject({ code: 'task_refused' })
    } finally {
      await stub.close()
    }
  })

  it('is an attempt of a batch that goes on by itself', async () => {
    const stub = await startStub((request) => (commandsIn(request) === 0 ? { text: 'echo half > half.txt' } : mayEnd ? { text: 'exit 0' } : 'hang')) // prettier-ignore
    let mayEnd = false
    try {
      const { agent, endpoint, model } = taskOf(stub.url, '')
      const { id } = await own.server.client.createBatch({
        body: { tasks: [{ key: 'one', prompt: 'Half.' }], settings: { agent, endpoint, model } },
      })
      await expect.poll(() => stub.received.length, { timeout: 60_000 }).toBe(2)
      await own.server.end('SIGKILL')
      mayEnd = true
      await own.restart()
      const batch = () => own.server.client.getBatch({ params: { id }, query: {} })
      await expect.poll(async () => (await batch()).state, { timeout: 60_000 }).toBe('done')
      expect((await batch()).counts).toMatchObject({ total: 1, unverified: 1, owed: 0 })
    } finally {
      await stub.close()
    }
  })

  it(
    `loses nothing at ${KILLS} random kills of the server, its spawner or a program (BASHGYM_SEED=${SEED})`,
    { timeout: 120_000 + KILLS * 30_000 },
    async () => {
      const mark = `98${process.pid}`
      const left = () => [...processes()].filter(({ argv }) => argv[0] === 'sleep' && argv[1] === mark)
      const folders = new Set<string>()
      const mounts = () => [...processes()].filter(({ pid }) => uses(pid, folders))
      const moment = fc.record({
        requests: fc.integer({ min: 0, max: 2 }),
        ms: fc.integer({ min: 0, max: 600 }),
        what: fc.constantFrom('server', 'server', 'spawner', 'program'),
        which: fc.nat(),
      })
      const moments = fc.sample(moment, { numRuns: KILLS, seed: SEED })
      const finishedIn = (raw: string) => [...raw.matchAll(/(?<!echo )finished (\d+)/g)].map(([, no]) => Number(no)) // not in the command itself
      // each step takes a while, so that kills also hit commands
      const stub = await startStub((request) => {
        const next = Math.max(0, ...finishedIn(request.raw)) + 1
        return {
          text: next > STEPS ? 'exit 0' : `setsid sleep ${mark} & echo ${next} > step-${next}.txt; sleep 0.2; echo finished ${next}`,
        }
      })
      const pids: number[] = []
      const finished = new Set<number>()
      const kills: string[] = []
      let id = ''
      const state = async () => (await get(id)).state
      const isOver = (one: Task['state']) => ['unverified', 'failed', 'paused'].includes(one)
      /** Lets the run go on if it rests; its change so far has every finished step. */
      const goOn = async () => {
        const now = await state()
        if (!isOver(now)) return
        if (now === 'paused') await resume(id) // waits until what it left was read
        const patch = finished.size > 0 ? await patchOf(id) : ''
        const lost = [...finished].filter((no) => !patch.includes(`step-${no}.txt`))
        expect(lost, `${now} after ${kills.join(', ')}: ${lost.length > 0 ? await lastEvents() : ''}`).toEqual([])
        if (now !== 'paused') await own.server.client.messageTask({ params: { id }, body: { text: 'Go on.' } })
      }
      const lastEvents = async () => {
        const { items } = await own.server.client.listTaskEvents({ params: { id }, query: { limit: 1000 } })
        return items.slice(-30).map(({ kind, text }) => `${kind}: ${text.slice(0, 200)}`).join('\n') // prettier-ignore
      }
      const victims = (what: string) => {
        const spawner = [...processes()].find(
          ({ pid, argv }) => kinOf(pid)?.parent === own.server.pid && argv.some((one) => one.includes('spawner-program')),
        )
        return spawner === undefined ? [] : what === 'spawner' ? [spawner.pid] : descendantsOf(spawner.pid)
      }
      try {
        const caps = { turns: 10_000, tokens: null, costUsd: null, timeSec: 3600 }
        id = (await own.server.client.createTask({ body: { ...taskOf(stub.url, 'Go.'), caps } })).id
        for (const { requests, ms, what, which } of moments) {
          const received = stub.received.length
          await expect
            .poll(async () => stub.received.length >= received + requests || isOver(await state()), { timeout: 60_000 })
            .toBe(true)
          await new Promise((done) => setTimeout(done, ms)) // oxlint-disable-line no-promise-executor-return -- a random moment is a time
          for (const no of finishedIn(stub.received.at(-1)?.raw ?? '')) finished.add(no)
          if (!pids.includes(own.server.pid)) pids.push(own.server.pid)
          for (const name of boxes()) folders.add(`/var/tmp/${name}`)
          if (what === 'server') {
            await own.server.end('SIGKILL')
            await own.restart()
          } else {
            const pid = victims(what).at(which % Math.max(victims(what).length, 1))
            if (pid !== undefined) kill(pid)
          }
          kills.push(what)
          await goOn()
        }
        for (
          let last = await state();
          !(last === 'unverified' && (await patchOf(id)).includes(`step-${STEPS}.txt`));
          last = await state()
        ) {
          await goOn()
          await expect.poll(async () => isOver(await state()), { timeout: 600_000, interval: 200 }).toBe(true)
        }
        const patch = await patchOf(id)
        for (let no = 1; no <= STEPS; no++) expect(patch).toContain(`step-${no}.txt`)
        await expect.poll(() => [left(), boxes(), pids.flatMap(groupsOf), mounts()], { timeout: 20_000 }).toEqual([[], [], [], []])
        expect([...folders].filter((folder) => fs.existsSync(folder))).toEqual([])
      } finally {
        await stub.close()
      }
    },
  )
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {} // it has just ended
}

/** Whether a process has one of these folders mounted. */
function uses(pid: number, folders: ReadonlySet<string>): boolean {
  try {
    const mounts = fs.readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    return [...folders].some((folder) => mounts.includes(`${folder}/`))
  } catch {
    return false
  }
}
