import fs from 'node:fs'
import path from 'node:path'
import pino, { type Logger } from 'pino'
import { createPrivate } from '#server/db/lock.ts'
import { withoutSecrets } from './secrets.ts'
import type { FileToken } from './token.ts'

const ROTATE_BYTES = 10 * 1024 * 1024
const MAX_OLD_FILES = 3

/** Fields with secrets. The token and our other secrets are also removed from anywhere in a line. */
const REDACT = ['token', 'key', 'secret', 'ticket', 'authorization', 'headers.authorization'].flatMap((name) => [name, `*.${name}`])

/**
 * Writes JSON lines to `logs/<name>.log` (0600, rotated at 10 MB, three old files). With `stderr`, messages of level info
 * and above are also printed for the user. If the disk is full, lines are lost but the server continues.
 */
export function createLog(options: { dir: string; name: string; level: string; token: FileToken; stderr: boolean }): Logger {
  const file = path.join(options.dir, `${options.name}.log`)
  const scrub = (text: string) => withoutSecrets(text.replaceAll(options.token.value, '[token]'))
  const streams: pino.StreamEntry[] = [{ level: 'trace', stream: rotating(file, scrub) }]
  if (options.stderr) streams.push({ level: 'info', stream: { write: (line) => void process.stderr.write(scrub(sentence(line))) } })
  return pino(
    { level: options.level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, redact: REDACT },
    pino.multistream(streams),
  )
}

function rotating(file: string, scrub: (text: string) => string): { write(line: string): void } {
  let size = fs.existsSync(file) ? fs.statSync(file).size : 0
  return {
    write(line) {
      const text = scrub(line)
      try {
        if (size > ROTATE_BYTES) {
          rotate(file)
          size = 0
        }
        if (size === 0) createPrivate(file)
        fs.appendFileSync(file, text, { mode: 0o600 })
        size += Buffer.byteLength(text)
      } catch {
        // the disk is full or the folder was deleted; only this line is lost
      }
    },
  }
}

function rotate(file: string): void {
  for (let number = MAX_OLD_FILES - 1; number >= 0; number -= 1) {
    const from = number === 0 ? file : `${file}.${number}`
    if (fs.existsSync(from)) fs.renameSync(from, `${file}.${number + 1}`)
  }
}

function sentence(line: string): string {
  const { level, msg, err } = JSON.parse(line) as { level: number; msg?: string; err?: { message?: string } }
  const mark = level >= 50 ? 'error: ' : level >= 40 ? 'warning: ' : ''
  return `${mark}${msg ?? ''}${err?.message ? ` (${err.message})` : ''}\n`
}
