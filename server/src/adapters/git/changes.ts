import fs from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { OpenFolder } from '#server/foreign/index.ts'
import { gitBytes, type GitPlaces, startGit } from './plumbing.ts'
import { type ChangedEntry, readChanged } from './tree-entry.ts'

const DEADLINE_MS = 120_000
const LONGEST_HEADER = 256
/** Larger files are shown as binary. */
const LARGE_FILE = '8m'
/** The tree without files. Git reads attributes from it and not from the change, whose attributes could start programs. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const NO_ATTRIBUTES = ['core.attributesFile=/dev/null', `attr.tree=${EMPTY_TREE}`, 'core.quotePath=true']
const RENAMES = ['--find-renames', '-l2000']
const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', ...RENAMES]

/** Two commits in one of our bare repositories. */
export interface CommitPair {
  gitDir: string
  start: string
  end: string
}

/** The position of a blob's content in a file. */
export interface BlobPlace {
  at: number
  size: number
}

/** Reads the difference between two commits, and the contents of blobs. */
export function createChanges(places: GitPlaces) {
  const env = { GIT_ATTR_NOSYSTEM: '1' }
  const difference = ({ gitDir, start, end }: CommitPair, options: readonly string[]) => [
    `--git-dir=${gitDir}`,
    'diff-tree',
    '-r',
    ...options,
    start,
    end,
  ]

  /** The output of a git command. Ends the command if the reader stops; throws if the command fails. */
  async function* streamOf(
    args: readonly string[],
    config: readonly string[],
    signal: AbortSignal,
    { input, folders }: { input?: string; folders?: readonly OpenFolder[] | undefined } = {},
  ): AsyncGenerator<Buffer> {
    const descriptors = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'] as const
    const running = await startGit(places, { args, config, env, folders, deadlineMs: DEADLINE_MS, descriptors, signal })
    const [stdin, stdout] = running.streams as [Writable | null, Readable]
    stdin?.on('error', () => {}) // the exit code has the reason
    stdin?.end(input)
    let isRead = false
    try {
      for await (const chunk of stdout) yield chunk as Buffer
      isRead = true
    } finally {
      if (!isRead) await running.end()
    }
    const { code } = await running.exit
    signal.throwIfAborted()
    if (code !== 0) throw new Error(`git ${args[1] ?? ''} ended with ${code ?? 'a signal'}`)
  }

  return {
    /** Every path that differs; a renamed file is one entry. */
    async entries(pair: CommitPair, signal: AbortSignal): Promise<ChangedEntry[]> {
      const args = difference(pair, ['-z', '--raw', '--no-abbrev', ...RENAMES])
      return readChanged(await gitBytes(places, { args, env, config: NO_ATTRIBUTES, signal }))
    },
    /** Writes the first `most` bytes of the difference, as lines in the order of `entries`, to a file. False: there were more. */
    async lines(pair: CommitPair, file: string, maxBytes: number, signal: AbortSignal): Promise<boolean> {
      const config = [...NO_ATTRIBUTES, `core.bigFileThreshold=${LARGE_FILE}`]
      const out = await fs.promises.open(file, 'w', 0o600)
      try {
        let written = 0
        for await (const chunk of streamOf(difference(pair, ['-p', ...PLAIN]), config, signal)) {
          const part = chunk.subarray(0, maxBytes - written)
          await out.writeFile(part)
          written += part.length
          if (part.length < chunk.length) return false
        }
        return true
      } finally {
        await out.close()
      }
    },
    /** A patch for `git apply`, including binary files. */
    patch: (pair: CommitPair, signal: AbortSignal): AsyncGenerator<Buffer> =>
      streamOf(difference(pair, ['-p', '--binary', ...PLAIN]), NO_ATTRIBUTES, signal),
    /** Appends the contents of blobs of one of our repositories to a file and returns the position of each. `folders`: what it needs opened. */
    async blobs(
      gitDir: string,
      oids: readonly string[],
      file: string,
      signal: AbortSignal,
      folders?: readonly OpenFolder[],
    ): Promise<Map<string, BlobPlace>> {
      if (oids.length === 0) return new Map()
      const out = await fs.promises.open(file, 'a+', 0o600)
      try {
        const { size } = await out.stat()
        const input = `${[...new Set(oids)].join('\n')}\n`
        const args = [`--git-dir=${gitDir}`, 'cat-file', '--batch']
        for await (const chunk of streamOf(args, [], signal, { input, folders })) await out.writeFile(chunk)
        return await blobPlaces(out, size)
      } finally {
        await out.close()
      }
    },
    /** Merges the changes from `base` to `theirs` into `ours`. Null if both changed the same lines, or a file is not text. */
    async mergeText(files: { ours: string; base: string; theirs: string }): Promise<Buffer | null> {
      const args = ['merge-file', '-p', '-q', files.ours, files.base, files.theirs]
      const running = await startGit(places, { args, deadlineMs: DEADLINE_MS, descriptors: ['ignore', 'pipe', 'ignore'] })
      const parts: Buffer[] = []
      for await (const part of running.streams[1] as Readable) parts.push(part as Buffer)
      const { code } = await running.exit
      return code === 0 ? Buffer.concat(parts) : null
    },
  }
}

export type Changes = ReturnType<typeof createChanges>

/** Positions of the blobs in the output of `cat-file --batch`: for each a line with id, kind and size, the bytes, a line end. */
async function blobPlaces(file: fs.promises.FileHandle, from: number): Promise<Map<string, BlobPlace>> {
  const places = new Map<string, BlobPlace>()
  const { size: end } = await file.stat()
  const header = Buffer.alloc(LONGEST_HEADER)
  for (let at = from; at < end;) {
    const { bytesRead } = await file.read(header, 0, LONGEST_HEADER, at)
    const line = header.toString('latin1', 0, header.subarray(0, bytesRead).indexOf('\n'))
    const [, oid, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? []
    if (oid === undefined) throw new Error(`git cat-file printed ${JSON.stringify(line)}`)
    const place = { at: at + line.length + 1, size: Number(size) }
    places.set(oid, place)
    at = place.at + place.size + 1
  }
  return places
}
