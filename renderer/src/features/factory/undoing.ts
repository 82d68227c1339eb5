import { createUndoing } from '#renderer/ui/undo.ts'

/** What was done in this window to examples and pairs. */
export const { perform, undoNewest } = createUndoing()
