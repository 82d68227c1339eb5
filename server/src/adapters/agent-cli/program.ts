import fs from 'node:fs'
import path from 'node:path'
import { isExecutable } from '../tools/files.ts'
import { type AgentKind, CLAUDE_CODE } from './kinds.ts'

/** How to start an agent in a sandbox on this machine. */
export interface AgentProgram {
  argv: string[]
  /** Folders that the sandbox must be able to read at the same path. */
  folders: string[]
}

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46])

/** `bin` may be a link. A text says why the agent cannot be started in a sandbox. */
export function agentProgram(kind: AgentKind, bin: string): AgentProgram | string {
  const realPath = fs.realpathSync(bin)
  const file = isNative(realPath) ? realPath : (kind.nativePrograms(realPath).find(isExecutable) ?? realPath)
  if (isNative(file)) return { argv: [file], folders: [path.dirname(file)] }
  if (kind === CLAUDE_CODE && /\.[cm]?js$/.test(file)) {
    if (process.versions['electron'] !== undefined)
      return `Claude Code at ${bin} is a script, and the app has no Node to run it. Install its native version: claude install.`
    return { argv: [process.execPath, file], folders: [...new Set([path.dirname(process.execPath), path.dirname(file)])] }
  }
  return `${bin} is a script that starts ${kind.name} from an unknown path. Set ${kind.variable} to the program itself.`
}

function isNative(file: string): boolean {
  const bytes = Buffer.alloc(ELF.length)
  const fd = fs.openSync(file, 'r')
  try {
    fs.readSync(fd, bytes)
    return bytes.equals(ELF)
  } finally {
    fs.closeSync(fd)
  }
}
