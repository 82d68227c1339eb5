// The order of test files: those that take longest run first, so that both cores finish at about the same time. Vitest's own
// order is by size as long as it has no times of an earlier run, and then a short file with a long test may come last.
import { BaseSequencer } from 'vitest/node'

/** A sequencer for files whose names end like these, in their order; the others keep Vitest's. */
export const longestFirst = (longest) =>
  class extends BaseSequencer {
    async sort(files) {
      const rank = ({ moduleId }) => {
        const place = longest.findIndex((name) => moduleId.endsWith(`/${name}`))
        return place < 0 ? longest.length : place
      }
      const ordered = await super.sort(files) // oxlint-disable-line unicorn/no-array-sort -- super.sort is not Array.prototype.sort
      return ordered.toSorted((a, b) => rank(a) - rank(b))
    }
  }
