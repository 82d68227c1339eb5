import { expect, it } from 'vitest'
import { httpCall } from './http-call.ts'

it('reports the address if no server answers, and gives the reason of its end', async () => {
  const url = 'http://127.0.0.1:9'
  await expect(httpCall(`${url}/x`, { method: 'GET' })).rejects.toMatchObject({
    code: 'server_unreachable',
    message: `${url} did not answer: ECONNREFUSED.`,
  })
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(httpCall(`${url}/x`, { method: 'GET', signal })).rejects.toThrow('enough')
})
