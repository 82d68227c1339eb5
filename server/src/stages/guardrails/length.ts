import { AppError } from '#contracts/errors.ts'

const LONGEST_KB = 256

/** Throws `payload_too_large` for a command of more than 256 KB of UTF-8. */
export function requireCheckableLength(command: string): void {
  const bytes = Buffer.byteLength(command)
  if (bytes > LONGEST_KB * 1024)
    throw new AppError('payload_too_large', {
      message: `The command has ${bytes} bytes; at most ${LONGEST_KB} KB can be checked.`,
      hint: 'Split the command, and check each part.',
    })
}
