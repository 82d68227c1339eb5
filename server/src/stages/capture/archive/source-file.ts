import { lookup } from '#contracts/lookup.ts'
import { ForeignFileError, type ForeignRefusal, openPlain } from '#server/foreign/index.ts'

/** An agent's file that cannot be read; other files are not affected. */
export class SourceFault extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Opens a file by a path without links. If a part of it has become a link since the file was found, the file is refused. */
export function openSource(file: string): number {
  try {
    return openPlain(file)
  } catch (error) {
    if (!(error instanceof ForeignFileError)) {
      const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN'
      throw new SourceFault(code, readErrorSentence(code))
    }
    throw error.code === 'link' ? new SourceFault('ELOOP', REPLACED_BY_LINK) : faultOf(error)
  }
}

const CODES: Partial<Record<ForeignRefusal, string>> = lookup({
  missing: 'ENOENT',
  not_a_folder: 'ENOENT',
  denied: 'EACCES',
  folder: 'EISDIR',
})

function faultOf({ code }: ForeignFileError): SourceFault {
  const known = CODES[code]
  return known === undefined ? new SourceFault('EINVAL', NOT_REGULAR) : new SourceFault(known, readErrorSentence(known))
}

const NOT_REGULAR = 'This is not a regular file, so it was skipped.'
const REPLACED_BY_LINK = 'This path was replaced by a symbolic link, so it was not read. Put the file itself there, then import again.'

/** A tool result is text that a model saw in part; larger files are something else. */
export const LARGEST_TOOL_RESULT = 64 << 20

/** Also when it is read, because it may have grown since it was found. */
export function requireToolResult(size: number): void {
  if (size > LARGEST_TOOL_RESULT)
    throw new SourceFault(
      'EFBIG',
      `This result of a tool has ${size} bytes, more than the ${LARGEST_TOOL_RESULT} that are read, so it was skipped.`,
    )
}

/** Why a file could not be read, as a sentence. */
export function readErrorSentence(code: string): string {
  if (code === 'ENOENT')
    return 'The file was deleted or moved during the import. Whatever was archived from it is kept; there is nothing to do.'
  if (code === 'EACCES' || code === 'EPERM') return 'No permission to read this file. Give your user read access to it, then import again.'
  if (code === 'EISDIR') return 'This is a folder, not a transcript. Move it if it should not be there.'
  if (code === 'ELOOP') return 'This symbolic link points to itself. Remove it, or point it to a transcript.'
  return `Couldn't read the file (${code}). Check its disk, then import again.`
}
