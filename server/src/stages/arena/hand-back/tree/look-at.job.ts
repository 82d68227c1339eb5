import { type Found, lookerIn } from './found.ts'

/** What is at each path of a folder. */
export default function survey({ root, paths }: { root: string; paths: string[] }): Found[] {
  const look = lookerIn(root)
  return paths.map((path) => look(path))
}
