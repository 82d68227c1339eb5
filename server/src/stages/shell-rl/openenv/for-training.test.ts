import { expect, it } from 'vitest'
import { createTrainingEnvironment } from './for-training.ts'
import type { Environments } from './service.ts'

type Started = Awaited<ReturnType<Environments['start']>>

it('starts one server for calls at the same moment, and another server if the first has ended or failed to start', async () => {
  const running = new Map<string, Started>()
  let failure: Error | null = new Error('no port')
  const getEnvironment = createTrainingEnvironment({
    list: () => [...running.values()],
    start: () => {
      if (failure) return Promise.reject(failure)
      const id = `env-${running.size}`
      const started = { id, url: `http://127.0.0.1/${id}`, token: 'a token' } as Started // only these fields are read
      running.set(id, started)
      return Promise.resolve(started)
    },
  })
  await expect(getEnvironment()).rejects.toThrow('no port')
  failure = null
  const both = await Promise.all([getEnvironment(), getEnvironment()])
  expect(both.map(({ url }) => url)).toEqual(['http://127.0.0.1/env-0', 'http://127.0.0.1/env-0'])
  running.delete('env-0')
  running.set('other', {} as Started)
  expect((await getEnvironment()).url).toBe('http://127.0.0.1/env-1')
})
