/** Files of an agent in the home folder of its sandbox: read at the end, and restored when the agent continues. */
import { text } from 'node:stream/consumers'
import zlib from 'node:zlib'
import { z } from 'zod'
import { ForeignTarError, tarEntries } from '#server/foreign/index.ts'
import { packFiles } from '#server/stages/checks/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import type { AgentEnd } from './driver.ts'

export type AgentFiles = AgentEnd['transcript']
type SandboxAccess = Pick<Sandboxes, 'spawn' | 'unpack'>

const HOME = '/home/user'

/** The environment of an agent's program; the agent is the author of its commits. */
export const agentEnvironment = (name: string): Record<string, string> => ({
  HOME,
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: 'agent@sandbox.invalid',
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: 'agent@sandbox.invalid',
})

const MAX_BYTES = 256 * 1024 * 1024
const MAX_FILES = 5000
/** What is read at all, to find those files. */
const READ_LIMITS = { entries: 200_000, bytes: 2 * 1024 ** 3 }
/** Size limit of the compressed files that the next run needs. */
const MAX_RESUME_CHARS = 8 * 1024 * 1024

/** Writes files below `folder` in the sandbox's home folder. */
export async function writeAgentFiles(sandboxes: SandboxAccess, id: string, folder: string, files: AgentFiles): Promise<void> {
  if (files.length === 0) return
  await sandboxes.unpack(id, HOME, packFiles(files.map(({ path, content }) => ({ name: `${folder}/${path}`, mode: 0o600, content }))))
}

/** Reads files and folders with these names below `folder`. Links are not followed; files beyond the limits are skipped. */
export async function readAgentFiles(sandboxes: SandboxAccess, id: string, folder: string, names: readonly string[]): Promise<AgentFiles> {
  const channel = await sandboxes.spawn(id, {
    argv: ['tar', '--create', '--file=-', `--directory=${HOME}/${folder}`, ...names],
    terminal: null,
    cwd: '/',
  })
  channel.input.end()
  const errors = text(channel.errors!)
  const files: AgentFiles = []
  let bytes = 0
  try {
    for await (const entry of tarEntries(channel.output, READ_LIMITS)) {
      if (entry.kind !== 'file' || bytes + entry.size > MAX_BYTES || files.length >= MAX_FILES) continue
      const content = Buffer.concat(await Array.fromAsync(entry.content))
      bytes += content.length
      files.push({ path: entry.name, content })
    }
  } catch (error) {
    await channel.end()
    if (!(error instanceof ForeignTarError)) throw error // the rest of an archive that is refused is not read
  }
  await Promise.all([channel.exit, errors])
  return files
}

export const mainFirst = (files: AgentFiles, isMain: (file: AgentFiles[number]) => boolean): AgentFiles => [
  ...files.filter(isMain),
  ...files.filter((file) => !isMain(file)),
]

const PackedFile = z.object({ path: z.string(), content: z.string() })
const Resume = z.object({ session: z.string(), files: z.array(PackedFile) })
/** Written by versions in which only Claude Code could be resumed. */
const OldResume = PackedFile.extend({ session: z.string() }).transform(({ session, ...file }) => ({ session, files: [file] }))

/** Names a session whose files are in the sandbox. */
export const sessionOnly = (session: string): string => JSON.stringify({ session, files: [] } satisfies z.infer<typeof Resume>)

/** A killed program may have written half of its last line. */
export function withoutTornLine({ path, content }: AgentFiles[number]): AgentFiles[number] {
  return { path, content: path.endsWith('.jsonl') ? content.subarray(0, content.lastIndexOf(10) + 1) : content }
}

/** What a new sandbox needs to resume a session; null if that is too large. */
export function resumeOf(session: string, files: AgentFiles): string | null {
  const packed = files.map(({ path, content }) => ({ path, content: zlib.gzipSync(content).toString('base64') }))
  const resume = JSON.stringify({ session, files: packed } satisfies z.infer<typeof Resume>)
  return resume.length > MAX_RESUME_CHARS ? null : resume
}

export function resumeFrom(resume: string): { session: string; files: AgentFiles } {
  const { session, files } = z.union([Resume, OldResume]).parse(JSON.parse(resume))
  const unpacked = ({ path, content }: (typeof files)[number]) => ({
    path,
    content: zlib.gunzipSync(Buffer.from(content, 'base64'), { maxOutputLength: MAX_BYTES }),
  })
  return { session, files: files.map(unpacked) }
}
