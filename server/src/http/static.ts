import fs from 'node:fs'
import path from 'node:path'
import express, { type Express } from 'express'
import { AppError } from '#contracts/errors.ts'

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Bash Gym</title>
<h1>The server is running, but its pages are not built yet.</h1>
<p>Run <code>npm run build</code> in the Bash Gym folder, then reload. The API is at <a href="/docs">/docs</a>.</p></html>`

/** Serves the built renderer. Hashed files are cached permanently, other files are revalidated, client routes get index.html. */
export function mountRenderer(app: Express, rendererDir: string): void {
  const index = path.join(rendererDir, 'index.html')
  app.use(
    express.static(rendererDir, {
      index: false,
      redirect: false,
      dotfiles: 'ignore',
      setHeaders: (response, file) =>
        response.setHeader(
          'cache-control',
          file.startsWith(path.join(rendererDir, 'assets') + path.sep) ? 'public, max-age=31536000, immutable' : 'no-cache',
        ),
    }),
  )
  app.get('/{*path}', (request, response) => {
    if (request.path.startsWith('/assets/')) throw new AppError('not_found')
    response.setHeader('cache-control', 'no-cache')
    if (fs.existsSync(index)) response.sendFile(index)
    else response.type('html').send(NOT_BUILT)
  })
}

const BROKEN_LINK = 'The link may be incomplete or from another version.'

/** Refuses paths with `..` or control characters, in any encoding. */
export function refuseEscapes(url: string): void {
  const raw = url.split('?', 1)[0] ?? ''
  let decoded
  try {
    decoded = decodeURIComponent(raw)
  } catch (cause) {
    throw new AppError('invalid_request', { message: 'The address contains an invalid percent escape.', hint: BROKEN_LINK, cause })
  }
  const hasControl = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).some((control) => decoded.includes(control))
  if (hasControl || decoded.split(/[/\\]/).includes('..')) throw new AppError('not_found', { hint: BROKEN_LINK })
}
