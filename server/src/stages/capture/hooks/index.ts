import path from 'node:path'
import type { HooksReport } from '#contracts/entities/capture.ts'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import { getHooks, getShellEdits, installHooks, previewHooks, setShellEdits, uninstallHooks } from '#contracts/routes/capture.ts'
import { createHookInstaller, type HookInstaller, type HookInstallerOptions } from './service.ts'
import { createShellEdits } from './shell-edits.ts'

export type { HookInstallerOptions } from './service.ts'

/** Installs hooks in the user's settings file, and has the routes for Settings → Capture. */
export function createHooks({
  claudeDir,
  ...options
}: Omit<HookInstallerOptions, 'settingsFile'> & { claudeDir: string }): HookInstaller & {
  routes: Implementation[]
} {
  const settingsFile = path.join(claudeDir, 'settings.json')
  const installer = createHookInstaller({ ...options, settingsFile })
  const shellEdits = createShellEdits({ ...options, settingsFile })
  return {
    ...installer,
    routes: [
      implement(getHooks, () => installer.report()),
      implement(previewHooks, ({ query }) => installer.preview(query.action)),
      implement(installHooks, () => installer.install()),
      implement(uninstallHooks, () => installer.uninstall()),
      implement(getShellEdits, () => shellEdits.report()),
      implement(setShellEdits, ({ body }) => shellEdits.set(body.on)),
    ],
  }
}

/** For `bashgym hooks … --settings FILE`: works without a server and without the data directory's lock. */
export function hooksOnFile(options: Omit<HookInstallerOptions, 'settingsFile' | 'dataDir'>) {
  return (action: 'install' | 'uninstall' | 'status', settingsFile: string, dataDir: string): Promise<HooksReport> => {
    const installer = createHookInstaller({ ...options, dataDir, settingsFile })
    return installer[action === 'status' ? 'report' : action]()
  }
}
