/**
 * The open terminals of this process. node-pty opens them without close-on-exec, so every process started later would
 * inherit them and could read and write other terminals.
 */
export const openTerminals = new Set<{ fd: number }>()
