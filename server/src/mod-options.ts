import path from 'node:path'
import { checkGuardrails } from '#contracts/routes/guardrails.ts'
import { answerStep } from '#contracts/routes/router.ts'
import { type Config, pathsOf } from './config.ts'
import { productInfo } from './product.ts'
import { guardFile } from './stages/guardrails/index.ts'
import { type ModInstallerOptions, studentFile } from './stages/router/index.ts'

/** Our mod in the user's Claude Code, or in the one of `settingsFile`. */
export function modOptions(
  { dataDir, claudeDir, modSource, modProgram }: Config,
  clientVersion: ModInstallerOptions['clientVersion'],
  { settingsFile = path.join(claudeDir, 'settings.json'), folder }: { settingsFile?: string | undefined; folder?: string | undefined } = {},
): ModInstallerOptions {
  const { serverJson, token, guard, guardHook } = pathsOf(dataDir)
  return {
    dataDir,
    settingsFile,
    folder,
    clientVersion,
    file: modSource,
    version: productInfo().version,
    argv: [process.execPath, modProgram],
    options: [serverJson, token],
    calls: { step: answerStep.path, check: checkGuardrails.path },
    env: process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
    studentFile: studentFile(dataDir),
    guardFile: guardFile(guard),
    tell: ['/bin/sh', guardHook, 'event'],
  }
}
