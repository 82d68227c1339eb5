import { sync as writeFileAtomicSync } from 'write-file-atomic'
import { z } from 'zod'
import { readText } from '../output-files/index.ts'
import { jsonOf } from '../tools/json.ts'

const Keys = z.record(z.string(), z.string())

/** The providers' keys, in one file (0600) of the data directory that no backup contains. */
export function createKeyFile(file: string) {
  const read = (): Record<string, string> => {
    const text = readText(file)
    const keys = text === null ? {} : Keys.safeParse(jsonOf(text)).data
    if (!keys) throw new Error(`${file} cannot be read. Remove it, then enter the keys again.`) // without the reason, which may quote a key
    return keys
  }
  const write = (keys: Record<string, string>) => writeFileAtomicSync(file, JSON.stringify(keys), { mode: 0o600 })
  return {
    get: (id: string): string | null => read()[id] ?? null,
    set: (id: string, key: string): void => write({ ...read(), [id]: key }),
    remove(id: string): void {
      const { [id]: _gone, ...rest } = read()
      write(rest)
    },
  }
}
