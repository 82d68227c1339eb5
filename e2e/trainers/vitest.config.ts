import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first, so that both cores end at the same time; the others as Vitest would have them. */
const LONGEST = ['package.test.ts', 'shell-rl.test.ts', 'models.test.ts', 'ray.test.ts']
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return place < 0 ? LONGEST.length : place
    }
    const ordered = await super.sort(files) // oxlint-disable-line unicorn/no-array-sort -- no array's
    return ordered.toSorted((a, b) => rank(a) - rank(b))
  }
}

/** The Python package beside the TypeScript that has to agree with it, in the interpreter that the probe found. */
const isWhole = Boolean(process.env['BASHGYM_TEST_FULL_ENV'])
export default defineConfig({
  test: {
    name: 'trainers',
    include: ['e2e/trainers/*.test.ts'],
    exclude: isWhole ? [] : ['e2e/trainers/environment-whole.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2, // a tiny model has no work for more than one core
    sequence: { sequencer: LongestFirst },
  },
})
