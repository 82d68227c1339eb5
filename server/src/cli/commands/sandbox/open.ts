import fs from 'node:fs'
import { AppError } from '#contracts/errors.ts'
import { loadConfig } from '#server/config.ts'
import { type Context, textOf, UsageError } from '../../command.ts'
import { overHttp } from '../../connect.ts'
import { httpCall } from '../../http-call.ts'
import { overApi } from './over-api.ts'
import { overBare } from './over-bare.ts'
import type { Sandboxes } from './sandboxes.ts'

/** Sandboxes at `--server URL`, of the running app, or of the app inside this process. `needsServer`: they must outlive the command. */
export async function openSandboxes(context: Context, { needsServer = false } = {}): Promise<Sandboxes> {
  const serverOption = textOf(context.values, 'server')
  if (serverOption === undefined) return overApi((await context.connect({ needsServer })).client)
  const url = originOf(serverOption)
  const token = tokenOf(context)
  if (await isBashGym(url, context.signal)) {
    if (token === null)
      throw new AppError('unauthorized', {
        message: `${url} is a Bash Gym server, which needs a token.`,
        hint: 'Add --token-file FILE (the file `token` in its data directory), or set BASHGYM_SANDBOX_TOKEN.',
      })
    return overApi(overHttp(url, token).client)
  }
  const health = await httpCall(`${url}/health`, { method: 'GET', signal: context.signal })
  await health.text()
  return overBare({ url, token, isOurs: health.headers.get('server') === 'bashgym' })
}

function originOf(serverOption: string): string {
  const url = URL.canParse(serverOption) ? new URL(serverOption) : null
  if (!url || !/^https?:$/.test(url.protocol) || !/^\/(api\/?)?$/.test(url.pathname) || url.search || url.username)
    throw new UsageError(`--server must be an address such as http://127.0.0.1:3000, not "${serverOption}".`)
  return url.origin
}

/** --token-file overrides the environment variable. */
function tokenOf(context: Context): string | null {
  const file = textOf(context.values, 'token-file')
  if (file === undefined) return loadConfig().sandboxToken
  try {
    return fs.readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new AppError('path_refused', { message: `The token file ${file} could not be read: ${(cause as Error).message}.`, cause })
  }
}

/** The bare service has no `/api`. This request carries no token, because the server is not identified yet. */
async function isBashGym(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await httpCall(`${url}/api/health`, { method: 'GET', signal })
  const text = await response.text()
  return response.ok && (response.headers.get('content-type') ?? '').includes('json') && text.includes('"version"')
}
