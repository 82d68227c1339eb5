/** Installs, removes, previews and reports our hooks in one settings file of Claude Code. */
import path from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { HooksPreview, HooksReport } from '#contracts/entities/capture.ts'
import { AppError } from '#contracts/errors.ts'
import { eventsFor } from './client-events.ts'
import { type Change, changeFile, NEW_FILE, withReadableErrors } from './change-file.ts'
import { commandFor } from './hook-command.ts'
import { readFootprint, writeScript } from './hook-script.ts'
import { decodeUtf8 } from './json-text.ts'
import { readSettingsFile, type SettingsFile } from './settings-file.ts'
import { ourHandlers, parseSettings, withHooks, withoutHooks } from './settings-hooks.ts'
import { isInstalled, reportOf } from './status.ts'

export interface HookInstallerOptions {
  /** Absolute path of the data directory; written into the installed script. */
  dataDir: string
  hookSource: string
  /** The settings file to change: the user's, or the FILE of `--settings FILE`. */
  settingsFile: string
  clientVersion: () => Promise<string | null>
  now: () => number
  /** Folders with the administrator's settings; by default where the client looks for them. */
  managedFolders?: readonly string[]
  platform?: NodeJS.Platform
}

export type HookInstaller = ReturnType<typeof createHookInstaller>

type Action = 'install' | 'uninstall'

interface Plan extends Change {
  events: string[]
}

export function createHookInstaller(options: HookInstallerOptions) {
  const { dataDir, clientVersion, now, platform = process.platform } = options
  const settingsFile = path.resolve(options.settingsFile)
  const scriptFile = path.join(dataDir, 'hook')
  const command = commandFor(scriptFile)

  /** The exact change for this file. Throws `client_settings_invalid` with the line. */
  const planOf = (file: SettingsFile, action: Action, version: string | null): Plan => {
    const events = eventsFor(version)
    const recorded = readFootprint(dataDir, file.target)
    if (file.bytes === null && action === 'uninstall') return { before: '', after: null, footprint: { created: false, filled: [] }, events }
    return withReadableErrors(settingsFile, () => {
      const before = file.bytes === null ? '' : decodeUtf8(file.bytes)
      if (action === 'install') {
        const text = file.bytes === null ? NEW_FILE : before
        const isOurs = ourHandlers(parseSettings(text)).some((handler) => handler.command === command)
        const state = isOurs && recorded !== null ? recorded : { created: file.bytes === null, filled: [] }
        const plan = withHooks(text, { command, events, filled: state.filled })
        return { before, after: plan.text, footprint: { created: state.created, filled: [...state.filled, ...plan.filled] }, events }
      }
      const after = withoutHooks(before, command, recorded?.filled ?? [])
      const isEmptied = after !== before && recorded?.created === true && parseSettings(after).root.members.length === 0
      return { before, after: isEmptied ? null : after, footprint: { created: false, filled: [] }, events }
    })
  }

  const refuseOnWindows = () => {
    if (platform === 'win32') {
      throw new AppError('hooks_unsupported', {
        message: 'Hooks have not been tested on Windows yet, so none are installed. Sessions are still imported from their transcripts.',
      })
    }
  }

  const change = async (action: Action): Promise<{ changed: boolean; backupFile: string | null }> => {
    if (action === 'install') refuseOnWindows()
    const version = await clientVersion()
    return changeFile({ dataDir, settingsFile, now, added: 'hooks' }, action === 'install', (file) => {
      const plan = planOf(file, action, version)
      if (action === 'install') writeScript(options)
      return plan
    })
  }

  const report = async (
    result: { changed: boolean; backupFile: string | null } = { changed: false, backupFile: null },
  ): Promise<HooksReport> => ({
    ...reportOf({ ...options, settingsFile, command, platform, version: await clientVersion() }),
    ...result,
    settingsFile,
    scriptFile,
  })

  return {
    /** Never throws because of the settings: an unreadable file is a problem in the report. */
    report: () => report(),
    isInstalled: () => isInstalled({ settingsFile, command }),
    install: async () => report(await change('install')),
    uninstall: async () => report(await change('uninstall')),
    async preview(action: Action): Promise<HooksPreview> {
      if (action === 'install') refuseOnWindows()
      const file = readSettingsFile(settingsFile)
      const { before, after, events } = planOf(file, action, await clientVersion())
      const text = after ?? ''
      return {
        settingsFile,
        exists: file.bytes !== null,
        before,
        after: text,
        diff: before === text ? '' : createTwoFilesPatch(settingsFile, settingsFile, before, text, 'now', `after ${action}`),
        command,
        events,
        changed: before !== text,
      }
    },
  }
}
