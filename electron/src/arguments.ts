import os from 'node:os'
import path from 'node:path'

/** Settings from the command line and the environment. */
export interface StartArguments {
  /** Absolute path of the data directory, so that the shell and its server use the same one. */
  dataDir: string
  serverArgs: string[]
}

export function readStartArguments(args: readonly string[], environment: { BASHGYM_HOME?: string | undefined }): StartArguments {
  const dataDir = path.resolve(valueOf(args, '--home') || environment.BASHGYM_HOME || path.join(os.homedir(), '.bashgym'))
  const port = valueOf(args, '--port')
  return { dataDir, serverArgs: ['--home', dataDir, ...(port === null ? [] : ['--port', port])] }
}

/** The value after `--flag` or in `--flag=value`; null if the flag is missing. */
function valueOf(args: readonly string[], flag: string): string | null {
  const index = args.findIndex((argument) => argument === flag || argument.startsWith(`${flag}=`))
  if (index === -1) return null
  return args[index] === flag ? (args[index + 1] ?? null) : (args[index]?.slice(flag.length + 1) ?? null)
}
