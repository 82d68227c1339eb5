import fs from 'node:fs'
import { parseEnv } from 'node:util'

/** The variables of a `.env` file; none if there is no such file. `~/` at the start of a value is the home folder. */
export function variablesOfFile(file: string, userHome: string): NodeJS.ProcessEnv {
  try {
    const variables = Object.entries(parseEnv(fs.readFileSync(file, 'utf8')))
    return Object.fromEntries(variables.map(([name, value]) => [name, value?.replace(/^~(?=\/|$)/, () => userHome)]))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return {}
    throw error
  }
}
