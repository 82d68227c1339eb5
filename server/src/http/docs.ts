import type { Express } from 'express'
import swaggerUi from 'swagger-ui-express'
import { DOCS_TICKET_SCRIPT } from './docs-ticket.ts'
import { refuseOthers } from './mount.ts'

/**
 * Serves the docs page from the package's own files, so it works offline and without inline script. The OpenAPI document
 * is created at the first request, because it takes a quarter of a second that would delay every start.
 */
export function mountDocs(app: Express, describe: () => object): void {
  let text: string | undefined
  const page = swaggerUi
    .generateHTML(undefined, {
      customSiteTitle: 'Bash Gym API',
      customJs: '/docs/ticket.js',
      swaggerUrl: '/api/openapi.json',
      swaggerOptions: { validatorUrl: null, tryItOutEnabled: true, persistAuthorization: false },
    })
    .replaceAll(/(href|src)="\.\//g, '$1="/docs/') // so that /docs and /docs/ both work
  app.get('/api/openapi.json', (_, response) => {
    response.setHeader('cache-control', 'no-cache')
    response.type('json').send((text ??= JSON.stringify(describe())))
  })
  app.get(['/docs', '/docs/'], (_, response) => {
    response.setHeader('cache-control', 'no-cache')
    response.type('html').send(page)
  })
  app.get('/docs/ticket.js', (_, response) => {
    response.setHeader('cache-control', 'no-cache')
    response.type('js').send(DOCS_TICKET_SCRIPT)
  })
  app.all(['/api/openapi.json', '/docs', '/docs/'], refuseOthers(['get']))
  app.use('/docs', ...swaggerUi.serve)
}
