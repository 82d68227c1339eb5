import fs from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { Facts } from './ask.ts'
import { pythonIn } from './install.ts'

const Marker = z.object({ installedAt: z.string(), build: z.enum(['cpu', 'cuda']), bytes: z.number() })
export type Marker = z.infer<typeof Marker>

/** The environment that we install in `env/venv`. It is complete if `env/ready.json` exists, which is written last. */
export function ownEnvironment(folder: string) {
  const venv = path.join(folder, 'venv')
  const marker = path.join(folder, 'ready.json')
  return {
    folder,
    venv,
    python: pythonIn(venv),
    exists: () => fs.existsSync(venv),
    /** Null if it is missing or incomplete. */
    ready(): Marker | null {
      try {
        return Marker.parse(JSON.parse(fs.readFileSync(marker, 'utf8')))
      } catch {
        return null
      }
    },
    /** Marks it as incomplete. */
    begin() {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      fs.rmSync(marker, { force: true })
    },
    finish: (content: Marker) => writeFileAtomic(marker, `${JSON.stringify(content)}\n`, { mode: 0o600 }),
    remove: () => fs.promises.rm(folder, { recursive: true, force: true }),
    clear: () => fs.promises.rm(venv, { recursive: true, force: true }),
  }
}

const Proof = z.object({ key: z.string(), at: z.number(), facts: Facts })
export type Proof = z.infer<typeof Proof>

/** A file with the last successful import of an interpreter's packages. */
export const proofFile = (file: string) => ({
  read(key: string): Proof | null {
    try {
      const proof = Proof.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
      return proof.key === key ? proof : null
    } catch {
      return null
    }
  },
  write(proof: Proof) {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileAtomic.sync(file, `${JSON.stringify(proof)}\n`, { mode: 0o600 })
  },
})

/** Bytes that a folder uses on the disk; hard links count once. */
export async function sizeOf(folder: string): Promise<number> {
  const counted = new Set<string>()
  let bytes = 0
  const entries = await fs.promises.readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const { ino, dev, nlink, blocks } = await fs.promises.lstat(path.join(entry.parentPath, entry.name))
    const key = `${dev} ${ino}`
    if (nlink > 1 && counted.has(key)) continue
    counted.add(key)
    bytes += blocks * 512
  }
  return bytes
}
