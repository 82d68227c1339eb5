/** Files of the agent in the home of its sandbox: taken out at the end, put back when it goes on. */
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import zlib from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { z } from 'zod'
import type { Sandboxes } from '../../sandboxes/service.ts'
import type { AgentEnd } from '../driver.ts'

export type AgentFiles = AgentEnd['transcript']
type Inside = Pick<Sandboxes, 'spawn' | 'unpack'>

export const HOME = '/home/user'
const FOLDER = '.claude'
const MOST_BYTES = 256 * 1024 * 1024
const MOST_FILES = 5000
/** Of what is needed to go on, packed. */
const MOST_RESUME_CHARS = 8 * 1024 * 1024

/** Below `.claude/`, put into the home of the sandbox. */
export async function putFiles(sandboxes: Inside, id: string, files: AgentFiles): Promise<void> {
  if (files.length === 0) return
  const archive = pack()
  for (const { path, content } of files) archive.entry({ name: `${FOLDER}/${path}`, mode: 0o600 }, content)
  archive.finalize()
  await sandboxes.unpack(id, HOME, Readable.from(archive))
}

/** The transcripts of all sessions and sub-agents, that of `session` first. No link is followed; what is too large is left out. */
export async function transcriptFiles(sandboxes: Inside, id: string, session: string | null): Promise<AgentFiles> {
  const channel = await sandboxes.spawn(id, {
    argv: ['tar', '--create', '--file=-', `--directory=${HOME}/${FOLDER}`, 'projects'],
    terminal: null,
    cwd: '/',
  })
  channel.input.end()
  const errors = text(channel.errors!)
  const files: AgentFiles = []
  let bytes = 0
  const entries = channel.output.pipe(extract())
  for await (const entry of entries) {
    const { name, type, size } = entry.header
    if (type !== 'file' || bytes + size > MOST_BYTES || files.length >= MOST_FILES) entry.resume()
    else {
      const content = Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>))
      bytes += content.length
      files.push({ path: name.replace(/^(?:\.?\/)+/, ''), content })
    }
  }
  await Promise.all([channel.exit, errors])
  const isMain = ({ path }: AgentFiles[number]) => path.endsWith(`/${session}.jsonl`)
  return [...files.filter(isMain), ...files.filter((file) => !isMain(file))]
}

const Resume = z.object({ session: z.string(), path: z.string().regex(/^projects\/[^/]+\/[^/]+\.jsonl$/), content: z.string() })

/** What a new sandbox needs to go on with a session; null where there is none, or it is too large. */
export function resumeOf(session: string | null, files: AgentFiles): string | null {
  const main = files.find(({ path }) => session !== null && path.endsWith(`/${session}.jsonl`))
  if (!main || session === null) return null
  const content = zlib.gzipSync(main.content).toString('base64')
  return content.length > MOST_RESUME_CHARS ? null : JSON.stringify({ session, path: main.path, content } satisfies z.infer<typeof Resume>)
}

export function resumeFrom(resume: string): { session: string; files: AgentFiles } {
  const { session, path, content } = Resume.parse(JSON.parse(resume))
  return { session, files: [{ path, content: zlib.gunzipSync(Buffer.from(content, 'base64'), { maxOutputLength: MOST_BYTES }) }] }
}
