import path from 'node:path'
import { UnfitError } from './unfit.ts'

export type Node =
  | { kind: 'folder'; mode: number | null }
  /** `of`: the file whose original content it has or begins with. */
  | { kind: 'file'; mode: number | null; text: string; of: string | null }
  | { kind: 'link'; mode: null; target: string }
  | { kind: 'archive'; mode: number | null; members: string[]; isCompressed: boolean }
  | { kind: 'compressed'; mode: number | null; text: string; of: string | null }

/** The path in a sandbox of the folder that a session worked in. */
export const BASE = '/srv/project'
const MAX_CHARACTERS = 20_000

export const firstContent = (at: string): string => `This is ${path.basename(at)} as it was at the start.\n`

/**
 * The files before and after commands. A path that a successful command uses and no earlier command created must have existed
 * at the start. Its kind is derived from its use, and its content is invented.
 */
export function createTree() {
  const before = new Map<string, Node>([[BASE, { kind: 'folder', mode: null }]])
  const now = new Map(before)

  const isBeneath = (at: string, folder: string) => at.startsWith(`${folder}/`)
  /** Whether the commands created it, so that its content is known. */
  const isCreated = (at: string) => now.has(at) && !before.has(at)
  const isRemoved = (at: string) => before.has(at) && !now.has(at)

  function assumeExisted(at: string, node: Node): Node {
    for (let up = path.posix.dirname(at); up !== '/'; up = path.posix.dirname(up))
      if (isRemoved(up) || isCreated(up)) throw new UnfitError(`It uses ${at}, which cannot have existed.`)
    if (isRemoved(at)) throw new UnfitError(`It uses ${at} after it was moved or removed.`)
    folder(path.posix.dirname(at))
    before.set(at, node)
    now.set(at, node)
    return node
  }
  function folder(at: string): void {
    if (at === '/' || at === '/tmp' || at === '/srv') return
    const node = now.get(at)
    if (node === undefined) assumeExisted(at, { kind: 'folder', mode: null })
    else if (node.kind !== 'folder') throw new UnfitError(`It uses ${at} as a folder, which it cannot be.`)
  }
  const file = (at: string): Node => now.get(at) ?? assumeExisted(at, { kind: 'file', mode: null, text: firstContent(at), of: at })
  /** Assumes that a folder existed with something in it. */
  function assumeFilled(at: string): void {
    folder(at)
    if (![...now.keys()].some((one) => isBeneath(one, at)) && before.has(at)) file(`${at}/part.txt`)
  }
  const looksLikeFile = (at: string) => path.extname(at).length > 1
  /** Assumes that a path existed: as a folder if it may be one, otherwise as a file. */
  function existing(at: string, mayBeFolder: boolean): void {
    const node = now.get(at)
    if (node?.kind === 'folder' || (node === undefined && mayBeFolder && !looksLikeFile(at))) assumeFilled(at)
    else file(at)
  }
  function set(at: string, node: Node): void {
    if ('text' in node && node.text.length > MAX_CHARACTERS)
      throw new UnfitError(`It writes more than ${MAX_CHARACTERS} characters to a file.`)
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
