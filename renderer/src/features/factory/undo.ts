import { createUndoing } from '#renderer/ui/lists/undo.ts'

/** Undo of reviews and edits in this window. */
export const { perform, undoNewest } = createUndoing()
