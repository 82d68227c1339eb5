import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { decompressFile, discover, openSource } from '#server/stages/capture/index.ts'
import { isWithin } from '#server/within.ts'
import { createReader } from './readers/create.ts'
import type { Analyser, ParsedStep } from './types.ts'

const READ_BYTES = 8 << 20

/** Returns every step unchanged. */
const everyStep: Analyser<ParsedStep, ParsedStep[]> = { name: 'steps', analyseStep: (step) => step, analyseTrace: (steps) => [...steps] }

/**
 * The steps of a transcript on disk with its sub-agent files, in the order of the archive. Reads the files
 * in place and stores nothing.
 */
export function readTranscriptFile(file: string): ParsedStep[] {
  const { sessions, errors } = discover({
    agent: null,
    paths: [file, ...relatedFiles(file)],
    known: [],
    ignored: [],
    excluded: [],
    forgotten: [],
    isExplicit: true,
    followed: [],
    places: [],
    followLinks: false,
    isAutomatic: false,
  })
  const session = sessions.find(({ files }) => files.some((one) => one.path === file))
  if (!session)
    throw new AppError('path_refused', {
      message: `Can't score ${file}. ${errors.find((error) => error.file === file)?.message ?? 'It is neither a transcript nor a JSON array of steps.'}`,
      hint: 'Use a transcript (a .jsonl file) or a steps file.',
    })
  const reader = createReader(session.agent, {
    traceId: session.traceId,
    sessionId: session.sessionId,
    analysers: [{ analyser: everyStep, options: undefined }],
  })
  const folder = path.dirname(file)
  for (const { path: filePath, name, kind, form } of session.files) {
    if (!isWithin(folder, filePath)) continue // a link to it was made since the folder was listed
    const source = { name, kind, generation: 1, originalPath: filePath }
    const opened = openSource(filePath)
    try {
      if (form === 'zstd') reader.feed(source, 0, decompressFile(opened))
      else if (kind === 'tool-result') reader.noteFile(source, fs.fstatSync(opened).size)
      else for (const { offset, bytes } of readPieces(opened)) reader.feed(source, offset, bytes)
    } finally {
      fs.closeSync(opened)
    }
  }
  return reader.output(null).analyses[everyStep.name] as ParsedStep[] // returned by everyStep
}

/** Other files of a session: its own folder, and (2.0.x) agent files next to it. Links among them are not followed. */
function relatedFiles(file: string): string[] {
  const folder = path.dirname(file)
  const sessionFolder = path.basename(file, '.jsonl')
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => (entry.name === sessionFolder ? entry.isDirectory() : entry.isFile() && /^agent-.*\.jsonl$/.test(entry.name)))
    .map(({ name }) => path.join(folder, name))
    .filter((one) => one !== file)
}

function* readPieces(opened: number): Generator<{ offset: number; bytes: Buffer }> {
  for (let offset = 0; ;) {
    const bytes = Buffer.allocUnsafe(READ_BYTES)
    const length = fs.readSync(opened, bytes, 0, READ_BYTES, offset)
    if (length === 0) return
    yield { offset, bytes: bytes.subarray(0, length) }
    offset += length
  }
}
