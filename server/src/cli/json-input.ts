import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { type Context, UsageError } from './command.ts'

/** The JSON document of the one file that is named, or of standard input. */
export function jsonInput({ args }: Pick<Context, 'args'>): unknown {
  const [file, ...more] = args
  if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}": give one file, or a document on stdin.`)
  const source = file === undefined || file === '-' ? 'stdin' : path.resolve(file)
  const text = textOf(source)
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid_request', { message: `${source} is not valid JSON.` })
  }
}

function textOf(source: string): string {
  try {
    return fs.readFileSync(source === 'stdin' ? 0 : source, 'utf8')
  } catch (error) {
    throw new AppError('invalid_request', { message: `Can't read ${source}: ${(error as Error).message}.` })
  }
}
