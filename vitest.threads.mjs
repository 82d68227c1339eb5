// Preloaded where unit tests run. Their worker threads take the built modules (dist/server): those load in a fraction of the
// time that the sources take, and nearly every test of a server starts threads of its own.
import fs from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const SOURCES = new URL('server/src/', import.meta.url).href
const BUILT = fileURLToPath(new URL('dist/server/', import.meta.url))

/** What is named by its whole address (`new URL('./x.job.ts', import.meta.url)`) is an entry of the build by its own name. */
function resolve(specifier, context, next) {
  const built = specifier.startsWith(SOURCES) ? path.join(BUILT, `${path.basename(specifier, '.ts')}.js`) : null
  return next(built !== null && fs.existsSync(built) ? pathToFileURL(built).href : specifier, context)
}

if (!isMainThread) registerHooks({ resolve })
