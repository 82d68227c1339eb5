import os from 'node:os'
import path from 'node:path'

/** What the command line and the environment say about the start. */
export interface Start {
  /** Data directory, absolute: the shell and its server must mean the same one. */
  dataDir: string
  /** What the server is started with. */
  serverArgs: string[]
}

export function readStart(args: readonly string[], environment: { BASHGYM_HOME?: string | undefined }): Start {
  const dataDir = path.resolve(valueOf(args, '--home') || environment.BASHGYM_HOME || path.join(os.homedir(), '.bashgym'))
  const port = valueOf(args, '--port')
  return { dataDir, serverArgs: ['--home', dataDir, ...(port === null ? [] : ['--port', port])] }
}

/** The value after `--flag` or in `--flag=value`; null when it is not there. */
function valueOf(args: readonly string[], flag: string): string | null {
  const at = args.findIndex((argument) => argument === flag || argument.startsWith(`${flag}=`))
  if (at === -1) return null
  return args[at] === flag ? (args[at + 1] ?? null) : (args[at]?.slice(flag.length + 1) ?? null)
}
