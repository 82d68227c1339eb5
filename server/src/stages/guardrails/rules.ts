import { basename } from '#server/shell/posix-path.ts'
import { flagsOf } from './flags.ts'
import { isDevice, isProtected, isRootIfEmpty, resolvePath } from './paths.ts'
import type { Action, CommandAction } from './shell/actions.ts'
import { type FindPlan, readFind } from './shell/find.ts'
import { UNKNOWN } from './shell/text.ts'

export type Severity = 'allow' | 'warn' | 'block'

export interface Rule {
  id: string
  /** Whether the rule applies to an action. */
  matches: (action: Action) => boolean
  native: Severity
  sandbox: Severity
  reason: string
  alternatives: readonly string[]
}

/** Every rule for commands. The most severe match decides; among equals the first action, then the first rule. */
export const RULES = [
  {
    id: 'remove-protected',
    matches: onCommand(mayRemove, (act) => removedPaths(act).some((target) => isProtectedTarget(target, act))),
    native: 'block',
    sandbox: 'block',
    reason: 'This would delete a system or home folder.',
    alternatives: ['Name the folder inside it that you want to remove.'],
  },
  {
    id: 'find-delete',
    matches: onCommand(['find'], (act) => {
      const plan = readFind(act.args)
      return findRemoves(plan, act.args) && !plan.isFiltered && plan.roots.some((root) => isProtectedTarget(root, act))
    }),
    native: 'block',
    sandbox: 'block',
    reason: 'This would delete everything in a system or home folder.',
    alternatives: ['Start in the folder you mean, and add a test such as -name.', 'Run it with -print instead of -delete first.'],
  },
  {
    id: 'sudo-remove',
    matches: onCommand(mayRemove, (act) => act.isElevated && removedPaths(act).length > 0),
    native: 'block',
    sandbox: 'block',
    reason: 'This would delete folders as another user, so file permissions do not limit it.',
    alternatives: ['Remove it without sudo, or change who owns it first.'],
  },
  {
    id: 'overwrite-protected',
    matches: onCommand(['mv', 'rsync'], (act) => {
      const { operands, has } = flagsOf(act.args)
      if (act.name === 'mv') return operands.length > 1 && operands.slice(0, -1).some((from) => isProtectedTarget(from, act))
      return has('', 'delete', 'delete-before', 'delete-after') && operands.length > 1 && isProtectedTarget(operands.at(-1)!, act)
    }),
    native: 'block',
    sandbox: 'block',
    reason: 'This would move or replace a system or home folder.',
    alternatives: ['Name the folder inside it that you mean.'],
  },
  {
    id: 'write-device',
    matches: (act) => {
      if (act.kind === 'write') return isDevice(resolvePath(act.path, act.folder ?? '/?') ?? '')
      if (act.kind !== 'command') return false
      const isDevicePath = (path: string | undefined) => path !== undefined && isDevice(resolvePath(path, act.folder ?? '/?') ?? '')
      if (act.name === 'dd') return act.args.some((word) => word.startsWith('of=') && isDevicePath(word.slice(3)))
      if (act.name === 'cp' || act.name === 'install') return isDevicePath(flagsOf(act.args).operands.at(-1))
      return (
        ['shred', 'truncate', 'wipefs', 'blkdiscard', 'badblocks', 'tee'].includes(act.name) &&
        flagsOf(act.args).operands.some(isDevicePath)
      )
    },
    native: 'block',
    sandbox: 'block',
    reason: 'This would write to a disk device directly and destroy the file systems on it.',
    alternatives: ['Write to a file instead.'],
  },
  {
    id: 'format-disk',
    matches: onCommand(
      (name) => /^(?:mkfs(?:\..+)?|mke2fs|mkswap|newfs(?:_.+)?)$/.test(name),
      (act) => act.args.some((word) => !word.startsWith('-')),
    ),
    native: 'block',
    sandbox: 'block',
    reason: 'This would create a file system and erase what is on the device.',
    alternatives: ['List the devices with lsblk, and format a disk by hand.'],
  },
  {
    id: 'fork-bomb',
    matches: (act) => act.kind === 'bomb',
    native: 'block',
    sandbox: 'block',
    reason: 'This would start copies of itself without end (a fork bomb).',
    alternatives: ['Start a fixed number of processes, for example with xargs -P.'],
  },
  {
    id: 'open-system',
    matches: onCommand(['chmod', 'chown', 'chgrp'], (act) => {
      const { operands, has } = flagsOf(act.args)
      const targets = operands.slice(1)
      return (
        has('R', 'recursive') && targets.some((target) => isRoot(target, act) || (opensToEverybody(act) && isProtectedTarget(target, act)))
      )
    }),
    native: 'block',
    sandbox: 'block',
    reason: 'This would change the permissions or the owner of every file on the system.',
    alternatives: ['Name the folder that needs it, with the least permissions that work, for example u+rwX.'],
  },
  {
    id: 'download-to-shell',
    matches: (act) => act.kind === 'script' && act.origin === 'download',
    native: 'block',
    sandbox: 'block',
    reason: 'This would run a downloaded script that no one has read.',
    alternatives: ['Download it to a file, read it, then run it.', 'Install the program with a package manager.'],
  },
  {
    id: 'hidden-script',
    matches: (act) => act.kind === 'script' && act.origin === 'derived',
    native: 'warn',
    sandbox: 'block',
    reason: 'This would run code that is decoded or assembled at run time, so it cannot be checked.',
    alternatives: ['Write the commands out.'],
  },
  {
    id: 'hidden-target',
    matches: onCommand(mayRemove, (act) =>
      act.args.some((word, index) => word.includes(UNKNOWN) && ['derived', 'download'].includes(act.origins[index]!)),
    ),
    native: 'warn',
    sandbox: 'block',
    reason: 'The path to remove is decoded or assembled at run time, so it cannot be checked.',
    alternatives: ['Write the path out.'],
  },
  {
    id: 'sudo',
    matches: onCommand(['sudo', 'doas', 'pkexec', 'run0'], () => true),
    native: 'warn',
    sandbox: 'block',
    reason: 'This would run a command as another user, usually root.',
    alternatives: ['Run it without sudo, or install into your own folder.'],
  },
  {
    id: 'su',
    matches: onCommand(['su', 'runuser'], () => true),
    native: 'warn',
    sandbox: 'block',
    reason: 'This would switch to another user, usually root.',
    alternatives: ['Run the command as yourself.'],
  },
  {
    id: 'chmod-777',
    matches: onCommand(['chmod'], opensToEverybody),
    native: 'warn',
    sandbox: 'block',
    reason: 'This would let every user read, change and run the file.',
    alternatives: ['chmod u+rwx', 'chmod 755'],
  },
  {
    id: 'setuid',
    matches: onCommand(['chmod', 'install'], (act) =>
      modesOf(act).some((mode) => /(?:^|,)[ugoa]*[-+=][rwxXt]*s|^0*[2-7][0-7]{3}$/.test(mode)),
    ),
    native: 'warn',
    sandbox: 'block',
    reason: 'This would set the setuid or setgid bit: anyone who runs the file runs it as its owner.',
    alternatives: ['chmod 755'],
  },
  {
    id: 'remove-below-root',
    matches: onCommand(mayRemove, (act) => removedPaths(act).some((target) => target.replace(/\/+$/, '') === `/${UNKNOWN}`)),
    native: 'warn',
    sandbox: 'block',
    reason: 'This would delete a folder directly below the root folder, and its name is unknown.',
    alternatives: ['Write the path out.'],
  },
  {
    id: 'remove-if-empty',
    matches: onCommand(mayRemove, (act) => removedPaths(act).some(isRootIfEmpty)),
    native: 'warn',
    sandbox: 'warn',
    reason: 'This would delete everything on the machine if the variable is empty.',
    alternatives: ['Use "${NAME:?}" so that it stops when the variable is empty.'],
  },
  {
    id: 'find-in-root',
    matches: onCommand(['find'], (act) => {
      const plan = readFind(act.args)
      return findRemoves(plan, act.args) && plan.isFiltered && plan.roots.some((root) => isRoot(root, act))
    }),
    native: 'warn',
    sandbox: 'warn',
    reason: 'This would search the whole machine and delete what it finds.',
    alternatives: ['Start in the folder you mean.', 'Run it with -print first.'],
  },
  {
    id: 'downloaded-file',
    matches: (act) => act.kind === 'script' && act.origin === 'fetched',
    native: 'warn',
    sandbox: 'warn',
    reason: 'This would run a file that was just downloaded, before anyone could read it.',
    alternatives: ['Download it first, read it, then run it.'],
  },
  {
    id: 'chown-root',
    matches: onCommand(['chown'], (act) => /^(?:root|0)(?:[:.].*)?$/.test(flagsOf(act.args).operands[0] ?? '')),
    native: 'warn',
    sandbox: 'allow',
    reason: 'This would give the file to root, so you can no longer change it.',
    alternatives: ['Keep ownership of the file, and let the service read it through its group.'],
  },
  {
    id: 'force-push',
    matches: onCommand(['git'], (act) => {
      const [verb, ...rest] = gitWords(act.args)
      if (verb !== 'push') return false
      return rest.some((word) => word === '--force' || /^-[a-zA-Z]*f/.test(word) || /^\+\S/.test(word))
    }),
    native: 'warn',
    sandbox: 'allow',
    reason: 'This would overwrite commits on the remote that others may have.',
    alternatives: ['git push --force-with-lease'],
  },
  {
    id: 'hard-reset',
    matches: onCommand(['git'], (act) => {
      const [verb, ...rest] = gitWords(act.args)
      return verb === 'reset' && rest.includes('--hard')
    }),
    native: 'warn',
    sandbox: 'allow',
    reason: 'This would discard uncommitted changes.',
    alternatives: ['git stash, then git reset --hard', 'git reset --keep'],
  },
  {
    id: 'unreadable',
    matches: (act) => act.kind === 'unreadable',
    native: 'warn',
    sandbox: 'block',
    reason: 'This cannot be read as a shell command',
    alternatives: ['Check the quotes, brackets and here-documents.'],
  },
] as const satisfies readonly Rule[]

