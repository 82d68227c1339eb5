import fs from 'node:fs'
import path from 'node:path'
import { sync as writeFileAtomicSync } from 'write-file-atomic'
import { z } from 'zod'
import type { Paths } from '#server/config.ts'

/** The process that has the lock, for messages and waiting commands; valid only while the lock is taken. */
const Holder = z.object({ pid: z.number().int().positive(), kind: z.enum(['server', 'command']), since: z.string() })
export type Holder = z.infer<typeof Holder>

/** Address of a running server; valid only while the lock is taken and `pid` is the holder's. */
const ServerFile = z.object({ url: z.url(), pid: z.number().int().positive(), startedAt: z.string(), version: z.string() })
export type ServerFile = z.infer<typeof ServerFile>

const holderFile = (paths: Paths) => path.join(path.dirname(paths.lock), 'lock.json')

export const readHolder = (paths: Paths): Holder | null => read(holderFile(paths), Holder)
export const readServerFile = (paths: Paths): ServerFile | null => read(paths.serverJson, ServerFile)
export const writeHolder = (paths: Paths, holder: Holder): void => write(holderFile(paths), holder)
export const writeServerFile = (paths: Paths, server: ServerFile): void => write(paths.serverJson, server)
export const removeServerFile = (paths: Paths): void => fs.rmSync(paths.serverJson, { force: true })
export const removeHolder = (paths: Paths): void => fs.rmSync(holderFile(paths), { force: true })

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function read<T>(file: string, schema: z.ZodType<T>): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null // missing or invalid; then messages do not name the holder
  }
}

const write = (file: string, value: unknown) => writeFileAtomicSync(file, `${JSON.stringify(value)}\n`, { mode: 0o600 })
