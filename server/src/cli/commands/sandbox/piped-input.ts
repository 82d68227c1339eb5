import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { AppError } from '#contracts/errors.ts'

const MAX_MB = 8

/** Reads all of standard input, which must be text because requests are JSON. */
export async function pipedInput(): Promise<string> {
  const bytes = await buffer(process.stdin)
  if (bytes.length > MAX_MB * 1024 * 1024)
    throw new AppError('payload_too_large', {
      message: `Standard input has more than ${MAX_MB} MB.`,
      hint: 'Copy it in as a file with --mount-copy.',
    })
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw new AppError('invalid_request', {
    message: 'Standard input is not UTF-8 text.',
    hint: 'Copy it in as a file with --mount-copy.',
  })
}
