/**
 * The open terminals of this process. node-pty opens them without close-on-exec, so every process that is started later
 * would get them, and could read and write the terminals of others.
 */
export const openTerminals = new Set<{ fd: number }>()
