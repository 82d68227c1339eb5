import path from 'node:path'
import { Unfit } from './unfit.ts'

export type Node =
  | { kind: 'folder'; mode: number | null }
  /** `of`: the file whose first content it has or begins with. */
  | { kind: 'file'; mode: number | null; text: string; of: string | null }
  | { kind: 'link'; mode: null; target: string }
  | { kind: 'archive'; mode: number | null; members: string[]; isCompressed: boolean }
  | { kind: 'compressed'; mode: number | null; text: string; of: string | null }

/** Where the folder that a session worked in is in a sandbox. */
export const BASE = '/srv/project'
const LARGEST = 20_000

export const firstContent = (at: string): string => `This is ${path.basename(at)} as it was at the start.\n`

/**
 * Files as commands need them and leave them. What a command uses and none before it made was there at the start: it
 * succeeded. Its kind follows from how it is used, its content is made up.
 */
export function createTree() {
  const before = new Map<string, Node>([[BASE, { kind: 'folder', mode: null }]])
  const now = new Map(before)

  const isBeneath = (at: string, folder: string) => at.startsWith(`${folder}/`)
  /** Whether all that a folder has is known. */
  const isOurs = (at: string) => now.has(at) && !before.has(at)
  const wasGone = (at: string) => before.has(at) && !now.has(at)

  function suppose(at: string, node: Node): Node {
    for (let up = path.posix.dirname(at); up !== '/'; up = path.posix.dirname(up))
      if (wasGone(up) || isOurs(up)) throw new Unfit(`It uses ${at}, which cannot have been there.`)
    if (wasGone(at)) throw new Unfit(`It uses ${at} after that was moved or removed.`)
    folder(path.posix.dirname(at))
    before.set(at, node)
    now.set(at, node)
    return node
  }
  function folder(at: string): void {
    if (at === '/' || at === '/tmp' || at === '/srv') return
    const node = now.get(at)
    if (node === undefined) suppose(at, { kind: 'folder', mode: null })
    else if (node.kind !== 'folder') throw new Unfit(`It uses ${at} as a folder, which it cannot be.`)
  }
  const file = (at: string): Node => now.get(at) ?? suppose(at, { kind: 'file', mode: null, text: firstContent(at), of: at })
  /** A folder with something in it. */
  function filled(at: string): void {
    folder(at)
    if (![...now.keys()].some((one) => isBeneath(one, at)) && before.has(at)) file(`${at}/part.txt`)
  }
  const looksLikeFile = (at: string) => path.extname(at).length > 1
  /** What a command reads as a whole, a file or, where it may be one, a folder. */
  function existing(at: string, mayBeFolder: boolean): void {
    const known = now.get(at)
    if (known?.kind === 'folder' || (known === undefined && mayBeFolder && !looksLikeFile(at))) filled(at)
    else file(at)
  }
  function set(at: string, node: Node): void {
    if ('text' in node && node.text.length > LARGEST) throw new Unfit(`It writes more than ${LARGEST} characters to a file.`)
    folder(path.posix.dirname(at))
    now.set(at, node)
  }
  const under = (at: string) => [...now].filter(([one]) => one === at || isBeneath(one, at))
  function remove(at: string): void {
    for (const [one] of under(at)) now.delete(one)
  }

  return {
    before: before as ReadonlyMap<string, Node>,
    now: now as ReadonlyMap<string, Node>,
    folder,
    file,
    existing,
    set,
    remove,
    under,
    looksLikeFile,
    makeFolders(at: string): void {
      const missing: string[] = []
      for (let up = at; up !== '/' && up !== '/tmp' && up !== '/srv' && !now.has(up); up = path.posix.dirname(up)) missing.unshift(up)
      for (const one of missing) now.set(one, { kind: 'folder', mode: null })
      folder(at)
    },
  }
}
export type Tree = ReturnType<typeof createTree>
