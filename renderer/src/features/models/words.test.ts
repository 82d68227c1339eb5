import { expect, test } from 'vitest'
import type { Artifact } from '#contracts/entities/model.ts'
import { weightsProblem } from './words.ts'

const trained = (state: Artifact['state']) => ({ artifacts: [{ state } as Artifact, { state: 'missing' } as Artifact] })

test('only what is wrong with the trained weights themselves stands in the way of an export', () => {
  expect(weightsProblem(trained('present'))).toBeNull()
  expect(weightsProblem(trained('changed'))).toMatch(/no longer as the run saved them: restore the original files/)
  expect(weightsProblem(trained('missing'))).toMatch(/no longer there/)
})
