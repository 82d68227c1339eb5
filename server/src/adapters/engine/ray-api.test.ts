import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { rayApi } from './ray-api.ts'

it('hands a job over again while the cluster says that it has no agent yet, and no other refusal', async () => {
  const answers = [
    [500, 'No available agent to submit job, please try again later.'],
    [200, '{"submission_id":"a"}'],
    [500, 'Traceback: something else'],
  ] as const
  let asked = 0
  const cluster = http.createServer((_request, response) => {
    const [status, text] = answers[asked++] ?? [404, '']
    response.writeHead(status).end(text)
  })
  cluster.listen(0, '127.0.0.1')
  await once(cluster, 'listening')
  const ray = rayApi({ address: `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`, tokenFile: '' })
  const job = { submission_id: 'a', entrypoint: 'true', metadata: {} }
  expect([await ray.submit(job), asked]).toEqual([{ submission_id: 'a' }, 2])
  await expect(ray.submit(job)).rejects.toThrow('answered 500: Traceback: something else')
  expect(asked).toBe(3)
  cluster.close()
})
