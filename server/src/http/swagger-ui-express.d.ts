/** The package ships no types; these are the parts in use (5.0.1, index.js). */
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
