import { createHash, type Hash } from 'node:crypto'
import fs from 'node:fs/promises'
import { constants } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Digest } from './repository.ts'
import { request, badAnswer, connectionError, type Endpoint, HubBroken, unreachable } from './request.ts'

export interface Transfer {
  endpoint: Endpoint
  /** Address at the hub, and a description for messages. */
  where: string
  what: string
  /** File to which the bytes are appended; its current bytes are kept. */
  part: string
  bytes: number
  digest: Digest
  signal: AbortSignal
  /** Number of new bytes; negative if earlier bytes are discarded. */
  onBytes: (more: number) => void
  /** Called before each `CHECK_EVERY` bytes; throws if the disk has too little space for the rest. */
  onPiece: () => Promise<void>
  firstWaitMs?: number
}

/** Consecutive failures without a new byte before the transfer is given up. */
const MAX_FAILURES = 5
const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 60_000
const CHECK_EVERY = 32 << 20

/** A partial file: its handle, the hash of its bytes, and their number. */
interface Part {
  handle: fs.FileHandle
  hash: Hash
  at: number
}

/**
 * Downloads the rest of a file, checks its hash and syncs it. Deletes a file with a wrong hash. Throws `hub_unreachable`,
 * `hub_bad_answer`, `model_gated`, `model_not_on_hub`, and errors of the disk.
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
        if (failures >= MAX_FAILURES || (error.retryAfterMs ?? 0) > MAX_WAIT_MS) throw unreachable(error)
        const wait = error.retryAfterMs ?? (transfer.firstWaitMs ?? FIRST_WAIT_MS) * 2 ** (failures - 1)
        await sleep(Math.min(wait, MAX_WAIT_MS), undefined, { signal })
      }
    }
    const actual = part.hash.digest('hex')
    if (actual !== digest.hex) {
      await fs.rm(transfer.part)
      onBytes(-part.at)
      throw badAnswer(`The content of ${what} does not match its hash, so it was deleted.`)
    }
    await part.handle.sync()
  } finally {
    await part.handle.close()
  }
}

const hashOf = ({ digest: { kind }, bytes }: Pick<Transfer, 'digest' | 'bytes'>): Hash =>
  kind === 'sha256' ? createHash('sha256') : createHash('sha1').update(`blob ${bytes}\0`)

/** Reads the bytes of an earlier download for the hash. */
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

/** Makes one request and appends the received bytes. */
async function append(transfer: Transfer, part: Part): Promise<void> {
  const { endpoint, where, what, bytes, signal } = transfer
  const headers: Record<string, string> = part.at > 0 ? { range: `bytes=${part.at}-` } : {}
  const { response, extend, close } = await request(endpoint, where, { what, headers, signal })
  try {
    if (part.at > 0 && !isContinuation(response, part.at, what)) await restart(transfer, part)
    let unchecked = CHECK_EVERY
    for await (const chunk of response.body ?? []) {
      if (part.at + chunk.byteLength > bytes) {
        await restart(transfer, part)
        throw badAnswer(`${what} is longer than the ${bytes} bytes that the hub reported.`)
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
    // Errors of `fetch` for an incomplete body, and for a timeout.
    throw error instanceof TypeError || (error as Error).name === 'AbortError' ? connectionError(response.url, error) : error
  } finally {
    close()
    await response.body?.cancel().catch(() => undefined) // fails if the connection was lost
  }
  if (part.at < bytes) throw new HubBroken(`${new URL(response.url).host} sent only part of ${what}.`)
}

/** Whether the answer continues at the end of the file; a server without support for ranges sends the complete file. */
function isContinuation(response: Response, at: number, what: string): boolean {
  if (response.status !== 206) return false
  const start = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1]
  if (Number(start) === at) return true
  throw badAnswer(`The hub sent a different part of ${what} than requested.`)
}

async function restart({ onBytes, ...transfer }: Transfer, part: Part): Promise<void> {
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
