import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { loadConfig, pathsOf } from '#server/config.ts'
import { readToken } from '#server/data-dir/token.ts'
import { type Context, textOf, UsageError } from '../../command.ts'
import { routes } from '#contracts/routes/index.ts'
import { fullId, withShortIds } from '../../short-ids.ts'
import { overHttp } from '../../connect.ts'
import { type Answered, askForProof } from '../../prove.ts'
import { dataDirOf, readTokenFile } from '../../token-file.ts'
import { overApi } from './over-api.ts'
import { overBare } from './over-bare.ts'
import type { Sandboxes } from './sandboxes.ts'
import { SANDBOX_TOKEN } from './serve.ts'

/** Sandboxes at `--server URL`, of the running app, or of the app inside this process. `needsServer`: they must outlive the command. */
export async function openSandboxes(context: Context, { needsServer = false } = {}): Promise<Sandboxes> {
  const serverOption = textOf(context.values, 'server')
  if (serverOption === undefined) return overApi((await context.connect({ needsServer })).client)
  const url = originOf(serverOption)
  const given = givenToken(context)
  const tokens = given === null ? ownTokens(context) : [given]
  const main = await askForProof(`${url}/api/health`, { tokens, signal: context.signal })
  if (isBashGym(main)) {
    if (main.token !== null) return overApi(withShortIds(overHttp(url, main.token).client, routes))
    if (given !== null) throw notProven(url)
    throw new AppError('unauthorized', {
      message: `${url} is a Bash Gym server, which needs a token.`,
      hint: 'Add --token-file FILE (the file `token` in its data directory), or set BASHGYM_SANDBOX_TOKEN.',
    })
  }
  const bare = await askForProof(`${url}/health`, { tokens, signal: context.signal })
  const isOurs = bare.response.headers.get('server') === 'bashgym'
  if (bare.token !== null) return withFullIds(overBare({ url, token: bare.token, isOurs }))
  if (given === null && isOurs)
    throw new AppError('unauthorized', {
      message: `${url} is a sandbox service of Bash Gym, which needs a token.`,
      hint: 'Add --token-file FILE (the file that it names in its first line), or set BASHGYM_SANDBOX_TOKEN.',
    })
  if (given !== null && (isOurs || context.values['send-token'] !== true)) throw notProven(url)
  return withFullIds(overBare({ url, token: given, isOurs }))
}

/** The service has no table of routes, so its calls are named here. */
function withFullIds(sandboxes: Sandboxes): Sandboxes {
  const full = (id: string) => fullId(id, async () => (await sandboxes.list()).items.map((one) => one.id))
  return {
    ...sandboxes,
    start: async (id, ...more) => sandboxes.start(await full(id), ...more),
    exec: async (id, ...more) => sandboxes.exec(await full(id), ...more),
    stop: async (id, ...more) => sandboxes.stop(await full(id), ...more),
    trajectory: async (id) => sandboxes.trajectory(await full(id)),
    trajectoryText: async (id) => sandboxes.trajectoryText(await full(id)),
  }
}

const notProven = (url: string) =>
  new AppError('unauthorized', {
    message: `${url} did not prove that it knows the token, so the token was not sent: another program may listen there.`,
    hint: 'Check the address and the token. For a service of others, which cannot prove itself, add --send-token, or leave the token out.',
  })

function originOf(serverOption: string): string {
  const url = URL.canParse(serverOption) ? new URL(serverOption) : null
  if (!url || !/^https?:$/.test(url.protocol) || !/^\/(api\/?)?$/.test(url.pathname) || url.search || url.username)
    throw new UsageError(`--server must be an address such as http://127.0.0.1:3000, not "${serverOption}".`)
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1' // another user's program may listen on the other address of the name
  return url.origin
}

/** --token-file overrides the environment variable. */
function givenToken(context: Context): string | null {
  const file = textOf(context.values, 'token-file')
  return file === undefined ? loadConfig().sandboxToken : readTokenFile(file)
}

/** Tokens of this data directory: the server may belong to it. */
function ownTokens(context: Context): string[] {
  const dataDir = dataDirOf(context)
  return [pathsOf(dataDir).token, path.join(dataDir, SANDBOX_TOKEN)].flatMap((file) => readToken(file) ?? [])
}

/** The bare service has no `/api`. */
const isBashGym = ({ response, text }: Answered) =>
  response.ok && (response.headers.get('content-type') ?? '').includes('json') && text.includes('"version"')
