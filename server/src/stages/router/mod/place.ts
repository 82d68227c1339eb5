import fs from 'node:fs'
import path from 'node:path'
import type { ClientChange } from '#contracts/entities/router.ts'
import { AppError } from '#contracts/errors.ts'
import { createClientEnv } from '../../capture/index.ts'

/** Folders of mods that the client loads before all others, in their order (recorded in 2.1.300 and 2.1.329). */
const DIRS = 'CLAUDE_CODE_PLUGIN_DIRS'

/** Whether a setting of the client puts our mod before all others, so that none of them can allow what it denies. */
export function createPlace({ dataDir, settingsFile, folder }: Record<'dataDir' | 'settingsFile' | 'folder', string>) {
  const env = createClientEnv({ dataDir, settingsFile, now: Date.now })
  const split = (value: string | null) => (value ?? '').split(path.delimiter).filter(Boolean)
  const dirs = () => split(env.get(DIRS))
  const without = (all: readonly string[]) => all.filter((one) => one !== folder).join(path.delimiter)
  const isThere = () => dirs()[0] === folder
  /** The other choice: our folder before those of others, or what there was without it. */
  const other = (): string | null => {
    const others = without(dirs())
    if (!isThere()) return [folder, others].filter(Boolean).join(path.delimiter)
    return others === without(split(env.before(DIRS))) ? null : others // null: as it was, to the byte
  }
  const report = (): ClientChange => {
    const { settingsFile: file, exists, diff } = env.preview(DIRS, other())
    const isInstalled = fs.existsSync(path.join(folder, '.claude-plugin', 'plugin.json'))
    return { isOn: isThere(), settingsFile: file, exists, diff, obstacle: isInstalled ? null : 'Install the mod first.' }
  }
  return {
    report,
    put(on: boolean): ClientChange {
      const { isOn, obstacle } = report()
      if (on && obstacle !== null) throw new AppError('mod_refused', { message: obstacle })
      if (on !== isOn) env.set(DIRS, other())
      return report()
    },
    /** The change of the settings to the other choice, whole. */
    change(): { path: string; before: string | null; after: string | null } {
      const { before, after } = env.preview(DIRS, other())
      return { path: settingsFile, before, after }
    },
    /** Settings that cannot be read say so where they are changed. */
    isFirst(): boolean {
      try {
        return isThere()
      } catch (error) {
        if (error instanceof AppError) return false
        throw error
      }
    },
  }
}
