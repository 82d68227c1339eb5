import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createDocker } from './index.ts'

/** An Engine with one container that nobody owns, and one snapshot. It cannot remove anything the first `failures` times. */
async function busyEngine(failures: number) {
  const snapshot = { name: 'kept', profile: 'machine', bytes: 1, createdAt: 1, machine: 'm' }
  let label = ''
  const removals: string[] = []
  const engine = http.createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://engine')
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'DELETE') {
      removals.push(url.pathname)
      if (removals.length <= failures) answer(500, { message: 'unable to remove filesystem: unlinkat /f: directory not empty' })
      else answer(200, [])
    } else if (url.pathname.endsWith('/version')) answer(200, { Version: '28' })
    else if (url.pathname.endsWith('/containers/json')) answer(200, [{ Id: 'abc', Labels: {} }])
    else {
      label = /bashgym\.home=(\w+)/.exec(url.searchParams.get('filters') ?? '')?.[1] ?? label
      const labels = { 'bashgym.home': label, 'bashgym.snapshot': Buffer.from(JSON.stringify(snapshot)).toString('base64url') }
      answer(200, [{ Labels: labels, RepoTags: ['kept:latest'] }])
    }
  })
  await once(engine.listen(0, '127.0.0.1'), 'listening')
  closing.push(engine)
  const { state, open } = createDocker({ host: `tcp://127.0.0.1:${(engine.address() as AddressInfo).port}`, dataDir: '/data' })
  expect(await state()).toMatchObject({ available: true })
  return { engine: await open(), removals }
}

const closing: http.Server[] = []
afterEach(() => {
  for (const one of closing.splice(0)) one.close()
})

it('removes a container and an image whose files the Engine still finds in use', async () => {
  const { engine, removals } = await busyEngine(2)
  expect(await engine.sweep()).toBe(1)
  expect(removals).toEqual(['/containers/abc', '/containers/abc', '/containers/abc'])

  const second = await busyEngine(1)
  expect(await second.engine.snapshots?.remove('kept')).toBe(true)
  expect(second.removals).toEqual(['/images/kept', '/images/kept'])
})

it('says why the Engine cannot remove a container that stays in use', async () => {
  const { engine } = await busyEngine(Infinity)
  await expect(engine.sweep()).rejects.toThrow('directory not empty')
})
