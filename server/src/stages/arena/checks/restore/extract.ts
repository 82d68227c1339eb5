import fs from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { isWithin } from '#server/within.ts'

/** Extracts files, folders and links into an empty folder. Links are created last, so that no file is written through one. */
export async function extractInto(folder: string, tar: Readable): Promise<void> {
  const links: [name: string, target: string][] = []
  const reader = extract()
  const sent = pipeline(tar, reader)
  sent.catch(() => {}) // the loop below rejects with it
  for await (const entry of reader) {
    const { name, type, linkname, mode } = entry.header
    const place = path.join(folder, name)
    if (!isWithin(folder, place)) {
      entry.resume()
      continue
    }
    if (type === 'directory') fs.mkdirSync(place, { recursive: true })
    else if (type === 'symlink') links.push([place, linkname ?? ''])
    else if (type === 'file') {
      fs.mkdirSync(path.dirname(place), { recursive: true })
      await pipeline(entry, fs.createWriteStream(place, { flags: 'wx', mode: mode & 0o777 }))
    }
    entry.resume()
  }
  await sent
  for (const [place, target] of links) {
    fs.mkdirSync(path.dirname(place), { recursive: true })
    fs.symlinkSync(target, place)
  }
}
