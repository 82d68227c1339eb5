import path from 'node:path'

const MOST = 5
const LEAST = 3
const BOUND = 0.1

/** A step that names a file, by its index in the stretch; `prompt`: a user prompt is between it and the file step before. */
export interface FileStep {
  /** Where a boundary goes if one is found before this step: the step itself, or the first after that prompt. */
  at: number
  file: string
}

/**
 * Boundaries by file scope (system.md §6.1) in a stretch of one segment: with L the last five files so far and R the
 * next five (three at least), as sets of files and their folders, Jaccard(L, R) below 0.1 is a change of subject; it
 * goes to the lowest value of each run of such places.
 */
export function fileBoundaries(steps: readonly FileStep[]): { at: number; jaccard: number }[] {
  const parts = steps.map(({ file }) => setOf(file))
  const found: { at: number; jaccard: number }[] = []
  let start = 0
  let best: { index: number; value: number } | null = null
  const close = () => {
    if (best !== null) {
      found.push({ at: steps[best.index]!.at, jaccard: best.value })
      start = best.index
    }
    best = null
  }
  for (let index = LEAST; index <= steps.length - LEAST; index += 1) {
    if (index - start < LEAST) continue
    const value = jaccard(parts.slice(Math.max(start, index - MOST), index), parts.slice(index, index + MOST))
    if (value >= BOUND) close()
    else if (best === null || value < best.value) best = { index, value }
  }
  close()
  return found
}

function jaccard(left: readonly (readonly string[])[], right: readonly (readonly string[])[]): number {
  const a = new Set(left.flat())
  const b = new Set(right.flat())
  let both = 0
  for (const one of a) if (b.has(one)) both += 1
  return both / (a.size + b.size - both)
}

/** A file and its folder, the latter marked so that it is never taken for a file. */
function setOf(file: string): [string, string] {
  const plain = file.replaceAll('\\', '/')
  return [plain, `${path.posix.dirname(plain)}/`]
}
