import fs from 'node:fs'
import path from 'node:path'

/** Calls `work` with an empty folder below `scratch`, which is removed afterwards. */
export async function inScratch<T>(scratch: string, work: (folder: string) => Promise<T>): Promise<T> {
  await fs.promises.mkdir(scratch, { recursive: true, mode: 0o700 })
  const folder = await fs.promises.mkdtemp(path.join(scratch, 'call-'))
  try {
    return await work(folder)
  } finally {
    await fs.promises.rm(folder, { recursive: true, force: true })
  }
}
