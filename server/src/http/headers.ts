import type { IncomingMessage } from 'node:http'
import helmet from 'helmet'

/** Headers of every response. Each directive is set explicitly, because helmet's defaults allow more. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'script-src': ["'self'"],
      'style-src': ["'self'", "'unsafe-inline'"], // select, dialog and toasts insert style elements
      'connect-src': ["'self'", (request) => socketSource(request)],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'self'"],
      'frame-src': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  strictTransportSecurity: false, // plain HTTP on loopback
  referrerPolicy: { policy: 'no-referrer' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
})

/** Older browsers do not include ws: in 'self'. IPv6 addresses are not valid in a policy, so they get 'self' only. */
const socketSource = ({ headers }: IncomingMessage) =>
  headers.host && /^[\w.-]+(:\d+)?$/.test(headers.host) ? `ws://${headers.host}` : "'self'"
