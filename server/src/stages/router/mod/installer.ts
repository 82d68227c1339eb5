/** Installs, removes, previews and reports our mod in one installation of Claude Code. It changes only a folder of its own. */
import fs from 'node:fs'
import path from 'node:path'
import type { ModPreview, ModReport } from '#contracts/entities/router.ts'
import { AppError } from '#contracts/errors.ts'
import { MOD_CLIENT } from '#contracts/router-words.ts'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'
import { isAtLeast } from '../../capture/index.ts'
import { manifestIn, modFiles, type ModSource, NAME } from './files.ts'
import { createdRecord } from './created.ts'
import { createPlace } from './place.ts'
import { othersDeciding } from './others.ts'
import { problemsIn } from './problems.ts'

export interface ModInstallerOptions extends ModSource {
  dataDir: string
  /** The settings of the client, beside which it looks for mods. They are read, never written. */
  settingsFile: string
  /** Where the mod goes; by default where the client loads it from. */
  folder?: string | undefined
  clientVersion: () => Promise<string | null>
  /** Folders with the administrator's settings; by default where the client looks for them. */
  managedFolders?: readonly string[]
}

/** What a session of the client reads at its start: the name of the model that answers. */
export const studentFile = (dataDir: string): string => path.join(dataDir, 'student.json')

const MAX_FILE = 1024 * 1024

export function createModInstaller(options: ModInstallerOptions) {
  const { dataDir, clientVersion } = options
  const settingsFile = path.resolve(options.settingsFile)
  const skills = path.join(path.dirname(settingsFile), 'skills')
  const folder = path.resolve(options.folder ?? path.join(skills, NAME))
  const record = createdRecord(dataDir, folder)
  const expected = () => modFiles(options)
  const place = createPlace({ dataDir, settingsFile, folder })

  /** The files of ours that are there. Null: no folder. Throws `mod_refused` if it is somebody else's. */
  const found = async (): Promise<Map<string, string> | null> => {
    if (!fs.lstatSync(folder, { throwIfNoEntry: false })) return null
    return inFolder(async (own) => {
      const files = new Map<string, string>()
      for (const name of expected().keys()) {
        const text = await own.textOrNull(name, MAX_FILE)
        if (text !== null) files.set(name, text)
      }
      const isOurs = manifestIn(files.get('.claude-plugin/plugin.json') ?? null)?.name === NAME
      if (!isOurs && (await own.list('', 1)).length > 0)
        throw new AppError('mod_refused', {
          message: `${folder} has files of something else, so it was left unchanged.`,
          hint: 'Move it away, or choose another folder with --dir.',
        })
      return files
    })
  }
  const inFolder = async <T>(use: (own: ForeignFolder) => Promise<T>): Promise<T> => {
    try {
      return await inForeign(folder, use)
    } catch (error) {
      if (!(error instanceof ForeignFileError)) throw error
      throw new AppError('mod_refused', { message: `${folder}: ${error.message}. It was left unchanged.`, cause: error })
    }
  }
  const requireClient = async (): Promise<void> => {
    const version = await clientVersion()
    if (version !== null && !isAtLeast(version, MOD_CLIENT))
      throw new AppError('mod_refused', {
        message: `Claude Code ${version} does not load mods, so nothing was installed. Version ${MOD_CLIENT} is the oldest that does.`,
        hint: 'Update Claude Code with `claude update`, then install the mod again.',
      })
  }

  const report = async (changed = false): Promise<ModReport> => {
    const version = await clientVersion()
    let files: Map<string, string> | null = null
    const problems: ModReport['problems'] = []
    try {
      files = await found()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems.push({ kind: error.code, message: error.message })
    }
    const manifest = manifestIn(files?.get('.claude-plugin/plugin.json') ?? null)
    const installed = manifest?.name === NAME
    if (installed && [...expected()].some(([name, text]) => files?.get(name) !== text))
      problems.push({ kind: 'mod_differs', message: `The mod in ${folder} is of another version, or was changed. Install it again.` })
    const stops = installed ? problemsIn({ ...options, settingsFile, folder, skills, version }) : []
    const isUnknown = stops.every(({ stops: loads }) => loads !== false) && stops.some(({ stops: loads }) => loads === null)
    return {
      installed,
      version: installed && typeof manifest.version === 'string' ? manifest.version : null,
      loads: !installed || stops.some(({ stops: loads }) => loads === false) ? false : isUnknown ? null : true,
      overridableBy: installed && !place.isFirst() ? await othersDeciding({ settingsFile, skills, folder }) : [],
      isFirst: place.isFirst(),
      clientVersion: version,
      folder,
      changed,
      problems: [...problems, ...stops.map(({ kind, message }) => ({ kind, message }))],
    }
  }

  return {
    /** Never throws because of files of others: what is in the way is a problem in the report. */
    report: () => report(),
    others: () => othersDeciding({ settingsFile, skills, folder }),
    first: () => place.report(),
    putFirst: (on: boolean) => place.put(on),
    async install(): Promise<ModReport> {
      await requireClient()
      const before = await found()
      const files = [...expected()].filter(([name, text]) => before?.get(name) !== text)
      if (files.length === 0) return report(false)
      try {
        record.made(fs.mkdirSync(folder, { recursive: true, mode: 0o755 }))
      } catch (error) {
        throw new AppError('mod_refused', { message: `${folder} cannot be made: ${(error as Error).message}`, cause: error })
      }
      // the manifest comes last: without it the client loads nothing
      await inFolder(async (own) => {
        for (const [name, text] of files.toReversed()) await own.writeFile(name, text, { mode: 0o644, limitBytes: MAX_FILE, sync: true })
      })
      return report(true)
    },
    async uninstall(): Promise<ModReport> {
      const files = await found()
      const wasFirst = place.isFirst() // also where the user has removed the files already
      if (wasFirst) place.put(false)
      if (!files) return report(wasFirst)
      await inFolder(async (own) => {
        for (const name of files.keys()) await own.remove(name)
        for (const name of ['.claude-plugin', 'hooks']) await removeEmpty(own, name)
      })
      record.remove()
      return report(files.size > 0)
    },
    async preview(action: 'install' | 'uninstall'): Promise<ModPreview> {
      if (action === 'install') await requireClient()
      const before = await found()
      const files = [...expected()].map(([name, text]) => ({
        path: path.join(folder, name),
        before: before?.get(name) ?? null,
        after: action === 'install' ? text : null,
      }))
      if (action === 'uninstall' && place.isFirst()) files.push(place.change())
      return { folder, files, changed: files.some((file) => file.before !== file.after) }
    },
  }
}

/** Leaves a folder that has files of somebody else. */
async function removeEmpty(own: ForeignFolder, name: string): Promise<void> {
  try {
    await own.removeFolder(name)
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
  }
}
