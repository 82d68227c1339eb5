import fs from 'node:fs'
import path from 'node:path'
import { isExecutable } from '../tools/files.ts'
import { type AgentKind, CLAUDE_CODE } from './kinds.ts'

/** How an agent is started in a sandbox of this machine. */
export interface AgentProgram {
  argv: string[]
  /** What the sandbox has to be shown, at the same place. */
  folders: string[]
}

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46])

/** `bin`: as it was found, which may be a link. Text: why it cannot be started in a sandbox. */
export function agentProgram(kind: AgentKind, bin: string): AgentProgram | string {
  const found = fs.realpathSync(bin)
  const file = isNative(found) ? found : (kind.behind(found).find(isExecutable) ?? found)
  if (isNative(file)) return { argv: [file], folders: [path.dirname(file)] }
  if (kind === CLAUDE_CODE && /\.[cm]?js$/.test(file)) {
    if (process.versions['electron'] !== undefined)
      return `Claude Code at ${bin} is a script, for which the app has no Node. Install its native version: claude install.`
    return { argv: [process.execPath, file], folders: [...new Set([path.dirname(process.execPath), path.dirname(file)])] }
  }
  return `${bin} is a script that starts ${kind.name} from somewhere else. Set ${kind.variable} to the program itself.`
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
