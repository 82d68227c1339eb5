import { createHash, type Hash } from 'node:crypto'
import fs from 'node:fs/promises'
import { constants } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Digest } from './repository.ts'
import { ask, badAnswer, broken, type Endpoint, HubBroken, unreachable } from './request.ts'

export interface Transfer {
  endpoint: Endpoint
  /** Address at the hub, and the name for people. */
  where: string
  what: string
  /** File that the bytes are added to; what is in it already is gone on with. */
  part: string
  bytes: number
  digest: Digest
  signal: AbortSignal
  /** Bytes that came; negative where what there was is thrown away. */
  onBytes: (more: number) => void
  /** Called before each `CHECK_EVERY` bytes; throws if the disk has no space for what is missing. */
  onPiece: () => Promise<void>
  firstWaitMs?: number
}

/** Broken connections in a row, without a byte between them, after which it gives up. */
const TRIES = 5
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 60_000
const CHECK_EVERY = 32 << 20

/** A file as far as it is here: handle, hash of its bytes, their number. */
interface Part {
  handle: fs.FileHandle
  hash: Hash
  at: number
}

/**
 * Brings the file to its full length and checks it against its hash; it is synced and closed then. A file with other
 * bytes is deleted. Throws `hub_unreachable`, `hub_bad_answer`, `model_gated`, `model_not_on_hub`, errors of the disk.
 */
export async function fetchFile(transfer: Transfer): Promise<void> {
  const { bytes, digest, signal, onBytes, what } = transfer
  const part = await openPart(transfer)
  try {
    for (let failures = 0; part.at < bytes;) {
      const before = part.at
      try {
        await append(transfer, part)
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof HubBroken)) throw error
        failures = part.at > before ? 1 : failures + 1
        if (failures >= TRIES || (error.retryAfterMs ?? 0) > MAX_WAIT_MS) throw unreachable(error)
        const wait = error.retryAfterMs ?? (transfer.firstWaitMs ?? FIRST_WAIT_MS) * 2 ** (failures - 1)
        await sleep(Math.min(wait, MAX_WAIT_MS), undefined, { signal })
      }
    }
    const found = part.hash.digest('hex')
    if (found !== digest.hex) {
      await fs.rm(transfer.part)
      onBytes(-part.at)
      throw badAnswer(`${what} arrived with other content than its hash says, and was deleted.`)
    }
    await part.handle.sync()
  } finally {
    await part.handle.close()
  }
}

const hashOf = ({ digest: { kind }, bytes }: Pick<Transfer, 'digest' | 'bytes'>): Hash =>
  kind === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${bytes}\0`)

/** What an earlier download left is read once, for the hash. */
async function openPart(transfer: Transfer): Promise<Part> {
  const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)
  const handle = await fs.open(transfer.part, flags, 0o600)
  try {
    const part: Part = { handle, hash: hashOf(transfer), at: 0 }
    if ((await handle.stat()).size > transfer.bytes) await handle.truncate(0)
    for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
      transfer.signal.throwIfAborted()
      part.hash.update(chunk as Buffer)
      part.at += (chunk as Buffer).byteLength
    }
    return part
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** One request: adds to the file what comes of it. */
async function append(transfer: Transfer, part: Part): Promise<void> {
  const { endpoint, where, what, bytes, signal } = transfer
  const headers: Record<string, string> = part.at > 0 ? { range: `bytes=${part.at}-` } : {}
  const { response, extend, close } = await ask(endpoint, where, { what, headers, signal })
  try {
    if (part.at > 0 && !isRest(response, part.at, what)) await beginAnew(transfer, part)
    let unchecked = CHECK_EVERY
    for await (const chunk of response.body ?? []) {
      if (part.at + chunk.byteLength > bytes) {
        await beginAnew(transfer, part)
        throw badAnswer(`${what} is longer than the ${bytes} bytes that the hub names for it.`)
      }
      if ((unchecked += chunk.byteLength) >= CHECK_EVERY) {
        unchecked = 0
        await transfer.onPiece()
      }
      await write(part, chunk)
      transfer.onBytes(chunk.byteLength)
      extend()
    }
  } catch (error) {
    signal.throwIfAborted()
    // fetch says so when a body breaks off, and when nothing comes for too long
    throw error instanceof TypeError || (error as Error).name === 'AbortError' ? broken(response.url, error) : error
  } finally {
    close()
    await response.body?.cancel().catch(() => undefined) // one that has broken off has nothing left to cancel
  }
  if (part.at < bytes) throw new HubBroken(`${new URL(response.url).host} sent only a part of ${what}.`)
}

/** Whether the answer continues where the file ends; a server without ranges sends all of it again. */
function isRest(response: Response, at: number, what: string): boolean {
  if (response.status !== 206) return false
  const start = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1]
  if (Number(start) === at) return true
  throw badAnswer(`The hub sent another part of ${what} than was asked for.`)
}

async function beginAnew({ onBytes, ...transfer }: Transfer, part: Part): Promise<void> {
  await part.handle.truncate(0)
  onBytes(-part.at)
  part.at = 0
  part.hash = hashOf(transfer)
}

async function write(part: Part, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength;) {
    const { bytesWritten } = await part.handle.write(chunk, done, chunk.byteLength - done, part.at + done)
    done += bytesWritten
  }
  part.hash.update(chunk)
  part.at += chunk.byteLength
}
