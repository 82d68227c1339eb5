import { AppError } from '#contracts/errors.ts'

const LONGEST_KB = 256
const LONGEST_TEXT_MB = 8

/** Throws `payload_too_large` for a command of more than 256 KB of UTF-8. */
export function requireCheckableLength(command: string): void {
  const bytes = Buffer.byteLength(command)
  if (bytes > LONGEST_KB * 1024)
    throw new AppError('payload_too_large', {
      message: `The command has ${bytes} bytes; at most ${LONGEST_KB} KB can be checked.`,
      hint: 'Split the command, and check each part.',
    })
}

/** Throws `payload_too_large` for a text of more than 8 MB of UTF-8. */
export function requireCheckableText(text: string): void {
  if (text.length * 3 <= LONGEST_TEXT_MB * 1_000_000) return
  const bytes = Buffer.byteLength(text)
  if (bytes > LONGEST_TEXT_MB * 1_000_000)
    throw new AppError('payload_too_large', {
      message: `The text has ${bytes} bytes; at most ${LONGEST_TEXT_MB} MB can be checked.`,
      hint: 'Split the text, and check each part.',
    })
}
