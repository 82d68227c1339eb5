import fs from 'node:fs'
import { z } from 'zod'
import { jsonOf } from '../tools/json.ts'

const Keys = z.record(z.string(), z.string())

/** Keys of providers in one file of the data directory, 0600, written whole. It is in no backup. */
export function createKeyFile(file: string) {
  const read = (): Record<string, string> => {
    const text = textOf(file)
    const keys = text === null ? {} : Keys.safeParse(jsonOf(text)).data
    if (!keys) throw new Error(`${file} cannot be read. Remove it, then enter the keys again.`) // without the reason, which may quote a key
    return keys
  }
  const write = (keys: Record<string, string>) => {
    const temporary = `${file}.new`
    fs.rmSync(temporary, { force: true })
    fs.writeFileSync(temporary, JSON.stringify(keys), { mode: 0o600, flag: 'wx' })
    fs.chmodSync(temporary, 0o600)
    fs.renameSync(temporary, file)
  }
  return {
    get: (id: string): string | null => read()[id] ?? null,
    set: (id: string, key: string): void => write({ ...read(), [id]: key }),
    remove(id: string): void {
      const { [id]: _gone, ...rest } = read()
      write(rest)
    },
  }
}

function textOf(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
