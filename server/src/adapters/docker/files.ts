/** Reads and writes files of a container with programs in it, so that a link cannot lead outside. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { NotRun } from '../sandbox/index.ts'
import { requireAbsolute } from '../sandbox/requests.ts'
import { callEngine } from './client.ts'
import { demultiplex, waitForExitCode, runInside } from './inside.ts'
import type { Inside } from './processes.ts'

const WALK = `walk() { p=; IFS=/; set -f; for part in $1; do [ -z "$part" ] && continue; p="$p/$part"; [ -L "$p" ] && { echo "$p is a link, and links are not followed" >&2; exit 3; }; done; unset IFS; }`
/** $2 is the temporary name of the file until it is complete. */
const WRITE = `${WALK}; folder=$(dirname -- "$1"); walk "$folder"; [ -d "$1" ] && [ ! -L "$1" ] && { echo "$1 is a folder" >&2; exit 3; }; mkdir -p -- "$folder" && { cat >"$folder/$2" || { rm -f -- "$folder/$2"; exit 3; }; }`
const MOVE = 'part=$(dirname -- "$1")/$2; chmod "$3" "$part" && mv -fT -- "$part" "$1" || { rm -f -- "$part"; exit 3; }'
const REMOVE = 'rm -f -- "$(dirname -- "$1")/$2"'
const READ = `${WALK}; walk "$1"; [ -f "$1" ] || { echo "$1 does not exist or is not a regular file" >&2; exit 3; }; [ -r "$1" ] || { echo "$1 cannot be opened (permission denied)" >&2; exit 3; }; echo; exec cat -- "$1"`

export interface NewFile {
  mode: number
  limitBytes: number
}

/** The file appears only when it is complete. */
export async function writeInside(inside: Inside, path: string, content: Buffer | Readable, file: NewFile): Promise<void> {
  requireAbsolute(path, 'The path')
  const { mode, limitBytes } = file
  const { container, user } = inside
  const args = [path, `.${randomBytes(8).toString('hex')}`, mode.toString(8)]
  const isBuffer = Buffer.isBuffer(content)
  if (isBuffer && content.length > limitBytes) throw tooLarge(path, limitBytes)
  const script = isBuffer ? `{ ${WRITE}; } && { ${MOVE}; }` : WRITE
  const exec = await callEngine(
    container.exec({
      Cmd: ['/bin/sh', '-c', script, 'sh', ...args],
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      User: user,
    }),
  )
  const stream = await callEngine(exec.start({ hijack: true, stdin: true }))
  stream.on('error', () => {}) // the failure is reported at its end
  const { output, errors } = demultiplex(stream)
  output.resume()
  const errorText = text(errors)
  try {
    await send(isBuffer ? [content] : content, stream, () => tooLarge(path, limitBytes), limitBytes)
  } catch (error) {
    stream.end()
    await waitForExitCode(exec)
    await runInside(container, user, REMOVE, args)
    throw error
  }
  if ((await waitForExitCode(exec)) !== 0) throw refusalOf(path, await errorText)
  if (isBuffer) return
  const { code, output: why } = await runInside(container, user, `exec 2>&1; ${MOVE}`, args)
  if (code !== 0) throw refusalOf(path, why)
}

/** Returns early if the program ended before it read everything: its exit code then has the reason. */
async function send(content: Iterable<Buffer> | Readable, to: Writable, refusal: () => Error, limitBytes: number): Promise<void> {
  let remaining = limitBytes
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if ((remaining -= chunk.length) < 0) throw refusal()
    if (!to.writable) return
    if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')])
  }
  to.end()
}

const tooLarge = (path: string, limitBytes: number) =>
  new NotRun('invalid_request', `${path} would be larger than the limit for a file (${limitBytes} bytes).`)

/** The script prints an empty line before the content, which shows that the file could be opened. */
export async function readInside({ container, user }: Inside, path: string): Promise<Readable> {
  requireAbsolute(path, 'The path')
  const exec = await callEngine(
    container.exec({ Cmd: ['/bin/sh', '-c', READ, 'sh', path], AttachStdout: true, AttachStderr: true, User: user }),
  )
  const { output, errors } = demultiplex(await callEngine(exec.start({ hijack: true, stdin: false })))
  const errorText = text(errors)
  const content = new PassThrough()
  for await (const first of output.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    content.write(first.subarray(1))
    return output.pipe(content)
  }
  throw refusalOf(path, await errorText)
}

const refusalOf = (path: string, reason: string) =>
  new NotRun('invalid_request', `${path} cannot be used: ${reason.trim() || 'the container refused it'}.`)
