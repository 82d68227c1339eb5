import fs from 'node:fs'
import type { HooksReport } from '#contracts/entities/capture.ts'
import type { RawText, TerminalToolCall } from '#contracts/entities/tool-call.ts'
import type { Policy, ScoreDocument } from '#contracts/entities/score.ts'
import { AppError } from '#contracts/errors.ts'
import { createClaudeCli } from './adapters/agent-cli/index.ts'
import { loadConfig } from './config.ts'
import type { ModReport } from '#contracts/entities/router.ts'
import { modOptions } from './mod-options.ts'
import { hooksOnFile as onFile } from './stages/capture/index.ts'
export { computeStatistics } from './stages/judge/index.ts'
export { redactText } from './stages/privacy/index.ts'
import { createModInstaller } from './stages/router/index.ts'
import { looksLikeStepsFile, scoreSource } from './stages/scoring/index.ts'
import { readTranscriptFile } from './stages/traces/index.ts'

// Work that needs neither data directory nor lock. Besides pipeline.ts and schema.ts, only this file connects stages.

/** Installs, removes or reports our hooks in the given settings file. */
export function hooksOnFile(action: 'install' | 'uninstall' | 'status', settingsFile: string, dataDir: string): Promise<HooksReport> {
  const config = loadConfig({ dataDir })
  const cli = createClaudeCli(config)
  return onFile({ hookSource: config.hookSource, clientVersion: () => cli.version(), now: Date.now })(action, settingsFile, dataDir)
}

/** Installs, removes or reports our mod beside the given settings file, or in the given folder. */
export function modOnFile(
  action: 'install' | 'uninstall' | 'status',
  places: { settingsFile: string | undefined; folder: string | undefined },
  dataDir: string,
): Promise<ModReport> {
  const config = loadConfig({ dataDir })
  const cli = createClaudeCli(config)
  return createModInstaller(modOptions(config, () => cli.version(), places))[action === 'status' ? 'report' : action]()
}

/** Reads the `terminal` tool call in a message. Imports the arena only when called. */
export async function readToolCall(text: string, raw: RawText | undefined): Promise<TerminalToolCall> {
  return (await import('./stages/shell-rl/index.ts')).buildTerminalToolCall(text, { raw })
}

/** Scores a steps file (a JSON array), or a transcript with the sub-agents stored next to it. */
export function scoreFile(file: string, policy: Policy): ScoreDocument {
  if (fs.statSync(file).isDirectory())
    throw new AppError('path_refused', { message: `${file} is a folder.`, hint: 'Use a transcript (a .jsonl file) or a steps file.' })
  if (looksLikeStepsFile(readBeginning(file))) return scoreSource(file, { policy })
  return scoreSource(readTranscriptFile(file), { policy })
}

/** The first 4 KB, which are enough to distinguish a JSON array from JSON Lines. */
function readBeginning(file: string): string {
  const fd = fs.openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(4096)
    return bytes.toString('utf8', 0, fs.readSync(fd, bytes, 0, bytes.length, 0))
  } finally {
    fs.closeSync(fd)
  }
}
