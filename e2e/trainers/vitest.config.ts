import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest tests run first, so that both cores finish at about the same time; the others keep Vitest's order. */
const LONGEST = ['package.test.ts', 'shell-rl.test.ts', 'models.test.ts', 'ray.test.ts']
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return place < 0 ? LONGEST.length : place
    }
    const ordered = await super.sort(files) // oxlint-disable-line unicorn/no-array-sort -- super.sort is not Array.prototype.sort
    return ordered.toSorted((a, b) => rank(a) - rank(b))
  }
}

const isWhole = Boolean(process.env['BASHGYM_TEST_FULL_ENV'])
export default defineConfig({
  test: {
    name: 'trainers',
    include: ['e2e/trainers/*.test.ts'],
    globalSetup: ['e2e/support/forking.ts'],
    exclude: isWhole ? [] : ['e2e/trainers/environment-whole.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2, // each test uses one core, because the models are tiny
    sequence: { sequencer: LongestFirst },
  },
})
