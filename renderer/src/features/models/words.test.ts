import { expect, test } from 'vitest'
import type { Artifact } from '#contracts/entities/model.ts'
import { weightsProblem } from './words.ts'

const trained = (state: Artifact['state']) => ({ artifacts: [{ state } as Artifact, { state: 'missing' } as Artifact] })

test('only a problem with the trained weights prevents an export', () => {
  expect(weightsProblem(trained('present'))).toBeNull()
  expect(weightsProblem(trained('changed'))).toMatch(/have changed since the run saved them\. Restore the original files/)
  expect(weightsProblem(trained('missing'))).toMatch(/are missing/)
})
