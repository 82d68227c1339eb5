import path from 'node:path'
import { AppError } from '#contracts/errors.ts'
import { plural } from '#contracts/plural.ts'
import { loadConfig, portOf } from '#server/config.ts'
import { relaunch } from '#server/launch.ts'
import { type Command, oneArgument, textOf, UsageError } from '../command.ts'

export const serve: Command = {
  name: 'serve',
  usage: 'serve [--port N] [--host H] [--allow-remote]',
  takesNoArguments: true,
  summary: 'run the server without a window; the first line on stdout is its address (--port 0 picks a free port)',
  options: { port: { type: 'string' }, host: { type: 'string' }, 'allow-remote': { type: 'boolean' } },
  async run(context) {
    const text = textOf(context.values, 'port')
    const port = text === undefined ? undefined : portOf(text)
    if (port === null) throw new UsageError(`--port must be a number from 0 to 65535, not "${text}".`)
    relaunch()
    const { serve: runServer } = await import('#server/serve.ts')
    return runServer(
      {
        dataDir: textOf(context.values, 'home'),
        port,
        host: textOf(context.values, 'host'),
        allowRemote: context.values['allow-remote'] === true,
      },
      { json: context.json },
    )
  },
}

/** Locks the data directory, so a running server must be ended first. */
export const restore: Command = {
  name: 'restore',
  usage: 'restore FILE [--replace]',
  summary: 'restore a backup into the data directory; --replace overwrites one that is not empty',
  options: { replace: { type: 'boolean' } },
  async run(context) {
    const file = path.resolve(oneArgument(context, 'The backup file'))
    const config = loadConfig({ dataDir: textOf(context.values, 'home') })
    const { openDataDir } = await import('#server/data-dir/open-data-dir.ts')
    const { restoreBackup } = await import('#server/system/maintenance/restore.ts')
    const { schema } = await import('#server/schema.ts')
    const { describeRestored } = await import('#server/system/maintenance/restored.ts')
    const dataDir = await openDataDir(config, 'command', {
      onWait: ({ pid }) => context.note(`Waiting for the command with process id ${pid} to end.`),
      signal: context.signal,
    })
    try {
      const result = await restoreBackup(config.dataDir, file, {
        replace: context.values['replace'] === true,
        schema,
      })
      context.out(result, () =>
        [
          `Restored ${plural(result.files, 'file')} from ${result.file} (created ${result.createdAt}).`,
          ...describeRestored(result.toConfirm),
        ].join('\n'),
      )
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new AppError('disk_full', { cause: error }) : error
    } finally {
      dataDir.release()
    }
  },
}
