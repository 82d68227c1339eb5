import fs from 'node:fs'
import path from 'node:path'
import { isExecutable } from '../tools/files.ts'

/** The first executable of some paths, each a list of names of which `*` stands for any folder. */
export const filesLike = (paths: readonly (readonly string[])[]): string | null =>
  paths.flatMap((names) => expanded(names)).find(isExecutable) ?? null

const expanded = (names: readonly string[]): string[] =>
  names.reduce<string[]>(
    (folders, name) => folders.flatMap((folder) => (name === '*' ? namesIn(folder) : [name]).map((one) => path.join(folder, one))),
    [''],
  )

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder)
  } catch {
    return [] // it is not there
  }
}
