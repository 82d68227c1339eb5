/** Files of a container, by programs in it: what a link could lead to is inside as well. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { NotRun } from '../sandbox/index.ts'
import { requireAbsolute } from '../sandbox/requests.ts'
import { ask } from './client.ts'
import { demultiplexed, ended, runInside } from './inside.ts'
import type { Inside } from './processes.ts'

const WALK = `walk() { p=; IFS=/; set -f; for part in $1; do [ -z "$part" ] && continue; p="$p/$part"; [ -L "$p" ] && { echo "$p is a link, and links are not followed" >&2; exit 3; }; done; unset IFS; }`
/** $2 is the name of the file until it is whole. */
const WRITE = `${WALK}; folder=$(dirname -- "$1"); walk "$folder"; [ -d "$1" ] && [ ! -L "$1" ] && { echo "$1 is a folder" >&2; exit 3; }; mkdir -p -- "$folder" && { cat >"$folder/$2" || { rm -f -- "$folder/$2"; exit 3; }; }`
const PLACE = 'part=$(dirname -- "$1")/$2; chmod "$3" "$part" && mv -fT -- "$part" "$1" || { rm -f -- "$part"; exit 3; }'
const REMOVE = 'rm -f -- "$(dirname -- "$1")/$2"'
const READ = `${WALK}; walk "$1"; [ -f "$1" ] || { echo "$1 is no plain file, or not there" >&2; exit 3; }; [ -r "$1" ] || { echo "$1 may not be opened" >&2; exit 3; }; echo; exec cat -- "$1"`

export interface NewFile {
  mode: number
  limitBytes: number
}

/** The file appears whole or not at all. */
export async function writeInside(inside: Inside, path: string, content: Buffer | Readable, file: NewFile): Promise<void> {
  requireAbsolute(path, 'The path')
  const { mode, limitBytes } = file
  const { container, user } = inside
  const args = [path, `.${randomBytes(8).toString('hex')}`, mode.toString(8)]
  const isWhole = Buffer.isBuffer(content)
  if (isWhole && content.length > limitBytes) throw tooLarge(path, limitBytes)
  const script = isWhole ? `{ ${WRITE}; } && { ${PLACE}; }` : WRITE
  const exec = await ask(
    container.exec({
      Cmd: ['/bin/sh', '-c', script, 'sh', ...args],
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      User: user,
    }),
  )
  const stream = await ask(exec.start({ hijack: true, stdin: true }))
  stream.on('error', () => {}) // the failure is reported at its end
  const { output, errors } = demultiplexed(stream)
  output.resume()
  const errorText = text(errors)
  try {
    await send(isWhole ? [content] : content, stream, () => tooLarge(path, limitBytes), limitBytes)
  } catch (error) {
    stream.end()
    await ended(exec)
    await runInside(container, user, REMOVE, args)
    throw error
  }
  if ((await ended(exec)) !== 0) throw refused(path, await errorText)
  if (isWhole) return
  const { code, output: why } = await runInside(container, user, `exec 2>&1; ${PLACE}`, args)
  if (code !== 0) throw refused(path, why)
}

/** The exit code of a program that ended before it read everything has the reason. */
async function send(content: Iterable<Buffer> | Readable, to: Writable, refusal: () => Error, limitBytes: number): Promise<void> {
  let left = limitBytes
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if ((left -= chunk.length) < 0) throw refusal()
    if (!to.writable) return
    if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')])
  }
  to.end()
}

const tooLarge = (path: string, limitBytes: number) =>
  new NotRun('invalid_request', `${path} would be larger than a file may be (${limitBytes} bytes).`)

/** An empty line announces the content. */
export async function readInside({ container, user }: Inside, path: string): Promise<Readable> {
  requireAbsolute(path, 'The path')
  const exec = await ask(container.exec({ Cmd: ['/bin/sh', '-c', READ, 'sh', path], AttachStdout: true, AttachStderr: true, User: user }))
  const { output, errors } = demultiplexed(await ask(exec.start({ hijack: true, stdin: false })))
  const errorText = text(errors)
  const content = new PassThrough()
  for await (const first of output.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    content.write(first.subarray(1))
    return output.pipe(content)
  }
  throw refused(path, await errorText)
}

const refused = (path: string, reason: string) =>
  new NotRun('invalid_request', `${path} cannot be used: ${reason.trim() || 'the container refused it'}.`)
