import fs from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { groupsOf } from '#server/adapters/bubblewrap/testing-groups.ts'
import { type App, createApp, inProcessClient } from '#server/app.ts'
import { CHECKPOINT_JOB } from '#server/db/checkpoint.ts'
import { testConfig } from '#server/testing/server.ts'
import { soaking } from '#server/testing/soak.ts'

/** One left thing of one sandbox is found at any number; the memory of many needs the soak. */
const LIVES = soaking(40, 1000)
/** Lives that fill what is made once and kept: code, prepared statements, pools. */
const FIRST = 30
const MB = 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes in use after garbage collection. */
function bytesInUse(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

it.skipIf(findBubblewrap() === null)(
  'sandboxes in a row leave no descriptor, process, mount, control group, folder or memory behind',
  async () => {
    const config = testConfig()
    const app = await createApp(config, { kind: 'command', lanes: { bulk: 1, live: 1, query: 1 } })
    try {
      const { live, folders } = livesIn(app)
      const look = () => ({
        descriptors: fs.readdirSync('/proc/self/fd').length,
        children: fs.readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim(),
        groups: groupsOf(process.pid),
        folders: [...folders].filter((name) => fs.existsSync(`/var/tmp/${name}`) || fs.existsSync(`${app.core.paths.boxes}/${name}`)),
        mounts: fs
          .readFileSync('/proc/self/mountinfo', 'utf8')
          .split(/\s+/)
          .filter((place) => folders.has(place.split('/')[3] ?? '')),
      })
      for (let n = 0; n < FIRST; n += 1) await live(n)
      await app.core.workers.run(CHECKPOINT_JOB, { database: app.core.paths.database }, { lane: 'query' }) // its thread stays
      const before = look()
      const bytesBefore = bytesInUse()
      for (let n = 0; n < LIVES; n += 1) await live(n)
      await expect.poll(look).toEqual({ ...before, descriptors: expect.toSatisfy((now: number) => now <= before.descriptors) as unknown })
      expect(folders.size).toBe(FIRST + LIVES)
      await expect.poll(() => (bytesInUse() - bytesBefore) / MB, { timeout: 60_000, interval: 2000 }).toBeLessThan(8) // what others still finalise goes by itself
    } finally {
      await app.close()
      config.remove()
    }
  },
)

/** Creates, uses and removes sandboxes of both profiles, with and without terminal, some with a second session, a background job or a standalone command. */
function livesIn(app: App) {
  const client = inProcessClient(app)
  const folders = new Set<string>()
  const live = async (n: number) => {
    const { id } = await client.createSandbox({ body: { profile: n % 2 ? 'strict' : 'machine', tty: n % 4 < 2 } })
    const params = { id }
    const exec = (command: string, more: object = {}) => client.execInSandbox({ params, body: { command, ...more } })
    await client.startSandbox({ params })
    for (const name of fs.readdirSync(app.core.paths.boxes)) folders.add(name)
    expect(await exec(`echo ${n} | tee /tmp/x`)).toMatchObject({ output: String(n), exitCode: 0 })
    const isBusy = n % 10 === 0
    if (isBusy) await client.openSandboxSession({ params, body: { session: 'other' } })
    if (isBusy) await exec('sleep 1000 &', { session: 'other' })
    expect((await exec('cat /tmp/x', { standalone: isBusy })).output.trimEnd()).toBe(String(n))
    await client.stopSandbox({ params, body: { remove: true } })
  }
  return { live, folders }
}
