import type { ChangedFile } from '#contracts/entities/task.ts'

export const STATUS_WORDS: Record<ChangedFile['status'], { sign: string; says: string }> = {
  added: { sign: 'A', says: 'Added' },
  modified: { sign: 'M', says: 'Modified' },
  deleted: { sign: 'D', says: 'Deleted' },
  renamed: { sign: 'R', says: 'Renamed' },
  mode: { sign: 'P', says: 'Permissions changed' },
  type: { sign: 'T', says: 'Another kind of file' },
}

/** What there is to say of a file beside its lines. */
export function remarksOf({ status, kind, from, modes, isShortened }: ChangedFile): string[] {
  return [
    STATUS_WORDS[status].says,
    from === null ? null : `from ${from}`,
    kind === 'text' ? null : { binary: 'binary', symlink: 'symbolic link', submodule: 'submodule' }[kind],
    modes.before !== null && modes.after !== null && modes.before !== modes.after ? `mode ${modes.before} to ${modes.after}` : null,
    modes.before === null && modes.after === '100755' ? 'executable' : null,
    isShortened ? 'too long to be shown whole: it is taken or left as a whole' : null,
  ].filter((remark) => remark !== null)
}
