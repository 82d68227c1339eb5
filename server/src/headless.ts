import { parseArgs } from 'node:util'
import { type Flags, portOf } from './config.ts'
import { serve } from './serve.ts'

/** Exit codes for Electron and `npm start`: another server has the data directory, so they open that server; or its port is in use. */
const CODES = { data_dir_locked: 3, port_taken: 4 }
const WRONG_USAGE = 2

function flagsOf(args: string[]): Flags & { endWithStdin: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      home: { type: 'string' },
      port: { type: 'string' },
      host: { type: 'string' },
      'allow-remote': { type: 'boolean' },
      'ask-before-import': { type: 'boolean' },
      'end-with-stdin': { type: 'boolean' },
    },
  })
  const port = values.port === undefined ? undefined : portOf(values.port)
  if (port === null) throw new Error(`--port must be a number from 0 to 65535, not "${values.port}".`)
  return {
    dataDir: values.home,
    port,
    host: values.host,
    allowRemote: values['allow-remote'],
    askBeforeImport: values['ask-before-import'],
    endWithStdin: values['end-with-stdin'] ?? false,
  }
}

let flags: ReturnType<typeof flagsOf> | undefined
try {
  flags = flagsOf(process.argv.slice(2))
} catch (error) {
  process.stderr.write(
    `${(error as Error).message}\nUsage: [--home DIR] [--port N] [--host H] [--allow-remote] [--ask-before-import] [--end-with-stdin]\n`,
  )
}
process.exitCode = flags ? await serve(flags, { codes: CODES, endWithStdin: flags.endWithStdin }) : WRONG_USAGE
process.exit()
