import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const Created = z.object({ folder: z.string(), first: z.string() })

/** Remembers which folders an install made, so that a removal leaves exactly those that were there before. */
export function createdRecord(dataDir: string, folder: string) {
  const file = path.join(dataDir, 'backups', `mod-${hash('sha256', folder).slice(0, 12)}.json`)
  const read = () => {
    try {
      const { data } = Created.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')))
      return data?.folder === folder && `${folder}/`.startsWith(`${data.first}/`) ? data.first : null
    } catch {
      return null // missing or damaged
    }
  }
  return {
    /** `first`: the topmost folder that was made; undefined for none. */
    made(first: string | undefined): void {
      if (first === undefined) return
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      fs.writeFileSync(file, JSON.stringify({ folder, first }), { mode: 0o600 })
    },
    /** Removes the folder, and those that an install made, as far as they are empty. */
    remove(): void {
      const first = read() ?? folder
      for (let at = folder; `${at}/`.startsWith(`${first}/`); at = path.dirname(at)) {
        try {
          fs.rmdirSync(at)
        } catch {
          break // something else is in it
        }
      }
      fs.rmSync(file, { force: true })
    },
  }
}
