import module from 'node:module'
import path from 'node:path'

/** Of the product: two folders above dist/server, three above this source. */
const ROOT = path.join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../..' : '../..')

/**
 * Keeps compiled code in the product's own folder, so that a process or a thread does not compile them anew. Where nothing can
 * be written (an installed package) Node goes on without. A folder that others may write to is none for this: no /tmp.
 */
export function keepCompiledCode(): void {
  module.enableCompileCache(path.join(ROOT, '.cache', 'code'))
}
