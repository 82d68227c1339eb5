/**
 * Where Claude Code asks about a command and says what our mod decided: a folder that `hooks/bashgym-guard.sh` writes to. A
 * question is a file, its answer goes into the pipe beside it, and an empty answer says nothing.
 */
import fs from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'

/** What Claude Code tells about a call. Fields that we do not need may have any form. */
export const Call = z.object({
  tool_name: z.string(),
  tool_input: z.object({ command: z.string() }),
  session_id: z.string().max(200).nullable().catch(null),
  tool_use_id: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .nullable()
    .catch(null),
  cwd: z.string().max(4096).startsWith('/').nullable().catch(null),
})
export type Call = z.infer<typeof Call>
const Decided = Call.extend({ action: z.enum(['ran', 'asked', 'blocked']) })
export type Decided = z.infer<typeof Decided>

export interface DoorDeps {
  folder: string
  /** The answer, one line; empty: nothing is said. */
  answer: (call: Call) => Promise<string>
  decided: (event: Decided) => Promise<void>
  warn: (error: unknown, message: string) => void
}

const QUESTION = /^(\d+)\.question$/
const EVENT = /^\d+\.event$/
/** Questions that nobody answers any more, and folders of tests. */
const LEFT_OVER = /\.(?:question|answer)$|^test-/
const LARGEST = 1024 * 1024
const UNCHECKED = 'unchecked'

export function createDoor({ folder, answer, decided, warn }: DoorDeps) {
  const app = path.join(folder, 'app')
  let watcher: fs.FSWatcher | null = null

  const reply = (pid: string, text: string): void => {
    const pipe = path.join(folder, `${pid}.answer`)
    try {
      const fd = fs.openSync(pipe, fs.constants.O_WRONLY | fs.constants.O_NONBLOCK)
      try {
        fs.writeSync(fd, `${text}\n`)
      } finally {
        fs.closeSync(fd)
      }
    } catch {
      // the hook ended in the meantime
    }
    fs.rmSync(pipe, { force: true })
  }

  async function ask(text: string, pid: string): Promise<void> {
    const call = Call.safeParse(jsonOf(text)).data
    if (call === undefined) return reply(pid, UNCHECKED)
    try {
      reply(pid, await answer(call))
    } catch (error) {
      reply(pid, UNCHECKED)
      throw error
    }
  }

  async function take(text: string): Promise<void> {
    for (const line of text.split('\n')) {
      const event = Decided.safeParse(jsonOf(line)).data
      if (event !== undefined) await decided(event)
    }
  }

  async function handle(name: string): Promise<void> {
    const pid = QUESTION.exec(name)?.[1]
    if (pid === undefined && !EVENT.test(name)) return
    const file = path.join(folder, name)
    try {
      const text = wholeText(file)
      if (text === null) return // more of it comes, with another event
      fs.rmSync(file, { force: true })
      await (pid === undefined ? take(text) : ask(text, pid))
    } catch (error) {
      warn(error, 'A message of the guard was not read')
    }
  }

  return {
    /** Answers from now on, and takes what was decided while the app was closed. */
    async open(unchecked: 'nothing' | 'ask'): Promise<void> {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (unchecked === 'ask') fs.writeFileSync(path.join(folder, 'ask'), '', { mode: 0o600 })
      else fs.rmSync(path.join(folder, 'ask'), { force: true })
      if (watcher !== null) return
      for (const name of fs.readdirSync(folder))
        if (LEFT_OVER.test(name)) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
      watcher = fs.watch(folder, { persistent: false }, (_, name) => {
        if (name !== null) void handle(name)
      })
      watcher.on('error', (error) => warn(error, 'The folder of the guard is no longer watched'))
      for (const name of fs.readdirSync(folder)) {
        await nextTurn() // there may be thousands
        await handle(name)
      }
      fs.writeFileSync(app, `${process.pid}\n`, { mode: 0o600 })
    },
    close(): void {
      if (watcher === null) return
      fs.rmSync(app, { force: true })
      watcher.close()
      watcher = null
    },
  }
}

/** Null: its last line is not complete, or it was read by now. */
function wholeText(file: string): string | null {
  try {
    if (fs.statSync(file).size > LARGEST) return ''
    const text = fs.readFileSync(file, 'utf8')
    return text.endsWith('\n') ? text : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
