/** Runs programs on this machine without isolation, for tests of the shell alone. */
import fs from 'node:fs'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { Channel, Machine } from '#server/adapters/sandbox/index.ts'
import { birthOf, descendantsOf } from '#server/process/marks.ts'
import { startProcess } from '#server/process/start.ts'
import { startTerminal } from '#server/process/terminal.ts'

const PATH = '/usr/local/bin:/usr/bin:/bin'

/** `folder` is the working directory and home of the programs. */
export function hostMachine(folder: string): Pick<Machine, 'open' | 'write'> {
  const env = { PATH, HOME: folder, LANG: 'C.UTF-8', TERM: 'xterm-256color' }
  return {
    async open({ argv, terminal, cwd = folder }) {
      const spec = { command: '/usr/bin/env', args: argv, cwd, env }
      if (terminal) {
        const running = await startTerminal({ ...spec, ...terminal })
        const { input, output } = running
        return channelOf(running.pid, {
          input,
          output,
          errors: null,
          resize: running.resize,
          exit: running.exit,
          end: () => running.end(0),
        })
      }
      const running = await startProcess({
        ...spec,
        output: { descriptors: ['pipe', 'pipe', 'pipe'] },
        deadlineMs: null,
        graceMs: 0,
      })
      const [input, output, errors] = running.streams as [Writable, Readable, Readable]
      const end = () => running.end().then(() => undefined)
      return channelOf(running.pid, { input, output, errors, resize: () => undefined, exit: running.exit, end })
    },
    async write(file, content, mode) {
      await fs.promises.writeFile(path.resolve(folder, file), content, { mode, flag: 'wx' })
    },
  }
}

type ChannelParts = Pick<Channel, 'input' | 'output' | 'errors' | 'resize' | 'end'> & {
  exit: Promise<{ code: number | null; signal: string | null }>
}

function channelOf(pid: number, { input, output, errors, resize, exit, end }: ChannelParts): Channel {
  return {
    input,
    output,
    errors,
    resize,
    descendants: () => Promise.resolve(descendantsOf(pid).length),
    signal(name, to) {
      // the shell first: it reacts to an interrupt only while the program it waits for is alive
      for (const process of [...(to === 'all' && birthOf(pid) !== null ? [pid] : []), ...descendantsOf(pid)]) kill(process, `SIG${name}`)
      return Promise.resolve()
    },
    exit: exit.then(({ code, signal }) => ({ code, signal, outOfMemory: false })),
    end,
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {} // it has already ended
}