export type RuleId = (typeof RULES)[number]['id']

function onCommand(
  names: readonly string[] | ((name: string) => boolean),
  when: (act: CommandAction) => boolean,
): (act: Action) => boolean {
  const isNamed = typeof names === 'function' ? names : (name: string) => names.includes(name)
  return (act) => act.kind === 'command' && isNamed(act.name) && when(act)
}

const findRemoves = (plan: FindPlan, args: readonly string[]): boolean =>
  plan.deletes || plan.commands.some(([from]) => mayRemove(basename(args[from] ?? '')))

/** An unknown name may be `rm`. */
function mayRemove(name: string): boolean {
  return name === '' || ['rm', 'rimraf', 'srm', 'trash', 'shred'].includes(name)
}

/** The paths that the command removes recursively. */
function removedPaths({ name, args }: CommandAction): string[] {
  const { operands, has } = flagsOf(args)
  if (name === 'rimraf' || name === 'trash') return operands
  if (name === '')
    return has('rR', 'recursive') && (has('f', 'force') || has('', 'no-preserve-root')) && !args.includes(UNKNOWN) ? operands : []
  if (name === 'shred') return []
  return has('rR', 'recursive') ? operands : []
}

function isProtectedTarget(target: string, { folder }: CommandAction): boolean {
  if (target.includes(UNKNOWN)) return false
  const absolute = resolvePath(target, folder)
  // the start is unknown, but the path climbs three or more folders
  return absolute === null ? /^(?:\.\/)*(?:\.\.\/+){3,}[*.]*$/.test(target) : isProtected(absolute)
}

