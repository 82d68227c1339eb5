import fs from 'node:fs'
import path from 'node:path'

/** Calls `act` with an empty folder below `scratch`, which is removed afterwards. */
export async function inScratch<T>(scratch: string, act: (folder: string) => Promise<T>): Promise<T> {
  await fs.promises.mkdir(scratch, { recursive: true, mode: 0o700 })
  const folder = await fs.promises.mkdtemp(path.join(scratch, 'call-'))
  try {
    return await act(folder)
  } finally {
    await fs.promises.rm(folder, { recursive: true, force: true })
  }
}
