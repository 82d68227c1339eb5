import fs from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { startProcess } from '#server/process/start.ts'
import { gitBytes, type GitPlaces, safeArgs, safeEnv } from './plumbing.ts'
import { type ChangedEntry, readChanged } from './tree-entry.ts'

const DEADLINE_MS = 120_000
const GRACE_MS = 500
const LONGEST_HEADER = 256
/** Files above it are shown as binary. */
const LARGE_FILE = '8m'
/** The tree without files, whose attributes are asked for instead of those of a change: those say what a stranger wants run to show it. */
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

/** The place of a blob in a file. */
export interface BlobPlace {
  at: number
  size: number
}

/** Reads the difference of two commits of a repository, and the contents of its blobs. */
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

  /** Ends the command where its reader stops; throws if it fails. */
  async function* streamOf(
    args: readonly string[],
    config: readonly string[],
    signal: AbortSignal,
    input?: string,
  ): AsyncGenerator<Buffer> {
    const running = await startProcess({
      command: '/usr/bin/env',
      args: safeArgs(args, config),
      cwd: '/',
      env: { ...safeEnv(places), ...env },
      deadlineMs: DEADLINE_MS,
      graceMs: GRACE_MS,
      output: { descriptors: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'] },
      signal,
    })
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
    /** Every path that differs; renamed ones once. */
    async entries(pair: CommitPair, signal: AbortSignal): Promise<ChangedEntry[]> {
      const args = difference(pair, ['-z', '--raw', '--no-abbrev', ...RENAMES])
      return readChanged(await gitBytes(places, { args, env, config: NO_ATTRIBUTES, signal }))
    },
    /** Writes the first `most` bytes of the difference, as lines in the order of `entries`, to a file. False: there were more. */
    async lines(pair: CommitPair, file: string, most: number, signal: AbortSignal): Promise<boolean> {
      const settings = [...NO_ATTRIBUTES, `core.bigFileThreshold=${LARGE_FILE}`]
      const out = await fs.promises.open(file, 'w', 0o600)
      try {
        let written = 0
        for await (const chunk of streamOf(difference(pair, ['-p', ...PLAIN]), settings, signal)) {
          const kept = chunk.subarray(0, most - written)
          await out.writeFile(kept)
          written += kept.length
          if (kept.length < chunk.length) return false
        }
        return true
      } finally {
        await out.close()
      }
    },
    /** A patch that `git apply` takes, binary files included. */
    patch: (pair: CommitPair, signal: AbortSignal): AsyncGenerator<Buffer> =>
      streamOf(difference(pair, ['-p', '--binary', ...PLAIN]), NO_ATTRIBUTES, signal),
    /** Appends the contents of blobs to a file and returns the place of each. `gitDir`: of any repository. */
    async blobs(gitDir: string, oids: readonly string[], file: string, signal: AbortSignal): Promise<Map<string, BlobPlace>> {
      if (oids.length === 0) return new Map()
      const out = await fs.promises.open(file, 'a+', 0o600)
      try {
        const { size } = await out.stat()
        const asked = `${[...new Set(oids)].join('\n')}\n`
        for await (const chunk of streamOf([`--git-dir=${gitDir}`, 'cat-file', '--batch'], [], signal, asked)) await out.writeFile(chunk)
        return await placesIn(out, size)
      } finally {
        await out.close()
      }
    },
    /** The lines that `theirs` changed of `base`, changed in `ours`. Null: both changed the same ones, or one of them is no text. */
    async mergeText(files: { ours: string; base: string; theirs: string }): Promise<Buffer | null> {
      const running = await startProcess({
        command: '/usr/bin/env',
        args: safeArgs(['merge-file', '-p', '-q', files.ours, files.base, files.theirs]),
        cwd: '/',
        env: safeEnv(places),
        deadlineMs: DEADLINE_MS,
        graceMs: GRACE_MS,
        output: { descriptors: ['ignore', 'pipe', 'ignore'] },
      })
      const parts: Buffer[] = []
      for await (const part of running.streams[1] as Readable) parts.push(part as Buffer)
      const { code } = await running.exit
      return code === 0 ? Buffer.concat(parts) : null
    },
  }
}

export type Changes = ReturnType<typeof createChanges>

/** What `cat-file --batch` wrote from an offset on: a line with id, kind and size, the bytes, a line end. */
async function placesIn(file: fs.promises.FileHandle, from: number): Promise<Map<string, BlobPlace>> {
  const found = new Map<string, BlobPlace>()
  const { size: end } = await file.stat()
  const header = Buffer.alloc(LONGEST_HEADER)
  for (let at = from; at < end;) {
    const { bytesRead } = await file.read(header, 0, LONGEST_HEADER, at)
    const line = header.toString('latin1', 0, header.subarray(0, bytesRead).indexOf('\n'))
    const [, oid, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? []
    if (oid === undefined) throw new Error(`git cat-file says: ${line}`)
    const place = { at: at + line.length + 1, size: Number(size) }
    found.set(oid, place)
    at = place.at + place.size + 1
  }
  return found
}
