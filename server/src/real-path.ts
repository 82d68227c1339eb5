import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'

/**
 * The path that a path really leads to, as the system would open it: without links and "..". What does not exist yet is
 * appended to its nearest existing folder. Throws `path_refused`.
 */
export function realPath(requested: string): string {
  const refuse = (reason: string) =>
    new AppError('path_refused', { message: `Can't use the path ${JSON.stringify(requested)}: ${reason}.` })
  if (requested.includes('\0')) throw refuse('it contains a NUL byte')
  if (!path.isAbsolute(requested)) throw refuse('it is not absolute')
  const missing: string[] = []
  for (let at = requested; ; at = path.dirname(at)) {
    try {
      return path.join(fs.realpathSync.native(at), ...missing)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ELOOP') throw refuse('its links lead in a circle')
      if (isLink(at)) throw refuse('it contains a link that leads nowhere') // what is written there would go where the link leads
      const name = path.basename(at)
      if (name === '..' || name === '.') throw refuse(`it goes through a folder that does not exist before "${name}"`)
      missing.unshift(name)
    }
  }
}

/**
 * Requires that a stored path still leads to itself. A path that was stored without links and has one now was replaced, and
 * would lead where nobody allowed it. Throws `path_refused`.
 */
export function requireSamePlace(stored: string): void {
  const now = realPath(stored)
  if (now !== path.resolve(stored))
    throw new AppError('path_refused', {
      message: `${stored} was replaced: a link now leads to ${now}.`,
      hint: 'If that is what you want, start again with the new path.',
    })
}

function isLink(file: string): boolean {
  try {
    return fs.lstatSync(file).isSymbolicLink()
  } catch {
    return false
  }
}
