/** The files of our mod, as they are written into a user's Claude Code. */
import fs from 'node:fs'
import path from 'node:path'

export const NAME = 'bashgym'

export interface ModSource {
  /** The built module. */
  file: string
  version: string
  /** The program that the mod runs, with its first arguments. */
  argv: readonly string[]
  /** Its last arguments. */
  options: readonly string[]
  /** Its argument for a step, and for a check of a command: the routes that it calls. */
  calls: Readonly<Record<'step' | 'check', string>>
  env: Readonly<Record<string, string>>
  studentFile: string
  /** The file that switches the guard on, and the program that takes what the guard decided. */
  guardFile: string
  tell: readonly string[]
}

/** The rules for Claude's own steps, beside the name of the student. */
export const rulesFileOf = (studentFile: string): string => path.join(path.dirname(studentFile), 'step-rules.json')

const CONFIG = /(["'])__BASHGYM_CONFIG__\1/

/** By their path below the folder of the mod. */
export function modFiles({ file, version, argv, options, calls, env, studentFile, guardFile, tell }: ModSource): Map<string, string> {
  const source = fs.readFileSync(file, 'utf8')
  if (!CONFIG.test(source)) throw new Error('The mod is damaged: it has no place for its settings. Reinstall Bash Gym.')
  const config = JSON.stringify(
    JSON.stringify({ argv, options, calls, env, student: studentFile, rules: rulesFileOf(studentFile), guard: guardFile, tell }),
  )
  const manifest = {
    name: NAME,
    version,
    description: 'Bash Gym: your own model as the agent gym in Claude Code, and the guard for commands',
    author: { name: 'Bash Gym' },
    license: 'MIT',
  }
  return new Map([
    ['.claude-plugin/plugin.json', `${JSON.stringify(manifest, null, 2)}\n`],
    [
      'hooks/hooks.json',
      `${JSON.stringify({ description: 'Answers the agent gym, and guards commands', modules: ['./register.js'] }, null, 2)}\n`,
    ],
    ['hooks/register.js', source.replace(CONFIG, () => config)],
  ])
}

/** The manifest of a mod in a folder; null if there is none. */
export function manifestIn(text: string | null): { name?: unknown; version?: unknown } | null {
  try {
    const value = JSON.parse(text ?? '') as unknown
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
