import type { Readable } from 'node:stream'
import { type ForeignFolder, inForeign } from './folder.ts'
import { tarEntries, type TarEntry, type TarLimits } from './tar.ts'

const LIMITS: TarLimits = { entries: 500_000, bytes: 4 * 1024 ** 3 }
/** So that we can read and remove what we unpacked. */
const OURS = 0o600

/**
 * Unpacks files, folders and links into an empty folder. Links are made last and never followed; FIFOs and devices are left out.
 * Throws `ForeignTarError` for an archive that is refused. After an error the folder is empty again.
 */
export function extractInto(folder: string, tar: Readable, limits: TarLimits = LIMITS): Promise<void> {
  const entries = tarEntries(tar, limits)
  return inForeign(folder, async (into) => {
    if ((await into.list('', 1)).length > 0) {
      tar.destroy()
      throw new Error(`${folder} is not empty, so nothing is unpacked into it.`)
    }
    try {
      await unpack(into, entries)
    } catch (error) {
      for (const { name } of await into.list()) await into.removeTree(name)
      throw error
    }
  })
}

async function unpack(into: ForeignFolder, entries: AsyncIterable<TarEntry>): Promise<void> {
  const links: { name: string; target: string }[] = []
  for await (const entry of entries) {
    const { name, kind } = entry
    if (kind === 'folder') await into.makeFolder(name)
    else if (kind === 'link') links.push({ name, target: entry.target })
    else if (kind === 'file') await into.writeFile(name, entry.content, { mode: entry.mode | OURS, limitBytes: entry.size, replace: false })
  }
  for (const { name, target } of links) await into.makeLink(name, target)
}