function isRoot(target: string, { folder }: CommandAction): boolean {
  const absolute = resolvePath(target, folder)
  return absolute !== null && /^\/(?:\*|\.\*)?$/.test(absolute)
}

/** `777`, `a+rwx`, `ugo=rwx`: every user may read, write and run the file. */
function opensToEverybody({ name, args }: CommandAction): boolean {
  return (
    name === 'chmod' &&
    modesOf({ name, args }).some(
      (mode) =>
        /^0*[0246]?777$/.test(mode) || /(?:^|,)(?:[ugo]*a[ugo]*|(?=[ugo]*u)(?=[ugo]*g)[ugo]*o[ugo]*)[+=](?=\w*r)(?=\w*w)\w*x/i.test(mode),
    )
  )
}

/** The mode of `chmod`, or of `install -m`. */
function modesOf({ name, args }: Pick<CommandAction, 'name' | 'args'>): string[] {
  if (name === 'chmod')
    return flagsOf(args.filter((word) => !/^-[rwxXst,]+$/.test(word)))
      .operands.slice(0, 1)
      .filter((mode) => mode.length < 100)
  return args.flatMap((word, index) =>
    /^-\w*m$|^--mode$/.test(word) ? [args[index + 1] ?? ''] : word.startsWith('--mode=') ? [word.slice(7)] : [],
  )
}

/** The arguments of `git`, starting with its subcommand. */
function gitWords(args: readonly string[]): readonly string[] {
  let at = 0
  while (at < args.length && args[at]!.startsWith('-')) at += /^-[cC]$|^--(?:git-dir|work-tree|namespace)$/.test(args[at]!) ? 2 : 1
  return args.slice(at)
}
