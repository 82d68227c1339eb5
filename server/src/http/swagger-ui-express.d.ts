/** The package has no types; this declares what we use (5.0.1, index.js). */
declare module 'swagger-ui-express' {
  import type { RequestHandler } from 'express'
  interface Options {
    customSiteTitle?: string
    customJs?: string
    swaggerUrl?: string
    swaggerOptions?: Record<string, unknown>
  }
  const swaggerUi: { serve: RequestHandler[]; generateHTML(document: object | undefined, options: Options): string }
  export default swaggerUi
}
