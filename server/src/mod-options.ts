import path from 'node:path'
import type { Config } from './config.ts'
import { productInfo } from './product.ts'
import { type ModInstallerOptions, studentFile } from './stages/router/index.ts'

/** Our mod in the user's Claude Code, or in the one of `settingsFile`. */
export function modOptions(
  { dataDir, claudeDir, modSource, commandFile }: Config,
  clientVersion: ModInstallerOptions['clientVersion'],
  { settingsFile = path.join(claudeDir, 'settings.json'), folder }: { settingsFile?: string | undefined; folder?: string | undefined } = {},
): ModInstallerOptions {
  return {
    dataDir,
    settingsFile,
    folder,
    clientVersion,
    file: modSource,
    version: productInfo().version,
    argv: [process.execPath, commandFile],
    options: ['--json', '--home', dataDir],
    env: process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
    studentFile: studentFile(dataDir),
  }
}
