/** Files with the tokens of listeners. */
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { loadConfig } from '#server/config.ts'
import { openToken } from '#server/data-dir/token.ts'
import { TOKEN } from '#server/listeners/tokens.ts'
import { type Context, textOf, UsageError } from './command.ts'

const MAX_BYTES = 4096
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** The folder of `--home`, or the default one. */
export const dataDirOf = (context: Pick<Context, 'values'>): string => loadConfig({ dataDir: textOf(context.values, 'home') }).dataDir

export interface ServiceToken {
  file: string
  /** Creates the token at first use; the data directory must exist. Throws `path_refused` if others can read the file. */
  read(): string
}

/** The token that a service requires of its callers: from `--token-file`, or from `name` in the data directory, which is created at first use. */
export function serviceToken(context: Pick<Context, 'values'>, name: string): ServiceToken {
  const given = textOf(context.values, 'token-file')
  const host = textOf(context.values, 'host')
  if (given === undefined && host !== undefined && !LOOPBACK.has(host))
    throw new UsageError(`Other machines could run commands here through ${host}. Add --token-file FILE, or remove --host.`)
  const file = path.resolve(given ?? path.join(dataDirOf(context), name))
  return { file, read: () => (given === undefined ? openToken(file).value : readPrivate(file)) }
}

function readPrivate(file: string): string {
  const token = readTokenFile(file)
  if (process.platform !== 'win32' && (fs.statSync(file).mode & 0o077) !== 0)
    throw refused(file, 'other users of this machine can read it', `Run: chmod 600 ${file}`)
  if (!TOKEN.test(token))
    throw refused(
      file,
      'a token has 32 to 200 letters, digits, dots, dashes and underscores',
      `Run: (umask 077; openssl rand -hex 32 > ${file})`,
    )
  return token
}

/** Throws `path_refused` if the file cannot be read. */
export function readTokenFile(file: string): string {
  try {
    const { size } = fs.statSync(file)
    if (!fs.statSync(file).isFile() || size > MAX_BYTES) throw new Error('it is not a small file')
    return fs.readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new AppError('path_refused', { message: `The token file ${file} could not be read: ${(cause as Error).message}.`, cause })
  }
}

const refused = (file: string, reason: string, hint: string) =>
  new AppError('path_refused', { message: `The token file ${file} is refused: ${reason}.`, hint })
