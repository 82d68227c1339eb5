import { createUndoing } from '#renderer/ui/lists/undo.ts'

/** What was done in this window to examples and pairs. */
export const { perform, undoNewest } = createUndoing()
