import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { SandboxFile } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { Machine } from '#server/adapters/sandbox/index.ts'
import { ForeignFileError, ForeignTarError } from '#server/foreign/index.ts'
import { engineError } from './engines.ts'
import type { Running } from './running.ts'

/** How much of tar's output an error includes. */
const TAIL_CHARACTERS = 2000
/** The tar of an image may never end. */
const READ_MS = 600_000

/** Reads a tar stream to its end. */
type TarReader = (tar: Readable) => Promise<void>

/** Files of running sandboxes. Reading and writing count as work, so the sandbox is not idle meanwhile. */
export function createFiles(require: (id: string) => Running) {
  const work = async <T>(id: string, operation: (machine: Machine) => Promise<T>): Promise<T> => {
    const live = require(id)
    return live.work(() => operation(live.machine))
  }
  return {
    write: (id: string, file: SandboxFile): Promise<void> => work(id, (machine) => writeFile(machine, file)),
    read: async (id: string, path: string): Promise<Readable> => require(id).machine.read(path).catch(refusePath),
    /** Unpacks a tar file into a folder. */
    unpack: (id: string, folder: string, tar: Readable): Promise<void> => work(id, (machine) => unpack(machine, folder, tar)),
    /** Ends all programs, then reads a folder, except its `.git` and `excludedNames`. */
    stopAndReadFolder: (id: string, folder: string, excludedNames: readonly string[], take: TarReader): Promise<void> =>
      work(id, async (machine) => {
        await machine.endPrograms()
        await readTar(machine, WHOLE, [folder, ...excludedNames.map(excluded)], take)
      }),
    /** Reads a folder while programs continue to run. */
    readFolder: (id: string, folder: string, excludedNames: readonly string[], take: TarReader): Promise<void> =>
      work(id, (machine) => readTar(machine, WHOLE, [folder, ...excludedNames.map(excluded)], take)),
    /** Reads those of the named files and folders that exist, while programs continue to run. */
    readNamed: (id: string, folder: string, names: readonly string[], take: TarReader): Promise<void> =>
      work(id, (machine) => readTar(machine, NAMED, [folder, ...names], take)),
  }
}

const refusePath = (error: unknown): never => {
  throw engineError(error, 'path_refused')
}

export const writeFile = (machine: Machine, { path, content, encoding, mode }: SandboxFile): Promise<void> =>
  machine.write(path, Buffer.from(content, encoding), mode).catch(refusePath)

/** With the machine's own tar: nothing in the archive can lead out of it. */
async function unpack(machine: Machine, folder: string, tar: Readable): Promise<void> {
  const channel = await machine.open({
    argv: ['tar', '--extract', '--file=-', `--directory=${folder}`, '--no-same-owner'],
    terminal: null,
  })
  const [outputText, errorText] = [tailOf(channel.output), tailOf(channel.errors)]
  const sent = pipeline(tar, channel.input).catch((error: unknown) => error as Error) // a tar that ended early closes its input
  const { code } = await channel.exit
  const failure = await sent
  if (code === 0 && failure === undefined) return
  throw new AppError('engine_failed', {
    message: `The files could not be copied into the sandbox: ${(outputText() + errorText()).trim() || (failure?.message ?? exitText(code))}`,
    cause: failure,
  })
}

const WHOLE = 'cd "$1" || exit 1; shift; exec tar --create --file=- --hard-dereference --exclude=.git "$@" .'
const NAMED =
  'cd "$1" || exit 1; shift; for one; do shift; [ -e "$one" ] && set -- "$@" "$one"; done; [ $# -eq 0 ] || exec tar --create --file=- --hard-dereference -- "$@"'
const excluded = (name: string) => `--exclude=./${name}`

/** Throws if the files could not be read completely. The tar is the machine's own, so `take` must not trust what it prints. */
async function readTar(machine: Machine, script: string, args: readonly string[], take: TarReader): Promise<void> {
  const failed = (why: string, cause?: unknown) =>
    new AppError('engine_failed', { message: `The files could not be read out of the sandbox: ${why}`, cause })
  const channel = await machine.open({ argv: ['/bin/sh', '-c', script, 'sh', ...args], terminal: null, cwd: '/' })
  channel.input.end()
  const errorText = tailOf(channel.errors)
  const late = setTimeout(() => channel.output.destroy(new ForeignTarError(`tar did not end within ${READ_MS / 1000} s`)), READ_MS)
  try {
    await take(channel.output)
  } catch (error) {
    await channel.end()
    throw error instanceof ForeignTarError || error instanceof ForeignFileError ? failed(error.message, error) : error
  } finally {
    clearTimeout(late)
  }
  const { code } = await channel.exit
  if (code !== 0) throw failed(errorText().trim() || exitText(code))
}

function tailOf(stream: Readable | null): () => string {
  let text = ''
  stream?.on('data', (bytes: Buffer) => (text = (text + bytes.toString('utf8')).slice(-TAIL_CHARACTERS)))
  return () => text
}

const exitText = (code: number | null) => `tar ended with ${code ?? 'a signal'}`
