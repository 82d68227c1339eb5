import type { Express } from 'express'
import swaggerUi from 'swagger-ui-express'
import { refuseOthers } from './mount.ts'

/** The docs page, from the package's own files: offline, and without inline script. */
export function mountDocs(app: Express, document: object): void {
  const text = JSON.stringify(document)
  const page = swaggerUi
    .generateHTML(undefined, {
      customSiteTitle: 'Bash Gym API',
      swaggerUrl: '/api/openapi.json',
      swaggerOptions: { validatorUrl: null, tryItOutEnabled: true, persistAuthorization: false },
    })
    .replaceAll(/(href|src)="\.\//g, '$1="/docs/') // so that /docs and /docs/ are the same page
  app.get('/api/openapi.json', (_, response) => {
    response.setHeader('cache-control', 'no-cache')
    response.type('json').send(text)
  })
  app.get(['/docs', '/docs/'], (_, response) => {
    response.setHeader('cache-control', 'no-cache')
    response.type('html').send(page)
  })
  app.all(['/api/openapi.json', '/docs', '/docs/'], refuseOthers(['get']))
  app.use('/docs', ...swaggerUi.serve)
}
