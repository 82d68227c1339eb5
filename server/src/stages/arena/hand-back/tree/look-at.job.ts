import { type Found, createReader } from './found.ts'

/** Reads what exists at each path of a folder. */
export default function survey({ root, paths }: { root: string; paths: string[] }): Found[] {
  const look = createReader(root)
  return paths.map((path) => look(path))
}
