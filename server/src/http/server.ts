import express, { type ErrorRequestHandler, type Express } from 'express'
import type { Logger } from 'pino'
import { AppError } from '#contracts/errors.ts'
import type { Implementation } from '#contracts/derive/route.ts'
import { CHALLENGE, PROOF } from '#server/listeners/tokens.ts'
import { identifyCaller } from './caller.ts'
import { mountDocs } from './docs.ts'
import { toAppError } from './failure.ts'
import { failurePage, wantsPage } from './failure-page.ts'
import type { Guard } from './guard.ts'
import { securityHeaders } from './headers.ts'
import { mountRoutes } from './mount.ts'
import { mountRenderer, refuseEscapes } from './static.ts'

export interface HttpOptions {
  implementations: readonly Implementation[]
  openapi: () => object
  rendererDir: string
  validateResponses: boolean
  log: Logger
}

/** The order matters: headers of every response, then the caller, then the route. */
export function createExpressApp(guard: Guard, options: HttpOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('case sensitive routing', true)
  app.use(securityHeaders)
  app.use((request, _, next) => {
    guard.checkSource(request.headers)
    refuseEscapes(request.url)
    next()
  })
  app.get('/api/health', ({ headers }, response, next) => {
    const proof = guard.callers.proofFor(headers[CHALLENGE], headers.host)
    if (proof !== null) response.setHeader(PROOF, proof)
    next()
  })
  mountDocs(app, options.openapi)
  app.use('/api', identifyCaller(guard, options.implementations))
  mountRoutes(app, options.implementations, options)
  mountRenderer(app, options.rendererDir)
  app.use((request) => {
    throw new AppError('not_found', { message: `Unknown address ${request.path}.` })
  })
  app.use(onError(options.log))
  return app
}

const onError =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const failure = toAppError(error)
    const isDisconnected = request.socket.destroyed || response.destroyed // request.destroyed is already true after its body is read
    if (failure.status >= 500 && !isDisconnected) log.error({ err: error, method: request.method, path: request.path }, 'A request failed')
    if (response.headersSent) {
      response.destroy() // an incomplete body must not look complete
      return
    }
    if (failure.status === 413) request.resume() // reads the rest, so that the sender gets the response
    response.status(failure.status).setHeader('cache-control', 'no-store')
    if (wantsPage(request)) response.type('html').send(failurePage(failure))
    else response.json(failure.toWire())
  }
