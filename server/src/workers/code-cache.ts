import module from 'node:module'
import path from 'node:path'

/** The product's folder: two levels above the built file, three above this source. */
const ROOT = path.join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../..' : '../..')

/**
 * Caches compiled code in the product's folder for later processes and threads. Node works without a cache if the folder
 * is not writable (an installed package). Never in /tmp, because other users could write code there.
 */
export function keepCompiledCode(): void {
  module.enableCompileCache(path.join(ROOT, '.cache', 'code'))
}
