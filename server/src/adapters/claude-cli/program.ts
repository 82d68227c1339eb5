import fs from 'node:fs'
import path from 'node:path'

/** How the client is started in a sandbox of this machine. */
export interface ClaudeProgram {
  argv: string[]
  /** What the sandbox has to be shown, at the same place. */
  folders: string[]
}

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46])

/** `bin`: as it was found, which may be a link. Text: why it cannot be started in a sandbox. */
export function claudeProgram(bin: string): ClaudeProgram | string {
  const file = fs.realpathSync(bin)
  if (/\.[cm]?js$/.test(file)) {
    if (process.versions['electron'] !== undefined)
      return `Claude Code at ${bin} is a script, for which the app has no Node. Install its native version: claude install.`
    return { argv: [process.execPath, file], folders: [...new Set([path.dirname(process.execPath), path.dirname(file)])] }
  }
  if (beginningOf(file).equals(ELF)) return { argv: [file], folders: [path.dirname(file)] }
  return `${bin} is a script that starts Claude Code from somewhere else. Set CLAUDE_BIN to the program itself.`
}

function beginningOf(file: string): Buffer {
  const bytes = Buffer.alloc(ELF.length)
  const fd = fs.openSync(file, 'r')
  try {
    fs.readSync(fd, bytes)
    return bytes
  } finally {
    fs.closeSync(fd)
  }
}
