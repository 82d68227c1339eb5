import path from 'node:path'

const WINDOW = 5
const MIN_FILES = 3
const MAX_JACCARD = 0.1

export interface FileStep {
  /** Index of the boundary before this step: the step itself, or the first step after a prompt before it. */
  at: number
  file: string
}

/**
 * Boundaries where the files change. Compares the previous five files with the next five (at least three), as sets of files
 * and folders: a Jaccard index below 0.1 is a change of subject. Of consecutive such positions, the lowest index counts.
 */
export function fileBoundaries(steps: readonly FileStep[]): { at: number; jaccard: number }[] {
  const parts = steps.map(({ file }) => fileAndFolder(file))
  const boundaries: { at: number; jaccard: number }[] = []
  let start = 0
  let best: { index: number; value: number } | null = null
  const addBoundary = () => {
    if (best !== null) {
      boundaries.push({ at: steps[best.index]!.at, jaccard: best.value })
      start = best.index
    }
    best = null
  }
  for (let index = MIN_FILES; index <= steps.length - MIN_FILES; index += 1) {
    if (index - start < MIN_FILES) continue
    const value = jaccard(parts.slice(Math.max(start, index - WINDOW), index), parts.slice(index, index + WINDOW))
    if (value >= MAX_JACCARD) addBoundary()
    else if (best === null || value < best.value) best = { index, value }
  }
  addBoundary()
  return boundaries
}

function jaccard(left: readonly (readonly string[])[], right: readonly (readonly string[])[]): number {
  const a = new Set(left.flat())
  const b = new Set(right.flat())
  let both = 0
  for (const one of a) if (b.has(one)) both += 1
  return both / (a.size + b.size - both)
}

/** A file and its folder; the slash distinguishes the folder from a file. */
function fileAndFolder(file: string): [string, string] {
  const plain = file.replaceAll('\\', '/')
  return [plain, `${path.posix.dirname(plain)}/`]
}
