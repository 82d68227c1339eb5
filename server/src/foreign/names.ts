import { ForeignFileError } from './errors.ts'

/** Linux cannot open a longer path. */
const MAX_BYTES = 4096

/** The parts of a path below a folder. Throws `name` for a path that could lead out of it. '' is the folder itself. */
export function partsOf(name: string): string[] {
  if (name === '') return []
  const parts = name.split('/')
  const isBad = (part: string) => part === '' || part === '.' || part === '..' || part.includes('\0')
  if (parts.some(isBad) || Buffer.byteLength(name) > MAX_BYTES || (process.platform === 'win32' && /[\\:]/.test(name)))
    throw new ForeignFileError(name, 'name', 'is not a path that can be below a folder')
  return parts
}
