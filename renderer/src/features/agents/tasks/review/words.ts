import type { ChangedFile } from '#contracts/entities/task.ts'

export const STATUS_WORDS: Record<ChangedFile['status'], { sign: string; description: string }> = {
  added: { sign: 'A', description: 'Added' },
  modified: { sign: 'M', description: 'Modified' },
  deleted: { sign: 'D', description: 'Deleted' },
  renamed: { sign: 'R', description: 'Renamed' },
  mode: { sign: 'P', description: 'Permissions changed' },
  type: { sign: 'T', description: 'Another kind of file' },
}

export function remarksOf({ status, kind, from, modes, leadsTo, isShortened }: ChangedFile): string[] {
  return [
    STATUS_WORDS[status].description,
    from === null ? null : `from ${from}`,
    kind === 'text' ? null : { binary: 'binary', symlink: 'symbolic link', submodule: 'submodule' }[kind],
    leadsTo === null ? null : `leads out of the repository, to ${leadsTo}`,
    modes.before !== null && modes.after !== null && modes.before !== modes.after ? `mode ${modes.before} to ${modes.after}` : null,
    modes.before === null && modes.after === '100755' ? 'executable' : null,
    isShortened ? 'too long to be shown in full, so it can only be taken or left out as a whole' : null,
  ].filter((remark) => remark !== null)
}
