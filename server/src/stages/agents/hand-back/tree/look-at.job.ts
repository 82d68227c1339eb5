import { inJudged } from '#server/foreign/index.ts'
import { atOnce } from './at-once.ts'
import { type Found, lookAt } from './found.ts'

/** Reads what exists at each path of a folder. */
export default function survey({ root, paths }: { root: string; paths: string[] }): Promise<Found[]> {
  return inJudged(root, async (folder) => {
    const all: Found[] = []
    await atOnce(paths, async (path, index) => void (all[index] = (await lookAt(folder, path)).found))
    return all
  })
}
