import path from 'node:path'
import { variableProblems } from '#server/adapters/agent-cli/client-variables.ts'
import { MOD_CLIENT } from '#contracts/router-words.ts'
import { isAtLeast, managedFoldersOf, offSwitches } from '../../capture/index.ts'
import { NAME } from './files.ts'
import { settingsIn } from './others.ts'

interface Stop {
  kind: string
  message: string
  /** False: the mod does not load. Null: whether it does was not verified. True: it loads. */
  stops: boolean | null
}

/** Why our mod may not be loaded, and what weakens it, as far as files show it. */
export function problemsIn(options: {
  settingsFile: string
  folder: string
  skills: string
  version: string | null
  managedFolders?: readonly string[]
}): Stop[] {
  const { settingsFile, folder, skills, version } = options
  const problems: Stop[] = []
  const add = (kind: string, stops: boolean | null, message: string) => problems.push({ kind, message, stops })
  if (version === null)
    add(
      'client_unknown',
      null,
      'Not verified: the version of Claude Code could not be read. Set CLAUDE_BIN to the path of the `claude` program.',
    )
  else if (!isAtLeast(version, MOD_CLIENT))
    add('client_too_old', false, `Claude Code ${version} does not load mods; ${MOD_CLIENT} is the oldest that does.`)
  if (path.dirname(folder) !== skills)
    add('plugin_dir', null, `Not verified: Claude Code loads ${folder} only when it is started with --plugin-dir ${folder}.`)
  const managedFolders = options.managedFolders ?? managedFoldersOf(process.platform)
  for (const { kind, message } of offSwitches({ settingsFile, managedFolders })) if (kind === 'hooks_disabled') add(kind, false, message)
  const { enabledPlugins, env } = settingsIn(settingsFile)
  if (enabledPlugins[`${NAME}@skills-dir`] === false)
    add('mod_disabled', false, `The mod is switched off: "enabledPlugins" has "${NAME}@skills-dir": false in ${settingsFile}.`)
  for (const { message, fails } of variableProblems(env, settingsFile)) if (fails) add('judge_moved', true, message)
  return problems
}
