import fs from 'node:fs'
import path from 'node:path'
import { sync as writeFileAtomicSync } from 'write-file-atomic'
import { z } from 'zod'
import { HubId, HubRef, HubRevision } from '#contracts/entities/base-model.ts'
import { repoFolder, type RepoFile } from '#server/adapters/hub/index.ts'
import { namesIn } from './find.ts'

const File = z.object({
  path: z.string().max(300).regex(/^[^/\\\0]+$/), // prettier-ignore
  bytes: z.number().int().nonnegative(),
  digest: z.object({ kind: z.enum(['sha256', 'git-sha1']), hex: z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/) }),
})
/** An unfinished download. It is stored in the model's cache folder, so that it is deleted together with the files. */
const Pending = z.object({ id: HubId, ref: HubRef, revision: HubRevision, files: z.array(File).max(10_000) })
export type Pending = z.infer<typeof Pending> & { files: RepoFile[] }

const NAME = 'bashgym-download.json'
const fileIn = (cache: string, id: string) => path.join(repoFolder(cache, id), NAME)

export function writePending(cache: string, pending: Pending): void {
  const file = fileIn(cache, pending.id)
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  writeFileAtomicSync(file, JSON.stringify(pending), { mode: 0o600 })
}

export const removePending = (cache: string, id: string): void => fs.rmSync(fileIn(cache, id), { force: true })

/** Unfinished downloads in this cache. Unreadable ones are ignored. */
export const listPending = (cache: string): Pending[] =>
  namesIn(cache)
    .filter((name) => name.startsWith('models--'))
    .flatMap((name) => readPending(path.join(cache, name, NAME)))

function readPending(file: string): Pending[] {
  try {
    return [Pending.parse(JSON.parse(fs.readFileSync(file, 'utf8')))]
  } catch {
    return []
  }
}
