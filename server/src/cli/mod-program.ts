/**
 * What our mod of Claude Code runs for each step: hands standard input to a route of the app, and the answer to standard output.
 * Starting it is most of its time, so it loads nothing of the contract (docs/decisions/0138).
 */
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { readToken } from '#server/data-dir/token.ts'
import { CHALLENGE, isSame, newChallenge, PROOF, proofOf } from '#server/listeners/tokens.ts'

/** A program without output for minutes could be taken for a dead one. */
const SIGN_OF_LIFE_MS = 5000
const JSON_TYPE = 'application/json'

/** Slower than this, a verdict on a command is none: the user is asked. */
const CHECK_MS = 10_000
const STEP = '/api/router/steps'

/** Ends the program with a sentence for the user. */
class Failure extends Error {}

const [place = '', serverFile = '', tokenFile = ''] = process.argv.slice(2)
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })

function call(url: URL, headers: Record<string, string>, body?: Buffer, signal?: AbortSignal): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const method = body === undefined ? 'GET' : 'POST'
  http
    .request(url, { agent, method, signal, headers: { ...headers, ...(body && { 'content-length': body.length }) } })
    .once('response', resolve)
    .once('error', ({ code, message }: NodeJS.ErrnoException) =>
      reject(new Failure(code === 'ECONNREFUSED' ? NONE : `Bash Gym at ${url.origin} did not answer: ${code ?? message}.`)),
    )
    .end(body)
  return promise
}

const NONE = `No server is running on ${path.dirname(serverFile)}. Start one with \`npm start\` or \`bashgym serve\`.`

function serverAddress(): string {
  try {
    const { url } = JSON.parse(fs.readFileSync(serverFile, 'utf8')) as { url: unknown }
    if (typeof url === 'string') return url
  } catch {
    // missing, as when no server runs
  }
  throw new Failure(NONE)
}

/** The token goes only to a server that proves to know it: another program may have the port of one that ended. */
async function isOurs(address: string, token: string): Promise<boolean> {
  const url = new URL('/api/health', address)
  const challenge = newChallenge()
  const response = await call(url, { [CHALLENGE]: challenge })
  await buffer(response)
  const proof = response.headers[PROOF]
  return typeof proof === 'string' && isSame(proof, proofOf(token, { challenge, host: url.host })!)
}

/** The step with the folder of the session, in which the client starts us. */
const withFolder = (step: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`{"directory":${JSON.stringify(process.cwd())},`), step.subarray(1)])

async function main(): Promise<void> {
  const input = buffer(process.stdin)
  const address = serverAddress()
  const token = readToken(tokenFile)
  if (token === null) throw new Failure(NONE)
  if (!(await isOurs(address, token)))
    throw new Failure(`The program at ${address} is not the server of ${path.dirname(serverFile)}, so nothing was sent to it.`)
  const timer = setInterval(() => process.stdout.write('\n'), SIGN_OF_LIFE_MS)
  try {
    const headers = { authorization: `Bearer ${token}`, 'content-type': JSON_TYPE, accept: JSON_TYPE }
    const signal = place === STEP ? undefined : AbortSignal.timeout(CHECK_MS)
    const response = await call(new URL(place, address), headers, place === STEP ? withFolder(await input) : await input, signal)
    clearInterval(timer)
    await pipeline(response, process.stdout, { end: false })
  } finally {
    clearInterval(timer)
  }
}

main()
  .catch((error: unknown) => {
    const message = error instanceof Failure ? error.message : `Bash Gym could not be asked: ${String(error)}`
    process.stdout.write(JSON.stringify({ error: { message } }))
  })
  .finally(() => agent.destroy())
